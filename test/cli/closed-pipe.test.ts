/** The tool ends quietly when the program that reads its output has read enough. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';

const tool = join(__dirname, '../../bin/image-redirect.cjs');

test('a closed pipe ends the tool without a stack trace', async () => {
  const child = spawn(process.execPath, [tool, 'keys', '--help'], {
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
