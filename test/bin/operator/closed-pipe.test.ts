/** The tool ends quietly when the program that reads its output has read enough. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const tsx = pathToFileURL(require.resolve('tsx')).href;
const file = resolve(__dirname, '../../../bin/image-redirect.ts');

test('a closed pipe ends the tool without a stack trace', async () => {
  const child = spawn(process.execPath, ['--no-warnings', '--import', tsx, file, 'keys', '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exitCode = await new Promise((ended) => child.on('close', ended));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}, 30_000);
