/** The command line tool as the bundle that its launcher makes and keeps. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keptByWorker } from './kept-by-worker';

const script = join(__dirname, '../../bin/launch/build-program.mjs');

/** The file to be run in place of `bin/image-redirect.ts`; @throws with what esbuild says of an error in the sources */
export function builtProgram(): Promise<string> {
  return keptByWorker('built program', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
    return stdout.trimEnd();
  });
}
