/** The programs of the deployment test. They are installed into caches, where a later run finds them. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../lib/functions/bundle';
import type { Run } from './run';

/** The version of Node.js that runs the functions in AWS. */
const functionNode = '24.21.0';

/** Installs the Python packages of a list into `.cache/` once. Returns the Python that has them. */
export async function installPython(run: Run, list: string): Promise<string> {
  const requirements = join(__dirname, list);
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(projectRoot, '.cache', `python-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    mkdirSync(dirname(draft), { recursive: true });
    await run('python3', ['-m', 'venv', draft]);
    // Scripts in it name the draft folder, but the test calls only its Python. No package may run code.
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(join(draft, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, '-r', requirements]);
    renameSync(draft, home);
  }
  return join(home, 'bin', 'python');
}

/** Fetches the Node.js of the functions with npm. Returns the folder of the program. */
export async function installNode(run: Run): Promise<string> {
  const node = `node-${process.platform}-${process.arch}@${functionNode}`;
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${node}`, '-c', 'node -p process.execPath'];
  return dirname((await run('npm', args)).trim());
}
