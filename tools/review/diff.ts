/** Says what a deployment would replace, destroy, add and change: the committed templates of a Git revision against those of now. */

import { execFileSync } from 'node:child_process';
import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { parse } from 'yaml';
import { createCommand, run } from '../../cli/command';
import { wrongUsage } from '../../cli/failure';
import { stageNames } from '../../lib/stage-settings';
import { templateFile, templateOf, templateText } from './templates';

/** From the most to the least drastic, with what stands before a list of such resources. */
const effects: Partial<Record<ResourceImpact, string>> = {
  [ResourceImpact.WILL_DESTROY]: 'Destroyed',
  [ResourceImpact.WILL_REPLACE]: 'Replaced',
  [ResourceImpact.MAY_REPLACE]: 'Perhaps replaced',
  [ResourceImpact.WILL_ORPHAN]: 'Left alone, outside the stack',
  [ResourceImpact.WILL_CREATE]: 'Added',
  [ResourceImpact.WILL_UPDATE]: 'Changed',
};

/** The text of a committed template at a revision; empty when it was not there yet. */
function templateAt(revision: string, file: string): Record<string, unknown> {
  try {
    const text = execFileSync('git', ['show', `${revision}:${file}`], { encoding: 'utf8', stdio: 'pipe' });
    return parse(text) ?? {};
  } catch (error) {
    if (/invalid object name|bad revision/.test(String(error)))
      throw wrongUsage(`--base takes a Git revision, and there is no ${revision}.`);
    return {};
  }
}

/** The changes as Markdown under a title. */
function describe(title: string, before: Record<string, unknown>, after: Record<string, unknown>): string {
  const lines = new Map(Object.keys(effects).map((impact) => [impact, [] as string[]]));
  fullDiff(before, after).resources.forEachDifference((id, difference) => {
    const type = difference.newResourceType ?? difference.oldResourceType;
    const properties = difference.isUpdate ? Object.keys(difference.propertyUpdates).join(', ') : '';
    lines.get(difference.changeImpact)?.push(`- \`${id}\` (${type})${properties && `: ${properties}`}`);
  });
  const sections = [...lines].flatMap(([impact, found]) =>
    found.length === 0 ? [] : [`**${effects[impact as ResourceImpact]}**`, '', ...found.sort(), ''],
  );
  return [`### ${title}`, '', ...(sections.length > 0 ? sections : ['Nothing changes.', ''])].join('\n');
}

run(
  createCommand('diff', {
    summary: 'Show what a deployment would replace, destroy, add and change, from templates alone.',
    program: 'npm run diff --',
    examples: ['--base origin/main'],
  })
    .option('--base <REVISION>', 'Git revision of the committed templates', 'HEAD')
    .action(({ base }: { readonly base: string }) => {
      for (const name of stageNames)
        console.log(
          describe(
            `Stage ${name}`,
            templateAt(base, templateFile(name)),
            parse(templateText(templateOf(name))),
          ),
        );
    }),
);
