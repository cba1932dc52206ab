/** Finds or makes what the deployment test runs on: a Python environment with MiniStack, cfn-lint, c2pa-python and Schemathesis, and the functions' Node.js. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeploymentTestFailure, runProgram } from './run-program';

const requirements = join(__dirname, 'requirements.txt');
/** The Node.js that the functions run on in AWS. */
const functionNode = '24.21.0';
const isPython = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** Absolute paths of what was installed. */
export interface EmulatorProgram {
  /** Python with the packages of `requirements.txt`. */
  readonly python: string;
  /** Folder of the Node.js that the functions run on in AWS. */
  readonly nodeFolder: string;
}

/**
 * Both are kept in `.cache/`; the first time they come from the package registries.
 * @throws `DeploymentTestFailure` that says what is needed
 */
export async function emulatorProgram(
  root: string,
  logFile: string,
  signal: AbortSignal,
): Promise<EmulatorProgram> {
  if (process.platform !== 'linux')
    throw new DeploymentTestFailure(
      'The deployment test needs Linux: the emulated account runs the functions as they are deployed, with native code for it.',
    );
  const options = { cwd: root, env: process.env, signal, log: { file: logFile } };
  const python = await pythonWithPackages(options);
  const node = `node-${process.platform}-${process.arch}@${functionNode}`;
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${node}`, '-c', 'node -p process.execPath'];
  const path = await runProgram('npm', args, options);
  return { python, nodeFolder: dirname(path.trim()) };
}

/** The interpreter of an environment with the required packages. */
async function pythonWithPackages(options: Parameters<typeof runProgram>[2]): Promise<string> {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(options.cwd, '.cache', `python-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(join(options.cwd, '.cache'), { recursive: true });
    await runProgram(await systemPython(options), ['-m', 'venv', draft], options);
    // Scripts in it name the draft, but only its Python is called, which finds its packages from where it lies.
    // No package runs a script to be installed.
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await runProgram(
      join(draft, 'bin', 'python'),
      ['-m', 'pip', 'install', ...flags, '--requirement', requirements],
      options,
    );
    renameSync(draft, home);
  }
  return join(home, 'bin', 'python');
}

async function systemPython(options: Parameters<typeof runProgram>[2]): Promise<string> {
  for (const name of ['python3', 'python']) {
    const isUsable = await runProgram(name, ['-c', isPython], options).then(
      () => true,
      () => false,
    );
    options.signal.throwIfAborted();
    if (isUsable) return name;
  }
  throw new DeploymentTestFailure(
    'The deployment test needs Python 3.10 or newer with its venv module (on Debian: python3 and python3-venv), for the emulated AWS account. Nothing else here does.',
  );
}
