/** Writes what is worked out from the code and committed for review, or with --check says whether it is current. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCommand, run } from '../../cli/command';
import { type StageName, stageNames } from '../../lib/stage-settings';
import { costSheet } from './cost-sheet';
import { type BilledResources, billedResourcesOf } from './fixed-costs';
import { reviewFile, reviewTemplate, stageTemplate } from './review-template';
import { settingsSheet } from './settings-sheet';

const root = join(__dirname, '..', '..');

function synth(isCheck: boolean): void {
  const billed = Object.fromEntries(
    stageNames.map((name) => [name, billedResourcesOf(stageTemplate(name))]),
  ) as Record<StageName, BilledResources>;
  const files: readonly (readonly [path: string, text: string])[] = [
    ...stageNames.map((name) => [reviewFile(name), reviewTemplate(name)] as const),
    ['docs/cost.md', costSheet(billed)],
    ['docs/settings.md', settingsSheet()],
  ];

  const outdated = files.filter(([file, text]) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });

  for (const [file, text] of outdated) {
    const path = join(root, file);
    if (!isCheck) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    console.log(`${file} ${isCheck ? 'is not current' : 'written'}`);
  }
  if (outdated.length === 0) console.log('The templates, the cost sheet and the settings are current.');
  if (isCheck && outdated.length > 0) {
    console.log('Run `npm run synth` and commit what it writes.');
    process.exitCode = 1;
  }
}

run(
  createCommand('synth', {
    summary: 'Write the templates, the cost sheet and the reference of the settings, which are committed.',
    program: 'npm run synth --',
    examples: ['--check'],
  })
    .option('--check', 'write nothing, and end with 1 when something is not current')
    .action(({ check }: { readonly check?: boolean }) => synth(check === true)),
);
