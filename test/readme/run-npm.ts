/** Runs a command of the README in a shell at the project's root, without installing packages. */

import { type ChildProcess, spawn } from 'node:child_process';
import { isInstalled } from '../bin/is-installed';
import { root } from './readme';

let mayRun: boolean | undefined;

/** @throws when a command would install packages first, while other tests run */
function refuseToInstall(): void {
  mayRun ??= isInstalled(root);
  if (!mayRun)
    throw new Error(
      'The installed packages are not those of package-lock.json. Run "npm test", which installs them.',
    );
}

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  /** Waits until it has written something, and gives all it has written there. @throws when it ends before */
  wrote(stream: 'stdout' | 'stderr', words: RegExp): Promise<string>;
  /** Ends it with Ctrl-C, as its user would. */
  stop(): Promise<Ran>;
  readonly ended: Promise<Ran>;
}

/** Colours and the variables of the npm that runs these tests are left out. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|FORCE_COLOR|JEST_|E2E_)/i.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

/** @param line the command with its arguments, quoted as in a shell */
export function start(line: string): Started {
  refuseToInstall();
  // A group of its own, so that Ctrl-C reaches npm, its shell and the program, as it does in a terminal.
  const child: ChildProcess = spawn('sh', ['-c', line], {
    cwd: root,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const look of listeners) look();
    });
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, ...output }));
  });
  return {
    ended,
    wrote: (stream, words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (words.test(output[stream])) resolve(output[stream]);
        };
        listeners.add(look);
        look();
        ended.then(() => reject(new Error(`"${line}" ended and said: ${output.stderr}`)), reject);
      }),
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      return ended;
    },
  };
}

/** Runs a command to its end. */
export function run(line: string): Promise<Ran> {
  return start(line).ended;
}
