/**
 * Says what a deployment would replace, destroy, add and change, from templates alone: two files, or the committed
 * review templates of a Git revision (`--base`, HEAD by default) against those of the working tree.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createCommand, run } from '../../cli/command';
import { wrongUsage } from '../../cli/failure';
import { stageNames } from '../../lib/stage-settings';
import { normalise } from './normalise';
import { reviewFile, stageTemplate } from './review-template';
import { describeChanges, whatChanges } from './what-changes';

const root = join(__dirname, '..', '..');

/** The text of a file at a revision; empty when it was not there yet. */
function atRevision(revision: string, file: string): string {
  const { status, stdout } = spawnSync('git', ['show', `${revision}:${file}`], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : '';
}

const read = (text: string): Record<string, unknown> => parse(text) ?? {};

/** The file of a stage's template at a revision against that of the working tree. */
function describeStages(base: string): string {
  return stageNames
    .map((stage) => {
      const old = read(atRevision(base, reviewFile(stage)));
      return describeChanges(`Stage ${stage}`, whatChanges(old, read(normalise(stageTemplate(stage)))));
    })
    .join('\n');
}

function describeFiles(before: string, after: string): string {
  const [old, young] = [before, after].map((path) => read(readFileSync(path, 'utf8')));
  return describeChanges(`${before} → ${after}`, whatChanges(old ?? {}, young ?? {}));
}

run(
  createCommand('diff', {
    summary: 'Show what a deployment would replace, destroy, add and change, from templates alone.',
    program: 'npm run diff --',
    examples: ['--base origin/main', 'before.yaml after.yaml'],
  })
    .argument('[BEFORE]', 'a template (default: the committed one of each stage)')
    .argument('[AFTER]', 'the template to compare it with (default: that of the working tree)')
    .option('--base <REVISION>', 'Git revision of the committed templates', 'HEAD')
    .action((before: string | undefined, after: string | undefined, { base }: { readonly base: string }) => {
      if (before !== undefined && after === undefined) throw wrongUsage('Name two templates, or none.');
      console.log(
        before === undefined || after === undefined ? describeStages(base) : describeFiles(before, after),
      );
    }),
);
