/** Prints the modelled measurement, or the one on recorded answers: `npx tsx tools/relevance/run.ts --help`. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, run } from '../../cli/command';
import { wrongUsage } from '../../cli/failure';
import { keyVariableOf } from '../../lambda/contract/providers';
import { measureRecorded, recordedReport } from './recorded';
import { relevancePage } from './report';

function printModelled(isRecording: boolean): void {
  const page = relevancePage();
  process.stdout.write(page);
  if (isRecording) writeFileSync(join(__dirname, '../../docs/relevance.md'), page);
}

async function printRecorded(from: string, isRecording: boolean): Promise<void> {
  mkdirSync(from, { recursive: true });
  const { CONTACT: contact, PROVIDER_ENDPOINTS: endpoints = '{}' } = process.env;
  if (isRecording && !contact)
    throw wrongUsage('Set CONTACT to an e-mail address or a URL: providers want to know who asks.');
  const recorder = {
    nowMs: Date.now,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    contact: contact ?? '',
    endpoints: JSON.parse(endpoints),
    keyOf: (provider: string) => process.env[keyVariableOf(provider)] ?? '',
  };
  const measured = await measureRecorded(from, isRecording ? recorder : undefined);
  const last = join(from, 'picks.json');
  const before = existsSync(last) ? JSON.parse(readFileSync(last, 'utf8')) : [];
  process.stdout.write(recordedReport(measured, before));
  writeFileSync(last, `${JSON.stringify(measured.picks, null, 1)}\n`);
}

run(
  createCommand('relevance', {
    summary: 'Measure how well the selected images fit: modelled, or on the recorded answers of a folder.',
    program: 'npx tsx tools/relevance/run.ts',
    examples: ['', 'FOLDER', 'FOLDER --record'],
  })
    .argument('[FOLDER]', 'recorded answers of Openverse and Wikimedia Commons')
    .option('--record', 'write docs/relevance.md; with a folder, ask the providers for missing answers first')
    .action(async (folder: string | undefined, { record = false }: { readonly record?: boolean }) =>
      folder === undefined ? printModelled(record) : printRecorded(folder, record),
    ),
);
