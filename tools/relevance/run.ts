/**
 * `npm run relevance`: prints the modelled measurement; with `-- --record` writes it to docs/relevance.md.
 * `npm run relevance -- FOLDER`: measures with recorded answers; with `--record` asks the providers for missing ones first.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyVariableOf } from '../../lambda/contract/providers';
import { measureRecorded, recordedReport } from './recorded';
import { relevancePage } from './report';

const isRecording = process.argv.includes('--record');
const folder = process.argv.slice(2).find((word) => !word.startsWith('--'));

function printModelled(): void {
  const page = relevancePage();
  process.stdout.write(page);
  if (isRecording) writeFileSync(join(__dirname, '../../docs/relevance.md'), page);
}

async function printRecorded(from: string): Promise<void> {
  mkdirSync(from, { recursive: true });
  const { CONTACT: contact, PROVIDER_ENDPOINTS: endpoints = '{}' } = process.env;
  if (isRecording && !contact)
    throw new Error('Set CONTACT to an e-mail address or a URL: providers want to know who asks.');
  const recorder = {
    nowMs: Date.now,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    contact: contact ?? '',
    endpoints: JSON.parse(endpoints),
    keyOf: (provider: string) => process.env[keyVariableOf(provider)] ?? '',
  };
  const run = await measureRecorded(from, isRecording ? recorder : undefined);
  const last = join(from, 'picks.json');
  const before = existsSync(last) ? JSON.parse(readFileSync(last, 'utf8')) : [];
  process.stdout.write(recordedReport(run, before));
  writeFileSync(last, `${JSON.stringify(run.picks, null, 1)}\n`);
}

if (folder === undefined) printModelled();
else
  printRecorded(folder).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
