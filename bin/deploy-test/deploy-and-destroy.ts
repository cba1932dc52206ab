/**
 * The deployment test from the first deployment, which fails, to the last: recovers, deploys, issues keys, rotates the
 * signing key, switches what becomes of the data, deploys the next release, destroys, and deploys again with the data
 * that was kept, one table of it restored to a point in time.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputs as names } from '../../lambda/contract/outputs';
import { accountEnvironment } from './account';
import { type Cloud, cloud, type StackOutputs, stackName } from './cloud';
import type { Emulator } from './emulator';
import type { EmulatorProgram } from './emulator-program';
import { type DeploymentFacts, factsVariable } from './facts';
import { type IssuedKey, keysTool } from './operator';
import { breakRelease, copyRelease, makeNextRelease, plantedFault } from './releases';
import { DeploymentTestFailure, runProgram } from './run-program';
import { stageSettings } from './stage-settings';

/** Versions of the signing key during the overlap, and the settings of the next release: without the first key, and behind CloudFront. */
const trusted = [1, 2];
const later = { signingKey: { version: 2 }, edge: true };

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
  const release = join(folder, 'release');
  const broken = join(folder, 'broken');
  const { bootstrap, deploy, destroy, importKept, synthesise }: Cloud = cloud(
    root,
    folder,
    stageSettings(fakeProviders),
    options,
  );
  const script = (name: string, ...args: readonly string[]) =>
    runProgram('node', ['--import', 'tsx', `bin/deploy-test/${name}.ts`, stackName, ...args], options);

  const test = async (facts: DeploymentFacts, files: readonly string[]) => {
    const file = join(folder, 'facts.json');
    writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
    const { outputs, keys } = facts;
    const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.deploy.config.cjs', '--runTestsByPath'];
    const E2E_URL = outputs[names.apiUrl];
    const suite = { E2E_URL, E2E_LIVE_KEY: keys.pro.key, E2E_TEST_KEY: keys.test.key, [factsVariable]: file };
    const shown = { cwd: root, env: { ...env, ...suite }, signal, log: 'shown' } as const;
    await runProgram('node', [...jest, ...files], shown);
  };

  return {
    async open() {
      copyRelease(root, release);
      copyRelease(root, broken);
      breakRelease(broken);
      await step("Asking CloudFormation's linter about production", async () => {
        // W3005 is about dependencies that the CDK states twice.
        const main = 'import sys; from cfnlint.runner import main; sys.exit(main())';
        const lint = ['-c', main, '--ignore-checks', 'W3005', '--', await synthesise(release)];
        await runProgram(program.linterPython, lint, options);
      });
      await step('Bootstrapping the account', bootstrap);
      await step('Deploying a release that fails, into the empty account', async () => {
        await fails(() => deploy(broken), new RegExp(plantedFault));
        await script('look-after-failure');
      });
      const outputs = await step(
        'Recovering from it as documented: deploying the production stage',
        async () => {
          await fails(destroy, /termination ?protection/i);
          await script('end-protection');
          return deploy(release);
        },
      );
      const keys = await step('Issuing keys, filling in provider keys', async () => {
        await script('fill-provider-secret');
        return issueKeys((args) => keysTool<IssuedKey>(stackName, args, { cwd: root, env, signal }));
      });
      const { port, edgeFile } = emulator;
      const memoryFile = join(folder, 'memory.json');
      return { root, stack: stackName, outputs, port, edgeFile, fakeProviders, keys, memoryFile };
    },

    async run(first) {
      await step('Testing it', () => test(first, ['test/e2e/cases.test.ts', 'test/deploy/deployed.test.ts']));
      await step('Examining it with the doctor, and after planting faults', () =>
        test(first, ['test/deploy/doctor.test.ts']),
      );
      await step('Sweeping what crashed runs have left behind', () =>
        test(first, ['test/deploy/sweeper.test.ts']),
      );
      await step('Failing to stop keeping the data, which is rolled back', async () => {
        await fails(() => deploy(broken, { keepsData: false }), new RegExp(plantedFault));
        await test(first, ['test/deploy/kept.test.ts']);
      });
      // Two things at a time, as each deployment takes most of a minute.
      await step('Trusting a second signing key, and no longer keeping the data', async () => {
        await deploy(release, { signingKey: { version: 1, trusted }, keepsData: false });
        await test({ ...first, keepsData: false }, ['test/deploy/kept.test.ts']);
      });
      await step('Signing with the second key, and keeping the data again', async () => {
        await deploy(release, { signingKey: { version: 2, trusted } });
        await test(first, ['test/deploy/kept.test.ts', 'test/deploy/rotated.test.ts']);
      });

      makeNextRelease(release);
      const outputs: StackOutputs = await step(
        'Deploying the next release, with one more index, a replaced table, without the first key, and behind CloudFront',
        () => deploy(release, later),
      );
      const second = { ...first, outputs };
      await step('Testing it', () =>
        test(second, ['test/deploy/redeployed.test.ts', 'test/deploy/distributed.test.ts']),
      );

      const kept = JSON.parse(await script('kept-resources'));
      await step('Destroying it, which its protection refuses', () =>
        fails(destroy, /termination ?protection/i),
      );
      await step('Destroying it without its protection', async () => {
        await script('end-protection');
        await destroy();
      });
      await step('Looking at what is left', () => test(second, ['test/deploy/destroyed.test.ts']));

      const restored = await step('Restoring the quota counters to a point in time', async () => ({
        ...kept,
        ...JSON.parse(await script('restore-table', JSON.stringify(kept))),
      }));
      await step('Bringing what was kept into a new stack, the restored table in place of the old one', () =>
        importKept(release, restored, later),
      );
      const again = await step('Deploying into it', () => deploy(release, later));
      await step('Testing it', () =>
        test({ ...second, outputs: again }, ['test/deploy/kept.test.ts', 'test/deploy/checked.test.ts']),
      );
    },
  };
}

async function issueKeys(
  create: (args: readonly string[]) => Promise<IssuedKey>,
): Promise<DeploymentFacts['keys']> {
  const issue = (plan: string) => create(['create', '--plan', plan, '--name', `deployment test ${plan}`]);
  const [free, pro] = await Promise.all([issue('free'), issue('pro')]);
  const [business, enterprise] = await Promise.all([issue('business'), issue('enterprise')]);
  const test = await create(['create', '--account', pro.account, '--test', '--name', 'deployment test key']);
  return { free, pro, business, enterprise, test };
}

/** Does what has to fail, for the reason that is expected. @throws when it succeeds, or fails otherwise */
async function fails(work: () => Promise<unknown>, why: RegExp): Promise<void> {
  const failure = await work().then(
    () => new DeploymentTestFailure(`This succeeded, and had to fail with ${why}.`),
    (error: Error) => (why.test(error.message) ? undefined : error),
  );
  if (failure) throw failure;
}
