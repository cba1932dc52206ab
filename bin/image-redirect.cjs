#!/usr/bin/env node
// The command line tool of the project: `npm run image-redirect -- --help`. A CommonJS script, so that the variables are set
// before anything starts libuv's threads.
const { availableParallelism } = require('node:os');
const { installWhatIsMissing } = require('./install.cjs');

installWhatIsMissing();
// Drawing shares these threads with the file system, whatever the number of cores.
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4);
// The AWS SDK announces on every start that it will leave Node.js 20.
process.removeAllListeners('warning');

// A script of npm ends with npm, which passes on no signal when it is killed.
if (process.env.npm_lifecycle_event !== undefined) {
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && process.kill(process.pid, 'SIGTERM'), 1_000).unref();
}

require('./typescript.cjs');
require('./image-redirect.ts');
