/** Installs the programs of the deployment test into caches, where a later run finds them. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../lib/functions/bundle';
import type { Run } from './run';

/** The version of Node.js that runs the functions in AWS. */
const functionNode = '24.21.0';

/** Installs the Python packages of a list into `.cache/`. Returns the Python that has them. */
export async function installPython(run: Run, list: string): Promise<string> {
  const home = join(projectRoot, '.cache', `python-${list}`);
  const python = join(home, 'bin', 'python');
  if (!existsSync(python)) await run('python3', ['-m', 'venv', home]);
  // No package may run code.
  const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
  await run(python, ['-m', 'pip', 'install', ...flags, '-r', join(__dirname, list)]);
  return python;
}

/** Fetches the Node.js of the functions with npm. Returns the folder of the program. */
export async function installNode(run: Run): Promise<string> {
  const node = `node-${process.platform}-${process.arch}@${functionNode}`;
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${node}`, '-c', 'node -p process.execPath'];
  return dirname((await run('npm', args)).trim());
}
