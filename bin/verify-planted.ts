/** Plants each known bug alone and runs the test that must fail with it; exits 1 when one passes. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlantedBug, plantedBugs } from '../test/planted/planted-bugs';
import { createCommand, run } from './operator/command';

const root = join(__dirname, '..');
const jest = join(root, 'node_modules/jest/bin/jest.js');

/** How many tests of the bug's file failed with it, and what jest printed. */
function runWith({ test, ...change }: PlantedBug): { readonly failed: number; readonly output: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [jest, '--config', 'jest.planted.config.cjs', '--runTestsByPath', test, '--maxWorkers=1', '--json'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64_000_000,
      env: { ...process.env, PLANTED_BUG: JSON.stringify(change) },
    },
  );
  try {
    const { numFailedTests } = JSON.parse(stdout) as { readonly numFailedTests: number };
    return { failed: numFailedTests, output: stderr };
  } catch {
    return { failed: 0, output: stderr };
  }
}

const planted = createCommand('verify --planted', {
  summary: 'Plant each known bug alone, and see that its test fails.',
  program: 'npm run verify -- --planted',
  examples: ['--only expiry'],
})
  .option('--only <WORD>', 'bugs whose name contains this')
  .action(({ only }: { readonly only?: string }) => {
    for (const bug of plantedBugs.filter(({ name }) => only === undefined || name.includes(only))) {
      const isThere = readFileSync(join(root, bug.file), 'utf8').includes(bug.find);
      const { failed, output } = isThere ? runWith(bug) : { failed: 0, output: 'The source has changed.' };
      console.log(`${failed > 0 ? ' ' : '!'} ${bug.name}: ${failed} failed in ${bug.test}`);
      if (failed > 0) continue;
      process.exitCode = 1;
      console.log(output.split('\n').slice(-30).join('\n'));
    }
  });

run(planted);
