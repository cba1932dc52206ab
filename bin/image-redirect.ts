/** Runs the command line tool of the project: `npm run image-redirect -- --help`. */

import { runCommandLine } from '../cli/command';
import { createTool } from '../cli/image-redirect';

// The tool ends with the npm that started it, because a killed npm passes on no signal.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && process.kill(process.pid, 'SIGTERM'), 1_000).unref();
}

// The program that reads the output may end first, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const args = process.argv.slice(2);
void createTool(args).then((tool) => runCommandLine(tool, args));
