/** Installs the programs of the deployment test into caches, where a later run finds them. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../lib/functions/bundle';
import type { Run } from './run';

/** Version of the Node.js that the functions run on in AWS. */
const functionNode = '24.21.0';

/** Installs the Python packages of a list once, into `.cache/`, and returns the Python that has them. */
export async function installPython(run: Run, list: string): Promise<string> {
  const requirements = join(__dirname, list);
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = join(projectRoot, '.cache', `python-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    mkdirSync(dirname(draft), { recursive: true });
    await run('python3', ['-m', 'venv', draft]);
    // Its scripts name the draft folder, but only its Python is called. No package runs code to be installed.
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(join(draft, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, '-r', requirements]);
    renameSync(draft, home);
  }
  return join(home, 'bin', 'python');
}

/** Has npm fetch the Node.js of the functions, and returns the folder of the program. */
export async function installNode(run: Run): Promise<string> {
  const node = `node-${process.platform}-${process.arch}@${functionNode}`;
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${node}`, '-c', 'node -p process.execPath'];
  return dirname((await run('npm', args)).trim());
}
