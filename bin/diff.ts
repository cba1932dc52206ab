/**
 * Says what a deployment would replace, destroy, add and change, from templates alone: two files, or the committed
 * review templates of a Git revision (`--base`, HEAD by default) against those of the working tree.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { stageNames } from '../lib/stage';
import { reviewFile, reviewTemplate } from './review/review-template';
import { describeChanges, whatChanges } from './review/what-changes';

const root = join(__dirname, '..');
const usage = 'npm run diff -- [<before> <after>] [--base <revision>]';

/** The text of a file at a revision; empty when it was not there yet. */
function atRevision(revision: string, file: string): string {
  const { status, stdout } = spawnSync('git', ['show', `${revision}:${file}`], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : '';
}

const read = (text: string): Record<string, unknown> => parse(text) ?? {};

function main(): string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { base: { type: 'string', default: 'HEAD' } },
  });
  const [before, after, ...more] = positionals;
  if (before !== undefined && after !== undefined && more.length === 0) {
    const [old, young] = [before, after].map((path) => read(readFileSync(path, 'utf8')));
    return describeChanges(`${before} → ${after}`, whatChanges(old ?? {}, young ?? {}));
  }
  if (before !== undefined) throw new Error(`Two templates, or none: ${usage}`);
  return stageNames
    .map((stage) => {
      const old = read(atRevision(values.base, reviewFile(stage)));
      return describeChanges(`Stage ${stage}`, whatChanges(old, read(reviewTemplate(stage))));
    })
    .join('\n');
}

try {
  console.log(main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
