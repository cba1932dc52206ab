/** `npm run synth`: it writes the templates and documents that follow from the code, or checks them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createCommand, runProgram } from '../../cli/command';
import { writeCostSheet } from './cost-sheet';
import { writeSettingsSheet } from './settings-sheet';
import { nameTemplateFile, synthesizeTemplate, writeTemplate } from './templates';

function synth({ check, fix }: { readonly check?: true; readonly fix?: true }): void {
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
    console.log(
      `${file} ${isCurrent ? 'is current' : isReadOnly ? 'is not current: run npm run check -- --fix' : 'written'}`,
    );
  }
}

runProgram(
  createCommand('synth', {
    summary: 'Write the templates, the cost sheet and the reference of the settings, which are committed.',
    program: 'npm run synth --',
    examples: ['--check'],
  })
    .option('--check', 'write nothing, and end with 1 when something is not current')
    .option('--fix', 'write all the same: "npm run check -- --fix" passes it on')
    .action(synth),
);
