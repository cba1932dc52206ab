/**
 * `npm run test:deploy`: it tests deployments in an emulated AWS account on this machine. It deploys production, runs
 * the end-to-end table, changes a setting there and back, rolls back a deployment that fails, and destroys the stack.
 * It needs Linux, Python 3.10 or newer, and the package registries at its first run.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProviders } from '../../local/fake-providers/fake-providers';
import { reachAccount } from './account';
import { startEmulator } from './emulator';
import { installNode, installPython } from './install';
import { createRunner } from './run';
import { deployFirst, type Steps, serviceSteps, slotBindings, templateSteps } from './steps';

const print = (text: string) => process.stderr.write(`${text}\n`);

/** Announces a part of the test, and runs it. */
async function runPart<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  print(title);
  return work();
}

async function runSteps<World>(steps: Steps<World>, world: World): Promise<void> {
  for (const [title, run] of Object.entries(steps)) await runPart(title, () => run(world));
}

/** Runs the whole test, or throws. @param folder keeps files and logs of the run */
async function testDeployment(folder: string): Promise<void> {
  if (process.platform !== 'linux')
    throw new Error('The deployment test needs Linux: functions run as deployed.');
  const run = createRunner(folder);
  const python = await runPart('Python packages', () => installPython(run, 'requirements.txt'));
  const samPython = await runPart('SAM', () => installPython(run, 'sam.txt'));
  const nodeFolder = await runPart('Node.js of the functions', () => installNode(run));
  const emulator = await runPart('Emulated account', () => startEmulator(python, nodeFolder, folder));
  const fakes = await startFakeProviders(Object.values(slotBindings));
  try {
    reachAccount(emulator, nodeFolder, folder);
    const { certificateFile } = emulator;
    const account = { folder, run, python, samPython, certificateFile, endpoints: fakes.endpoints };
    await runSteps(templateSteps, account);
    await runSteps(serviceSteps, await runPart('Deployment', () => deployFirst(account)));
  } finally {
    await fakes.stop();
    await emulator.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'deployment-test-'));
testDeployment(folder).then(
  () => {
    print('The deployment test has passed.');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  (error: unknown) => {
    process.exitCode = 1;
    print(String((error as Error).stack));
    print(`Logs are in ${folder}`);
  },
);
