/** Deploys to an emulated AWS account and tests what was deployed: `npm run test:deploy`, with `-- --keep` to try it by hand. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand, run } from '../../cli/command';
import { outputs } from '../../lambda/contract/outputs';
import { serveFakeProvider } from '../../local/fake-providers/fake-provider';
import { type StartedFakeProviders, startFakeProviders } from '../../local/fake-providers/start';
import type { Listening } from '../../local/http';
import { deploymentTest } from './deploy-and-destroy';
import { type Emulator, startEmulator } from './emulator';
import { emulatorProgram } from './emulator-program';
import type { DeploymentFacts } from './facts';
import { fakeGenerator } from './fake-generator';
import { notCovered } from './not-covered';
import { DeploymentTestFailure } from './run-program';
import { boundProviders } from './stage-settings';

const say = (text: string) => process.stderr.write(`${text}\n`);

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = Date.now();
  say(`${name} …`);
  const result = await work();
  // With its name, as steps may run beside each other.
  say(`  done in ${((Date.now() - startMs) / 1_000).toFixed(1)} s: ${name}`);
  return result;
}

/** Aborted by Ctrl-C, SIGTERM, or the end of the parent process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  const end = () => controller.abort();
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  setInterval(() => process.ppid !== parent && end(), 1_000).unref();
  return controller.signal;
}

async function main(isKept: boolean): Promise<void> {
  const root = join(__dirname, '..', '..');
  const signal = interruption();
  // Ends what still runs beside the steps when one of them fails.
  const end = new AbortController();
  const limits = notCovered(root);
  const folder = mkdtempSync(join(tmpdir(), 'deployment-test-'));
  let emulator: Emulator | undefined;
  let fakeProviders: StartedFakeProviders | undefined;
  let generator: Listening | undefined;
  let isFailed = false;
  try {
    const program = await step('Getting the emulated account and Node.js 24', () =>
      emulatorProgram(root, join(folder, 'programs.log'), signal),
    );
    emulator = await step('Starting it', () => startEmulator(program, folder, signal));
    fakeProviders = await startFakeProviders(boundProviders);
    generator = await serveFakeProvider(fakeGenerator);
    const { open, run: test } = deploymentTest({
      root,
      folder,
      emulator,
      program,
      fakes: { fakeProviders: fakeProviders.endpoints, modelUrl: generator.url },
      signal: AbortSignal.any([signal, end.signal]),
      step,
    });
    const facts = await open();
    if (isKept) await keep(facts, emulator, signal);
    else {
      await test(facts);
      say(
        `\nThe deployment test has passed. Not covered:\n${limits.map((each) => `  - ${each}\n`).join('')}`,
      );
    }
  } catch (error) {
    isFailed = !signal.aborted;
    process.exitCode = 1;
    if (!isFailed) say('\nInterrupted.');
    else {
      say(`\n${error instanceof DeploymentTestFailure ? error.message : (error as Error).stack}`);
      say(`\nLogs are in ${folder}`);
    }
  } finally {
    end.abort();
    await fakeProviders?.stop();
    await generator?.stop();
    await emulator?.stop();
    if (!isFailed) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function keep(
  { outputs: deployed, keys }: DeploymentFacts,
  { port, certificateFile }: Emulator,
  signal: AbortSignal,
): Promise<void> {
  say(`
The service is deployed until Ctrl-C. Its image, and the same with a key:
  curl --cacert ${certificateFile} --connect-to ::127.0.0.1:${port} -i '${deployed[outputs.tryIt]}'
  curl --cacert ${certificateFile} --connect-to ::127.0.0.1:${port} -i -H 'X-API-Key: ${keys.pro.key}' '${deployed[outputs.tryIt]}'
Other programs reach the account with these variables:
  AWS_ENDPOINT_URL=https://127.0.0.1:${port} AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
  AWS_CA_BUNDLE=${certificateFile} NODE_EXTRA_CA_CERTS=${certificateFile}`);
  const busy = setInterval(() => undefined, 60_000);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearInterval(busy);
}

run(
  createCommand('test:deploy', {
    summary: 'Deploy the service to an emulated AWS account on this machine, test it there and remove it.',
    program: 'npm run test:deploy --',
    examples: ['--keep'],
  })
    .option('--keep', 'stop after the first deployment, and keep it until Ctrl-C')
    .action(({ keep: isKept }: { readonly keep?: boolean }) => main(isKept === true)),
);
