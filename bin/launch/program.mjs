// Runs a program in this process's place: it gets the signals, and its exit code is passed on.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { builtProgram, bundledProgram, keepBundle, variablesOf } from './built-program.mjs';
import { root } from './root.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** How often npm is looked for, in milliseconds. */
const parentCheckMs = 1_000;

/** What Node.js runs for a file of the project, and the variables that it does so with. */
function scriptFor(program) {
  const built = program === bundledProgram ? builtProgram() : undefined;
  if (built !== undefined) {
    keepBundle(built);
    return { script: ['--enable-source-maps', built], variables: variablesOf(built) };
  }
  const loader = program.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
  return { script: [...loader, join(root, program)], variables: {} };
}

/**
 * @param program a file of the project (`.ts`, `.mjs`), a tool that one of its packages brings, such as `jest`, or any
 *   other command
 * @param node path of the Node.js to run it on
 */
export function runProgram(program, args, node = process.execPath) {
  const isScript = /\.(ts|mjs)$/.test(program);
  const { script, variables } = isScript ? scriptFor(program) : {};
  const [command, ...words] = script ? [node, '--no-warnings', ...script, ...args] : [program, ...args];
  // What a tool starts runs on the same version.
  const folder = node === process.execPath ? [] : [dirname(node)];
  const child = spawn(command, words, {
    // A script of ours sees by the channel when this process is gone without having passed on a signal.
    stdio: isScript ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: {
      ...variables,
      ...process.env,
      // The AWS SDK announces on every start that it will leave Node.js 20.
      NODE_NO_WARNINGS: '1',
      // Drawing shares these threads with the file system, whatever the number of cores.
      UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 4),
      PATH: [join(root, 'node_modules', '.bin'), ...folder, process.env.PATH].join(delimiter),
    },
    // A tool is a command file on Windows, which only a shell can run.
    shell: !isScript && process.platform === 'win32',
  });
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  // npm holds no channel to this process. A shell is not looked for: what it has started may outlive it (nohup).
  if (process.env.npm_lifecycle_event !== undefined) {
    const npm = process.ppid;
    setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), parentCheckMs).unref();
  }
  child.on('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exit(code);
    // Ended by a signal, and so does this process.
    for (const each of forwarded) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}
