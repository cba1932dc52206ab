/**
 * The deployment test from the first deployment, which fails, to the last: recovers, deploys, issues keys, signers and
 * site keys, switches each setting and back, deploys a bad version that is rolled back and one that is repaired, rotates
 * keys, deploys the next release, destroys,
 * deploys again with the data that was kept, and destroys that with its data. After each step, what was given out is still
 * there.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputs as outputNames } from '../../lambda/contract/outputs';
import { accountEnvironment } from './account';
import { cloud, type Settings, stackName } from './cloud';
import type { Emulator } from './emulator';
import type { EmulatorProgram } from './emulator-program';
import { type DeploymentFacts, factsVariable } from './facts';
import { issueCredentials } from './operator';
import { breakRelease, copyRelease, failRequests, makeNextRelease, plantedFault } from './releases';
import { DeploymentTestFailure, runProgram } from './run-program';
import { rotated, stageSettings, type World, walkOf } from './stage-settings';
import type { TaskName } from './task';

/** What CloudFormation says when a protected stack is to be destroyed. */
const protection = /termination ?protection/i;

/** What the test runs on. */
export interface Surroundings {
  readonly root: string;
  /** For everything that the deployment test writes. */
  readonly folder: string;
  readonly emulator: Emulator;
  /** What the deployment test runs on. */
  readonly program: EmulatorProgram;
  readonly fakes: Pick<World, 'fakeProviders' | 'modelUrl'>;
  readonly signal: AbortSignal;
  /** Does a part of the deployment test and says so. */
  readonly step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
}

/** The test in two parts, of which the first can stand alone. */
export interface DeploymentTest {
  /** Bootstraps, deploys and issues keys. */
  open(): Promise<DeploymentFacts>;
  /** Everything after that. */
  run(facts: DeploymentFacts): Promise<void>;
}

/** What jest is told beside its configuration, which leaves these tests out. */
const deployedTests = [
  '--testPathIgnorePatterns=/node_modules/',
  '--setupFiles=./test/deploy/reach-emulated-account.ts',
];

/** Starts nothing before `open`. */
export function deploymentTest({
  root,
  folder,
  emulator,
  program,
  fakes,
  signal,
  step,
}: Surroundings): DeploymentTest {
  const env = accountEnvironment(emulator, program.nodeFolder, folder);
  const log = { file: join(folder, 'programs.log') };
  const options = { cwd: root, env, signal, log };
  const [release, broken, failing, next] = ['release', 'broken', 'failing', 'next'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const { bootstrap, deploy, destroy, importKept, synthesise } = cloud(root, folder, options);
  const assemblyOf = (project: string, changes: Settings = {}) =>
    synthesise(project, { ...stageSettings(), ...changes }, fakes.fakeProviders);
  const task = async (name: TaskName) =>
    JSON.parse(
      await runProgram('node', ['--import', 'tsx', 'tools/deploy-test/task.ts', name, stackName], options),
    );

  const lint = async () => {
    // Production as it is without any change, canaries included. W3005 is about dependencies that the CDK states twice.
    const template = join(await synthesise(release, {}, {}), `${stackName}.template.json`);
    const main = 'import sys; from cfnlint.runner import main; sys.exit(main())';
    const args = ['-c', main, '--ignore-checks', 'W3005', '--', template];
    await runProgram(program.python, args, { ...options, isBackground: true });
  };

  const test = async (facts: DeploymentFacts, ...names: readonly string[]) => {
    const file = join(folder, 'facts.json');
    writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
    const { outputs, keys } = facts;
    const jest = ['node_modules/jest/bin/jest.js', ...deployedTests, '--runTestsByPath'];
    const E2E_URL = outputs[outputNames.apiUrl];
    const suite = { E2E_URL, E2E_LIVE_KEY: keys.pro.key, E2E_TEST_KEY: keys.test.key, [factsVariable]: file };
    const shown = { cwd: root, env: { ...env, ...suite }, signal, log: 'shown' } as const;
    await runProgram('node', [...jest, ...names.map((name) => `test/${name}.test.ts`)], shown);
  };

  /** Tests, and then looks whether what was given out is still there: that is charged too, so by itself. */
  const testAll = async (facts: DeploymentFacts, ...names: readonly string[]) => {
    await test(facts, ...names);
    await test(facts, 'deploy/given-out');
  };

  return {
    async open() {
      for (const copy of [release, broken, failing, next]) copyRelease(root, copy);
      breakRelease(broken);
      failRequests(failing);
      makeNextRelease(next);
      const [ending, first] = [assemblyOf(broken), assemblyOf(release)];
      const linting = step("Asking CloudFormation's linter about production, meanwhile", lint);
      linting.catch(() => undefined);
      await step('Bootstrapping the account', bootstrap);
      await step('Deploying a release that fails, into the empty account', async () => {
        await fails(async () => deploy(await ending), new RegExp(plantedFault));
        await task('lookAfterFailure');
      });
      const outputs = await step(
        'Recovering from it as documented: deploying the production stage',
        async () => {
          await fails(async () => destroy(await ending), protection);
          await task('endProtection');
          return deploy(await first);
        },
      );
      const issued = await step(
        'Issuing keys, a signer and a site key, filling in provider keys',
        async () => {
          await task('fillProviderSecret');
          return issueCredentials(stackName, { cwd: root, env, signal });
        },
      );
      await linting;
      const { port, edgeFile } = emulator;
      const memoryFile = join(folder, 'memory.json');
      return {
        root,
        stack: stackName,
        outputs,
        port,
        edgeFile,
        python: program.python,
        ...fakes,
        ...issued,
        memoryFile,
      };
    },

    async run(first) {
      const { switched, later, ending: left } = walkOf({ ...fakes, ...(await task('makeWorld')) });
      // Made while the first deployment is tested.
      const stopping = assemblyOf(broken, { keepsData: false });
      const switching = assemblyOf(release, switched);
      const faulty = assemblyOf(failing, switched);
      const rotating = assemblyOf(release, rotated);

      await step('Testing it', () =>
        testAll(first, 'e2e/cases', 'deploy/deployed', 'deploy/published', 'deploy/removed'),
      );
      await step('Deriving requests from openapi.json, to a local service', () =>
        test(first, 'deploy/documented'),
      );
      await step('Examining it with the doctor, and after planting faults', () =>
        test(first, 'deploy/doctor'),
      );
      await step('Failing to stop keeping the data, which is rolled back', async () => {
        await fails(async () => deploy(await stopping), new RegExp(plantedFault));
        await test(first, 'deploy/kept');
      });
      const other = {
        ...first,
        keepsData: false,
        outputs: await step('Switching each setting', async () => deploy(await switching)),
      };
      await step('Testing it', () => testAll(other, 'deploy/kept', 'deploy/switched'));
      await step('Deploying a bad version under traffic, which its canary rolls back', async () => {
        const refused = fails(async () => deploy(await faulty), /stopped by alarms/);
        await Promise.all([refused, testAll(other, 'deploy/rolled-back')]);
      });
      await step('Deploying it without traffic, and repairing it while its alarm is on', async () => {
        await deploy(await faulty);
        await Promise.all([deploy(await switching), testAll(other, 'deploy/repaired')]);
      });
      await step('Switching each setting back, and signing with the second keys', async () => {
        const outputs = await deploy(await rotating);
        await testAll({ ...first, outputs }, 'deploy/kept', 'deploy/rotated');
      });

      const following = assemblyOf(next, later);
      const outputs = await step(
        'Deploying the next release, with one more index, a replaced table, and without the first key',
        async () => deploy(await following),
      );
      const ending = assemblyOf(next, left);
      const second = { ...first, outputs };
      await step('Testing it', async () => {
        await test(second, 'deploy/redeployed', 'deploy/removed');
        await testAll(second);
      });
      const kept = await task('keptResources');
      const last = await following;
      await step('Destroying it, which its protection refuses', () => fails(() => destroy(last), protection));
      await step('Destroying it without its protection', async () => {
        await task('endProtection');
        await destroy(last);
      });
      await step('Looking at what is left', () => test(second, 'deploy/destroyed'));

      await step('Bringing what was kept into a new stack', () => importKept(last, kept));
      const third = {
        ...second,
        outputs: await step('Deploying into it', async () => deploy(last)),
      };
      await step('Testing it', async () => {
        await testAll(third, 'deploy/kept');
        await test(third, 'deploy/checked');
      });

      const deleted = await step('Destroying it with its data, as documented', async () => {
        await testAll({ ...third, keepsData: false, outputs: await deploy(await ending) }, 'deploy/kept');
        const all = await task('keptResources');
        await destroy(await ending);
        return all;
      });
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
