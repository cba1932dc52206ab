/**
 * The deployment test from the first deployment, which fails, to the last: recovers, deploys, issues keys, signers and
 * site keys, switches each setting and back, rotates keys, deploys the next release behind CloudFront, loses and restores
 * what the tables hold, launches a release, destroys, deploys again with the data that was kept, and destroys that with
 * its data.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputs as outputNames } from '../../lambda/contract/outputs';
import { accountEnvironment } from './account';
import { type Cloud, cloud, type Settings, stackName } from './cloud';
import type { Emulator } from './emulator';
import type { EmulatorProgram } from './emulator-program';
import { type DeploymentFacts, factsVariable } from './facts';
import { issueCredentials } from './operator';
import { breakRelease, copyRelease, makeNextRelease, plantedFault } from './releases';
import { DeploymentTestFailure, runProgram } from './run-program';
import { stageSettings } from './stage-settings';

/** Versions of a rotated key during the overlap. */
const trusted = [1, 2];
/** The stage while both keys are trusted, with each setting switched that the emulated account can tell; then all go back. */
const switched = {
  signingKey: { version: 1, trusted },
  contentKey: { version: 1, trusted },
  keepsData: false,
  signedCharge: 'request',
  slotBindings: { stock_c: 'openverse' },
  providerQuotas: { openverse: { perHour: 5_000 } },
  imageDelivery: 'own',
  generatorConcurrency: 20,
  rendererConcurrency: 20,
  authorizerConcurrency: 20,
  waitingRequestsMax: 50,
  generationsPerDay: 'off',
  generationsPerHourAlarm: 10,
  testKeysGenerate: true,
  contact: 'ops@example.org',
  plans: { free: { monthlyRequests: 5 } },
  redirectMaxAgeS: 60,
  libraryFirst: 'off',
  throttles: { enterprise: { perSecond: 2, burst: 4 } },
  floodLimits: { perOpenMethod: { perSecond: 40, burst: 80 } },
  logRetentionDays: 30,
  eventBus: 'accounts',
  alarmEmail: 'accounts@example.org',
  firewallRequestsPer5Min: 'off',
  setsApiGatewayLogRole: false,
} as const;
const rotated = { signingKey: { version: 2, trusted }, contentKey: { version: 2, trusted } };
/** The stage of the next release: without the first keys, and behind CloudFront. */
const later = {
  signingKey: { version: 2, trusted: [2] },
  contentKey: { version: 2, trusted: [2] },
  edge: true,
  signedCharge: 'month',
} as const;
/** The same with another lock before the API. */
const locked = { ...later, originLock: { version: 2, trusted } };

/** What CloudFormation says when a protected stack is to be destroyed. */
const protection = /termination ?protection/i;

export interface Surroundings {
  readonly root: string;
  /** For everything that the deployment test writes. */
  readonly folder: string;
  readonly emulator: Emulator;
  /** What the deployment test runs on. */
  readonly program: EmulatorProgram;
  /** Base URLs by provider. */
  readonly fakeProviders: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Does a part of the deployment test and says so. */
  readonly step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
}

export interface DeploymentTest {
  /** Bootstraps, deploys and issues keys. */
  open(): Promise<DeploymentFacts>;
  /** Everything after that. */
  run(facts: DeploymentFacts): Promise<void>;
}

export function deploymentTest({
  root,
  folder,
  emulator,
  program,
  fakeProviders,
  signal,
  step,
}: Surroundings): DeploymentTest {
  const env = accountEnvironment(emulator, program.nodeFolder, folder);
  const log = { file: join(folder, 'programs.log') };
  const options = { cwd: root, env, signal, log };
  const [release, broken, next] = ['release', 'broken', 'next'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const {
    bootstrap,
    deploy,
    destroy,
    importKept,
    synthesise,
    release: writeRelease,
  }: Cloud = cloud(root, folder, options);
  const assemblyOf = (project: string, changes: Settings = {}) =>
    synthesise(project, { ...stageSettings(fakeProviders), ...changes });
  const script = (name: string, ...args: readonly string[]) =>
    runProgram('node', ['--import', 'tsx', `tools/deploy-test/${name}.ts`, stackName, ...args], options);

  const lint = async () => {
    // Production as it is without any change, canaries included. W3005 is about dependencies that the CDK states twice.
    const template = join(await synthesise(release, {}), `${stackName}.template.json`);
    const main = 'import sys; from cfnlint.runner import main; sys.exit(main())';
    const args = ['-c', main, '--ignore-checks', 'W3005', '--', template];
    await runProgram(program.linterPython, args, { ...options, isBackground: true });
  };

  const test = async (facts: DeploymentFacts, ...names: readonly string[]) => {
    const file = join(folder, 'facts.json');
    writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
    const { outputs, keys } = facts;
    const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.deploy.config.cjs', '--runTestsByPath'];
    const E2E_URL = outputs[outputNames.apiUrl];
    const suite = { E2E_URL, E2E_LIVE_KEY: keys.pro.key, E2E_TEST_KEY: keys.test.key, [factsVariable]: file };
    const shown = { cwd: root, env: { ...env, ...suite }, signal, log: 'shown' } as const;
    await runProgram('node', [...jest, ...names.map((name) => `test/${name}.test.ts`)], shown);
  };

  return {
    async open() {
      for (const copy of [release, broken, next]) copyRelease(root, copy);
      breakRelease(broken);
      makeNextRelease(next);
      const [failing, first] = [assemblyOf(broken), assemblyOf(release)];
      const linting = step("Asking CloudFormation's linter about production, meanwhile", lint);
      linting.catch(() => undefined);
      await step('Bootstrapping the account', bootstrap);
      await step('Deploying a release that fails, into the empty account', async () => {
        await fails(async () => deploy(await failing), new RegExp(plantedFault));
        await script('look-after-failure');
      });
      const outputs = await step(
        'Recovering from it as documented: deploying the production stage',
        async () => {
          await fails(async () => destroy(await failing), protection);
          await script('end-protection');
          return deploy(await first);
        },
      );
      const issued = await step(
        'Issuing keys, a signer and a site key, filling in provider keys',
        async () => {
          await script('fill-provider-secret');
          return issueCredentials(stackName, { cwd: root, env, signal });
        },
      );
      await linting;
      const { port, edgeFile } = emulator;
      const memoryFile = join(folder, 'memory.json');
      const { manifestPython } = program;
      return {
        root,
        stack: stackName,
        outputs,
        port,
        edgeFile,
        manifestPython,
        fakeProviders,
        ...issued,
        memoryFile,
      };
    },

    async run(first) {
      // Made while the first deployment is tested.
      const failing = assemblyOf(broken, { keepsData: false });
      const trusting = assemblyOf(release, switched);

      await step('Testing it', () =>
        test(first, 'e2e/cases', 'deploy/deployed', 'deploy/published', 'deploy/removed'),
      );
      await step('Examining it with the doctor, and after planting faults', () =>
        test(first, 'deploy/doctor'),
      );
      await step('Sweeping what crashed runs have left behind', () => test(first, 'deploy/sweeper'));
      await step('Failing to stop keeping the data, which is rolled back', async () => {
        await fails(async () => deploy(await failing), new RegExp(plantedFault));
        await test(first, 'deploy/kept');
      });
      await step(
        'Switching each setting: trusting second keys, no longer keeping the data, charging each signed request',
        async () => {
          await deploy(await trusting);
          await test({ ...first, ...switched }, 'deploy/kept');
        },
      );
      await step('Switching each setting back, and signing with the second keys', async () => {
        await deploy(await assemblyOf(release, rotated));
        await test(first, 'deploy/kept', 'deploy/rotated');
      });

      // Synthesis refuses to stop trusting a key that the deployed stack signs with.
      const following = assemblyOf(next, later);
      const outputs = await step(
        'Deploying the next release, with one more index, a replaced table, without the first key, and behind CloudFront',
        async () => deploy(await following),
      );
      const launched = [release, next].map((project) =>
        writeRelease(project, { ...stageSettings(fakeProviders), installation: 'launched' }),
      );
      const keepsData = false;
      const locking = assemblyOf(next, locked);
      const ending = assemblyOf(next, { ...locked, edge: false, keepsData });
      const second = { ...first, ...later, outputs };
      await step('Testing it', () =>
        test(second, 'deploy/redeployed', 'deploy/distributed', 'deploy/removed'),
      );
      await step('Losing the items of each table, and restoring them in place', async () => {
        await test(second, 'deploy/restored');
        await test(second, 'deploy/kept');
      });

      await step('Launching a release from a bucket, and updating it to the next one', async () =>
        test({ ...second, releases: await Promise.all(launched) }, 'deploy/launched'),
      );

      const kept = JSON.parse(await script('kept-resources'));
      const last = await following;
      await step('Destroying it, which its protection refuses', () => fails(() => destroy(last), protection));
      await step('Destroying it without its protection', async () => {
        await script('end-protection');
        await destroy(last);
      });
      await step('Looking at what is left', () => test(second, 'deploy/destroyed'));

      await step('Bringing what was kept into a new stack', () => importKept(last, kept));
      const third = {
        ...second,
        outputs: await step('Deploying into it, with another lock before the API', async () =>
          deploy(await locking),
        ),
      };
      await step('Testing it', async () => {
        await test(third, 'deploy/kept');
        await test(third, 'deploy/checked');
      });

      const deleted = await step(
        'Destroying it with its data, as documented, after leaving CloudFront',
        async () => {
          await test({ ...third, keepsData, outputs: await deploy(await ending) }, 'deploy/kept');
          const all = JSON.parse(await script('kept-resources'));
          await destroy(await ending);
          return all;
        },
      );
      await step('Looking for what is left', () => test({ ...third, deleted }, 'deploy/deleted'));
    },
  };
}

/** Does what has to fail, for the reason that is expected. @throws when it succeeds, or fails otherwise */
async function fails(work: () => Promise<unknown>, why: RegExp): Promise<void> {
  const failure = await work().then(
    () => new DeploymentTestFailure(`This succeeded, and had to fail with ${why}.`),
    (error: Error) => (why.test(error.message) ? undefined : error),
  );
  if (failure) throw failure;
}
