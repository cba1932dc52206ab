/** The command line tool as the bundle that its launcher makes and keeps. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(__dirname, '../../bin/launch/build-program.mjs');

let program: Promise<string> | undefined;

/** The file to be run in place of `bin/image-redirect.ts`; @throws with what esbuild says of an error in the sources */
export function builtProgram(): Promise<string> {
  program ??= promisify(execFile)(process.execPath, ['--no-warnings', script]).then(({ stdout }) =>
    stdout.trimEnd(),
  );
  return program;
}
