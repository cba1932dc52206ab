/** The client package as an archive, which the service hands out itself: nobody owns its name in the registry of npm. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const folder = 'packages/client';

/** What decides the bytes of the archive. */
const sources = ['src', 'signers', 'vectors', 'bin', 'package.json', 'README.md', 'CHANGELOG.md'];

/** Program that writes the archive to the file that its one argument names. */
export const packProgram = join(root, folder, 'bin/pack.mjs');

/**
 * Path below the image distribution, and in the image bucket. A new one for each content, since browsers and npm keep
 * what they have got from there.
 */
export function clientPackagePath(): string {
  const hash = createHash('sha256');
  const add = (path: string) =>
    hash.update(path.replaceAll('\\', '/')).update(readFileSync(join(root, path)));
  for (const source of sources.map((each) => `${folder}/${each}`)) {
    if (/\.\w+$/.test(source)) add(source);
    else
      for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
        .sort())
        add(entry);
  }
  // The packages whose code is inside, and what bundles it.
  add('package-lock.json');
  return `public/client-${hash.digest('hex').slice(0, 16)}.tgz`;
}
