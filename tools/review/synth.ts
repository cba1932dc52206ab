/** `npm run synth`: it writes the templates and documents that follow from the code; `-- --check` checks them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeCostSheet } from './cost-sheet';
import { writeSettingsSheet } from './settings-sheet';
import { nameTemplateFile, synthesizeTemplate, writeTemplate } from './templates';

// `npm run check -- --fix` passes on `--fix`.
const options = { check: { type: 'boolean' }, fix: { type: 'boolean' } } as const;
const { check, fix } = parseArgs({ options }).values;
const isReadOnly = check && !fix;
const templates = { dev: synthesizeTemplate('dev'), prod: synthesizeTemplate('prod') };
const files = {
  [nameTemplateFile('dev')]: writeTemplate(templates.dev),
  [nameTemplateFile('prod')]: writeTemplate(templates.prod),
  'docs/cost.md': writeCostSheet(templates),
  'docs/settings.md': writeSettingsSheet(),
};
for (const [file, text] of Object.entries(files)) {
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isCurrent && isReadOnly) process.exitCode = 1;
  else if (!isCurrent) writeFileSync(file, text);
  const outcome = isReadOnly ? 'is not current: run npm run check -- --fix' : 'written';
  console.log(`${file} ${isCurrent ? 'is current' : outcome}`);
}
