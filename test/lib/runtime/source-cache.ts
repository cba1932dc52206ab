/** Keeps what is made of the sources alone, in a folder named after a digest of all of them, for every test file that needs it. */

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../lib/functions/bundle';

/** Whatever a bundle or a template is made of, relative to the project; a file or a folder that may be missing counts as missing. */
const inputs = [
  'lib',
  'lambda',
  'packages/client',
  'packages/scene',
  'test/lib/synthesise.ts',
  'test/lib/runtime',
  'cdk.json',
  'jest.config.cjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  // What is really installed, which may differ from the lock.
  'node_modules/.package-lock.json',
];

/** Variables that the CDK, the SDK, esbuild and Node.js read. */
const isRead = (variable: string) => /^(AWS_|CDK_|ESBUILD_|JSII_|NODE_)/.test(variable);

const cacheFolder = join('.build', 'test-cache');

/** How long the entries of other sources stay: longer than any run takes. */
const keptForMs = 3_600_000;

/**
 * A digest of every input: of the names and bytes of files, and of the variables that are read.
 * @param root absolute folder that the inputs are in
 */
export function digestOf(
  root: string,
  paths: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${root}\n`);
  for (const name of Object.keys(environment).filter(isRead).sort())
    hash.update(`${JSON.stringify([name, environment[name]])}\n`);
  const add = (path: string): void => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort())
        if (name !== 'node_modules' && name !== 'dist' && name !== '__pycache__') add(`${path}/${name}`);
    } else {
      const bytes = found ? readFileSync(join(root, path)) : undefined;
      hash.update(`${JSON.stringify([path, bytes?.length])}\n`).update(bytes ?? '');
    }
  };
  for (const path of paths) add(path);
  return hash.digest('hex').slice(0, 32);
}

const digestOfSources = () => digestOf(projectRoot, inputs, process.env);

/** Of this test file's start, when it loads the sources. */
let atStart: string | undefined;

/**
 * A folder of what is made of the sources and of `about`; made once, by the first test file that needs it.
 * @param about everything else that decides what is made, as JSON
 * @param make fills a new folder, relative to the project; the folder is renamed when it is complete
 * @returns the folder, relative to the project; it is only read
 * @throws what `make` throws; nothing is kept then
 */
export function madeOnce(about: unknown, make: (folder: string) => void): string {
  atStart ??= digestOfSources();
  const ofSources = join(cacheFolder, atStart);
  const key = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);
  const folder = join(ofSources, key);
  if (existsSync(join(projectRoot, folder))) return folder;
  const draft = join(ofSources, `draft-${randomBytes(6).toString('hex')}`);
  mkdirSync(join(projectRoot, draft), { recursive: true });
  try {
    make(draft);
    // Sources that were edited meanwhile may be in it: only this caller gets it.
    const kept = digestOfSources() === atStart ? folder : `${draft}-of-other-sources`;
    keep(draft, kept);
    forgetOthers(atStart);
    return kept;
  } finally {
    rmSync(join(projectRoot, draft), { recursive: true, force: true });
  }
}

/** Another process may have been faster, with the same content. */
function keep(draft: string, folder: string): void {
  try {
    renameSync(join(projectRoot, draft), join(projectRoot, folder));
  } catch (error) {
    if (!existsSync(join(projectRoot, folder))) throw error;
  }
}

/** Deletes the entries of sources that no test run under way can use. */
function forgetOthers(sources: string): void {
  const all = join(projectRoot, cacheFolder);
  for (const name of readdirSync(all)) {
    const other = statSync(join(all, name), { throwIfNoEntry: false });
    if (name !== sources && other && Date.now() - other.mtimeMs > keptForMs)
      rmSync(join(all, name), { recursive: true, force: true });
  }
}
