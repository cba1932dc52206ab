/** Writes what is worked out from the code and committed for review, or with --check says whether it is current. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, run } from '../../cli/command';
import { stageNames } from '../../lib/stage-settings';
import { costSheet } from './cost-sheet';
import { settingsSheet } from './settings-sheet';
import { templateFile, templateOf, templateText } from './templates';

const root = join(__dirname, '../..');

function synth(isCheck: boolean): void {
  const templates = stageNames.map((name) => [name, templateOf(name)] as const);
  const files: readonly (readonly [path: string, text: string])[] = [
    ...templates.map(([name, template]) => [templateFile(name), templateText(template)] as const),
    ['docs/cost.md', costSheet(Object.fromEntries(templates))],
    ['docs/settings.md', settingsSheet()],
  ];
  const outdated = files.filter(
    ([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text,
  );
  for (const [file, text] of outdated) {
    if (!isCheck) writeFileSync(join(root, file), text);
    console.log(`${file} ${isCheck ? 'is not current: run `npm run synth` and commit it' : 'written'}`);
  }
  if (outdated.length === 0) console.log('The templates, the cost sheet and the settings are current.');
  else if (isCheck) process.exitCode = 1;
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
