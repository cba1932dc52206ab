/** The image library as a folder: what the local service uses in place of S3. */

import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ImageLibrary } from '../image-library';
import {
  checkLibraryPath,
  checkLibraryPrefix,
  isLibraryPath,
  type LibraryPath,
  mediaTypeOfPath,
} from '../library-path';

/** Where files are written before they get their names: no library path begins with a dot, so none of these is ever read. */
export const draftsFolder = '.drafts';

/**
 * Only the user who runs it may read its files, whatever the umask: commands store photographs, too.
 * @param folder absolute path; it is made when the first image is stored.
 */
export function createFilesystemLibrary(folder: string): ImageLibrary {
  /** The file of a library path. The path's form has been checked, so it cannot lead out of the folder. */
  const fileOf = (path: LibraryPath): string => {
    checkLibraryPath(path);
    return join(folder, ...path.split('/'));
  };

  return {
    async put(path, { bytes, mediaType }) {
      checkLibraryPath(path, mediaType);
      const file = fileOf(path);
      const draft = join(folder, draftsFolder, randomUUID());
      for (const each of [draft, file]) await mkdir(dirname(each), { recursive: true, mode: 0o700 });
      try {
        await writeWhole(draft, bytes);
        // Unlike a rename, a link fails where a file stands: exactly one of several writers succeeds.
        await link(draft, file);
        return true;
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
        if (await isWhole(file)) return false;
        await rename(draft, file);
        return true;
      } finally {
        await rm(draft, { force: true });
      }
    },

    async get(path) {
      const file = fileOf(path);
      try {
        const bytes = await readFile(file);
        return bytes.length === 0 ? undefined : { bytes, mediaType: mediaTypeOfPath(path) as string };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },

    remove: async (path) => rm(fileOf(path), { force: true }),

    async *list(prefix) {
      checkLibraryPrefix(prefix);
      const within = join(folder, ...prefix.split('/').slice(0, -1));
      for (const entry of await entriesOf(within)) {
        const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
        if (entry.isFile() && path.startsWith(prefix) && isLibraryPath(path)) yield path;
      }
    },
  };
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether an image is there. A file without content is what a full or damaged disk has left, and counts for none. */
async function isWhole(file: string): Promise<boolean> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size > 0;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EISDIR');
}

function hasCode(error: unknown, code: string): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === code;
}
