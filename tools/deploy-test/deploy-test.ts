/**
 * The deployment test, in an emulated AWS account on this machine. It deploys production, runs the end-to-end
 * table, changes a setting there and back, rolls back a deployment that fails, and destroys the stack. It needs
 * Linux, Python 3.10 or newer, and the package registries at its first run.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProviders } from '../../local/fake-providers/fake-providers';
import { reachAccount } from './account';
import { startEmulator } from './emulator';
import { installNode, installPython } from './install';
import { createRunner } from './run';
import { slotBindings } from './stack';
import { deployFirst, type Steps, serviceSteps, templateSteps } from './steps';

const say = (text: string) => process.stderr.write(`${text}\n`);

async function timePart<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = Date.now();
  const result = await work();
  say(`${title}: ${((Date.now() - startMs) / 1_000).toFixed(1)} s`);
  return result;
}

async function runSteps<World>(steps: Steps<World>, world: World): Promise<void> {
  for (const [title, run] of Object.entries(steps)) await timePart(title, () => run(world));
}

/** Runs the whole test, or throws. @param folder keeps files and logs of the run */
async function testDeployment(folder: string): Promise<void> {
  if (process.platform !== 'linux')
    throw new Error('The deployment test needs Linux: functions run as deployed.');
  const runOutside = createRunner(folder, process.env);
  const python = await timePart('Python packages', () => installPython(runOutside, 'requirements.txt'));
  const samPython = await timePart('SAM', () => installPython(runOutside, 'sam.txt'));
  const nodeFolder = await timePart('Node.js of the functions', () => installNode(runOutside));
  const emulator = await timePart('Emulated account', () => startEmulator(python, nodeFolder, folder));
  const fakes = await startFakeProviders(Object.values(slotBindings));
  try {
    const run = createRunner(folder, reachAccount(emulator, nodeFolder, folder));
    const { certificateFile } = emulator;
    const account = { folder, run, python, samPython, certificateFile, endpoints: fakes.endpoints };
    await runSteps(templateSteps, account);
    await runSteps(serviceSteps, await timePart('Deployment', () => deployFirst(account)));
  } finally {
    await fakes.stop();
    await emulator.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'deployment-test-'));
testDeployment(folder).then(
  () => {
    say('The deployment test has passed.');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  (error: unknown) => {
    process.exitCode = 1;
    say(String((error as Error).stack));
    say(`Logs are in ${folder}`);
  },
);
