// Finds the command line tool as a bundle, which starts in a fraction of the time that its sources need to be compiled.
// A bundle is used only when everything that it was made of is still the same.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './root.mjs';

/** What is bundled. */
export const bundledProgram = 'bin/image-redirect.ts';

/** Folder of the bundles of a project, each in a folder whose name begins with the hash of its sources. */
export const bundlesOf = (project) => join(project, '.cache', 'built-program');

/** How long a bundle that nothing uses is kept, in milliseconds. */
export const keptMs = 24 * 3_600_000;

const buildScript = join(root, 'bin', 'launch', 'build-program.mjs');

/** All that may become part of a bundle and belongs to the project, and what says which packages are installed. */
const sources = [
  'bin',
  'cli',
  'lambda',
  'lib',
  'local',
  'packages/client/src',
  'packages/scene/src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Files of a folder, or the one file; relative to the project. */
function filesOf(project, path) {
  const stat = statSync(join(project, path), { throwIfNoEntry: false });
  if (stat?.isFile()) return [path];
  if (stat === undefined) return [];
  return readdirSync(join(project, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)));
}

/** Hash of the names and contents of all sources, of where they are, as a bundle names folders, and of how they are bundled. */
export function hashOfSources(project) {
  const hash = createHash('sha256').update(`${project}\n`).update(readFileSync(buildScript));
  for (const file of sources.flatMap((path) => filesOf(project, path)).sort()) {
    const bytes = readFileSync(join(project, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Whether a path, relative to the project, is among what `hashOfSources` reads. */
export const isSource = (path) => sources.some((each) => path === each || path.startsWith(`${each}/`));

/** Size and time of a file, which differ once it has been changed; `undefined` when it is gone. */
export function stampOf(project, path) {
  const stat = statSync(join(project, path), { throwIfNoEntry: false });
  return stat && `${stat.size} ${stat.mtimeMs}`;
}

/** The file of a bundle that is written last: size and time of the packages in it. */
export const packagesFile = 'packages.json';

/** The file to be run, when the bundle in a folder is complete and the packages in it have not changed since. */
function programIn(project, folder) {
  try {
    const packages = JSON.parse(readFileSync(join(folder, packagesFile), 'utf8'));
    const isSame = Object.entries(packages).every(([path, stamp]) => stampOf(project, path) === stamp);
    return isSame ? join(folder, 'program.mjs') : undefined;
  } catch {
    return undefined;
  }
}

/** The file to be run of sources with a hash; `undefined` when there is no bundle of them, or none of these packages. */
export function programOf(project, hash) {
  const bundles = bundlesOf(project);
  const names = existsSync(bundles) ? readdirSync(bundles).sort() : [];
  for (const name of names.filter((each) => each.startsWith(hash))) {
    const program = programIn(project, join(bundles, name));
    if (program !== undefined) return program;
  }
  return undefined;
}

/**
 * The file to be run in place of the sources, bundled first when there is none of the same sources; `undefined` when
 * they cannot be bundled, because of an error in them or because nothing can be written to `.cache`.
 */
export function builtProgram(project = root) {
  const found = programOf(project, hashOfSources(project));
  if (found !== undefined) return found;
  const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', buildScript, project], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trimEnd() : undefined;
}

/** Variables for the process of a bundle: Node.js 22 and later keep compiled code beside it for the next start. */
export const variablesOf = (program) => ({ NODE_COMPILE_CACHE: join(dirname(program), 'compiled') });

/** Keeps a bundle from being removed while its program runs, which loads parts of it when they are needed. */
export function keepBundle(program) {
  const touch = () => {
    try {
      utimesSync(dirname(program), new Date(), new Date());
    } catch {
      // Removed by hand, or owned by another user, who does the same.
    }
  };
  touch();
  setInterval(touch, keptMs / 24).unref();
}
