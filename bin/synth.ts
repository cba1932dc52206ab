/** Writes what is worked out from the code and committed for review, or with --check says whether it is current. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stageNames } from '../lib/stage';
import { createCommand, run } from './operator/command';
import { costSheet } from './review/cost-sheet';
import { reviewFile, reviewTemplate } from './review/review-template';

const root = join(__dirname, '..');

function synth(isCheck: boolean): void {
  const files: readonly (readonly [path: string, text: string])[] = [
    ...stageNames.map((stage) => [reviewFile(stage), reviewTemplate(stage)] as const),
    ['docs/cost.md', costSheet()],
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
  if (outdated.length === 0) console.log('The templates and the cost sheet are current.');
  if (isCheck && outdated.length > 0) {
    console.log('Run `npm run synth` and commit what it writes.');
    process.exitCode = 1;
  }
}

run(
  createCommand('synth', {
    summary: 'Write the templates and the cost sheet that are committed for review.',
    program: 'npm run synth --',
    examples: ['--check'],
  })
    .option('--check', 'write nothing, and end with 1 when something is not current')
    .action(({ check }: { readonly check?: boolean }) => synth(check === true)),
);
