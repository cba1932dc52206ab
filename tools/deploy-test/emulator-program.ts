/** Finds or makes what the deployment test runs on: MiniStack, cfn-lint, c2pa-python and Schemathesis, each in a Python environment of its own, and the functions' Node.js. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeploymentTestFailure, runProgram } from './run-program';

// With all that they need in the requirement files beside this one: uv pip compile --generate-hashes --universal.
const ministackVersion = '1.5.33';
const linterVersion = '1.58.0';
const manifestReaderVersion = '0.38.1';
const schemathesisVersion = '4.30.1';
const isPython = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** Absolute paths of what was installed. */
export interface EmulatorProgram {
  /** Python with MiniStack. */
  readonly python: string;
  /** Python with cfn-lint, CloudFormation's own linter. */
  readonly linterPython: string;
  /** Python with c2pa-python, which reads the manifests of AI images by an implementation that is not ours. */
  readonly manifestPython: string;
  /** Python with Schemathesis, which derives requests from an OpenAPI document. */
  readonly schemathesisPython: string;
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
  const python = await pythonWith('ministack', ministackVersion, options);
  const linterPython = await pythonWith('cfn-lint', linterVersion, options);
  const manifestPython = await pythonWith('c2pa-python', manifestReaderVersion, options);
  const schemathesisPython = await pythonWith('schemathesis', schemathesisVersion, options);
  const path = await runProgram(
    'npm',
    ['run', '--silent', 'node24', '--', '-p', 'process.execPath'],
    options,
  );
  return { python, linterPython, manifestPython, schemathesisPython, nodeFolder: dirname(path.trim()) };
}

/** The interpreter of an environment that holds one package. */
async function pythonWith(
  name: string,
  version: string,
  options: Parameters<typeof runProgram>[2],
): Promise<string> {
  const home = join(options.cwd, '.cache', `${name}-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(join(options.cwd, '.cache'), { recursive: true });
    await runProgram(await systemPython(options), ['-m', 'venv', draft], options);
    // Scripts in it name the draft, but only its Python is called, which finds its packages from where it lies.
    // Every package by its hash, and none that would run a script to be installed.
    const flags = [
      '--quiet',
      '--disable-pip-version-check',
      '--no-input',
      '--require-hashes',
      '--only-binary=:all:',
    ];
    await runProgram(
      join(draft, 'bin', 'python'),
      ['-m', 'pip', 'install', ...flags, '--requirement', join(__dirname, `${name}.txt`)],
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
