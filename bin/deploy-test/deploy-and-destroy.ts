/** The deployment test from the first deployment to the last: deploys, issues keys, tests, deploys anew and destroys. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputs as names } from '../../lambda/contract/outputs';
import { accountEnvironment } from './account';
import { type Cloud, cloud, type StackOutputs, stackName } from './cloud';
import type { Emulator } from './emulator';
import { type DeploymentFacts, factsVariable } from './facts';
import { type IssuedKey, keysTool } from './operator';
import { copyRelease, makeNextRelease } from './releases';
import { DeploymentTestFailure, runProgram } from './run-program';
import { stageSettings } from './stage-settings';

export interface Surroundings {
  readonly root: string;
  /** For everything that the deployment test writes. */
  readonly folder: string;
  readonly emulator: Emulator;
  /** Of the Node.js that everything runs on. */
  readonly nodeFolder: string;
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
  nodeFolder,
  fakeProviders,
  signal,
  step,
}: Surroundings): DeploymentTest {
  const env = accountEnvironment(emulator, nodeFolder, folder);
  const log = { file: join(folder, 'programs.log') };
  const options = { cwd: root, env, signal, log };
  const release = join(folder, 'release');
  const { bootstrap, deploy, destroy }: Cloud = cloud(root, folder, stageSettings(fakeProviders), options);
  const script = (name: string) =>
    runProgram('node', ['--import', 'tsx', `bin/deploy-test/${name}.ts`, stackName], options);

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
      await step('Bootstrapping the account', bootstrap);
      const outputs = await step('Deploying the production stage', () => deploy(release));
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
      makeNextRelease(release);
      const outputs: StackOutputs = await step('Deploying the next release, with one more index', () =>
        deploy(release),
      );
      const second = { ...first, outputs };
      await step('Testing it', () => test(second, ['test/deploy/redeployed.test.ts']));
      await step('Destroying it, which its protection refuses', () => refused(destroy));
      await step('Destroying it without its protection', async () => {
        await script('end-protection');
        await destroy();
      });
      await step('Looking at what is left', () => test(second, ['test/deploy/destroyed.test.ts']));
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

async function refused(work: () => Promise<void>): Promise<void> {
  const failure = await work().then(
    () => new DeploymentTestFailure('The stack was destroyed although it is protected.'),
    (error: Error) => (/termination ?protection/i.test(error.message) ? undefined : error),
  );
  if (failure) throw failure;
}
