/**
 * Says what a deployment would replace, destroy, add and change, and what that means for data, URLs and requests, from
 * templates alone: two files, a stage with other settings (`-c`), or the committed review templates of a Git revision
 * (`--base`, HEAD by default) against those of the working tree.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { parse } from 'yaml';
import { createCommand, run } from '../../cli/command';
import { configuredStage } from '../../cli/doctor/doctor';
import { wrongUsage } from '../../cli/failure';
import { stageNames } from '../../lib/stage-settings';
import { consequencesOf } from './consequences';
import { normalise, reviewed, reviewedNames, reviewFile, stageTemplate } from './review-template';
import { describeChanges, whatChanges } from './what-changes';

const root = join(__dirname, '..', '..');

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** The text of a file at a revision; empty when it was not there yet. */
function atRevision(revision: string, file: string): string {
  const { status, stdout } = git('show', `${revision}:${file}`);
  return status === 0 ? stdout : '';
}

const read = (text: string): Record<string, unknown> => parse(text) ?? {};

function describe(title: string, before: object, after: object): string {
  const [old, young] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const changes = whatChanges(old, young);
  return describeChanges(title, changes, consequencesOf(old, young, changes));
}

/** The committed templates at a revision against those of the working tree. */
function describeStages(base: string): string {
  if (git('rev-parse', '--verify', '--quiet', `${base}^{commit}`).status !== 0)
    throw wrongUsage(`--base takes a Git revision, and there is no ${base}.`);
  return reviewedNames
    .map((name) => {
      const title = name === 'everything' ? 'Everything switched on' : `Stage ${name}`;
      const young = read(normalise(stageTemplate(reviewed[name])));
      return describe(title, read(atRevision(base, reviewFile(name))), young);
    })
    .join('\n');
}

/** A stage as cdk.json has it against the same with other settings. @param given `NAME=VALUE` each */
function describeSettings(stage: string, given: readonly string[]): string {
  const templateOf = (settings: readonly string[]) => stageTemplate(configuredStage(stage, settings));
  return describe(`Stage ${stage} with ${given.join(', ')}`, templateOf([]), templateOf(given));
}

function describeFiles(before: string, after: string): string {
  const [old, young] = [before, after].map((path) => {
    if (!existsSync(path)) throw wrongUsage(`There is no file ${path}.`);
    return read(readFileSync(path, 'utf8'));
  });
  return describe(`${before} → ${after}`, old ?? {}, young ?? {});
}

interface DiffOptions {
  readonly base: string;
  readonly stage: string;
  readonly context?: readonly string[];
}

run(
  createCommand('diff', {
    summary: 'Show what a deployment would replace, destroy, add and change, from templates alone.',
    program: 'npm run diff --',
    examples: ['--base origin/main', '--stage prod -c edge=true', 'before.yaml after.yaml'],
  })
    .argument('[BEFORE]', 'a template (default: the committed one of each stage)')
    .argument('[AFTER]', 'the template to compare it with (default: that of the working tree)')
    .option('--base <REVISION>', 'Git revision of the committed templates', 'HEAD')
    .option('-c, --context <NAME=VALUE...>', 'settings to compare with those of the stage in cdk.json')
    .addOption(new Option('--stage <NAME>', 'the stage of these settings').choices(stageNames).default('dev'))
    .action(
      (before: string | undefined, after: string | undefined, { base, stage, context }: DiffOptions) => {
        if (before !== undefined && after === undefined) throw wrongUsage('Name two templates, or none.');
        if (before !== undefined && after !== undefined) console.log(describeFiles(before, after));
        else console.log(context ? describeSettings(stage, context) : describeStages(base));
      },
    ),
);
