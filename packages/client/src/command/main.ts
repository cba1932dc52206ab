#!/usr/bin/env node
/** The program `image-redirect-pages`. */

import { run } from './run';

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
