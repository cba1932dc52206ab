/** The client package as an archive, which the service hands out itself: nobody owns its name in the registry of npm. */

import { join } from 'node:path';
import { contentHash } from './content-hash';

const folder = 'packages/client';

/** What decides the bytes of the archive: the last are the packages whose code is inside, and what bundles it. */
const sources = [
  ...['src', 'vectors', 'bin', 'package.json', 'README.md', 'CHANGELOG.md'].map(
    (each) => `${folder}/${each}`,
  ),
  'package-lock.json',
];

/** Program that writes the archive to the file that its one argument names. */
export const packProgram = join(__dirname, '..', folder, 'bin/pack.mjs');

/** Path below the image distribution, and in the image bucket. */
export function clientPackagePath(): string {
  return `public/client-${contentHash(sources)}.tgz`;
}
