/** Stores images in a folder, for the local service. */

import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ImageStore } from '../image-store';
import { findMediaType, isStoredPath, type StoredPath } from '../stored-path';

/** Folder of files that are being written. No stored path begins with a dot. */
export const draftsFolder = '.drafts';

/**
 * Creates the image store of a folder. With any umask, only the current user can read its files.
 * @param folder absolute path of the folder, which is made with the first image
 */
export function createFolderStore(folder: string): ImageStore {
  const locate = (path: StoredPath) => join(folder, ...path.split('/'));

  return {
    async put(path, bytes) {
      const file = locate(path);
      const draft = join(folder, draftsFolder, randomUUID());
      for (const target of [draft, file]) await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      try {
        await writeFile(draft, bytes, { flush: true, mode: 0o600 });
        // Only one of several writers succeeds: a link fails if the file exists. A rename would replace it.
        await link(draft, file);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return false;
      } finally {
        await rm(draft, { force: true });
      }
    },

    async get(path) {
      const bytes = await readUnlessAbsent(readFile(locate(path)));
      return bytes && { bytes, mediaType: findMediaType(path) as string };
    },

    remove: async (path) => rm(locate(path), { force: true }),

    async *list(prefix) {
      const start = join(folder, ...prefix.split('/').slice(0, -1));
      const entries = await readUnlessAbsent(readdir(start, { recursive: true, withFileTypes: true }));
      for (const entry of entries ?? []) {
        const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
        if (entry.isFile() && path.startsWith(prefix) && isStoredPath(path)) yield path;
      }
    },
  };
}

/** Waits for a read. Returns `undefined` if there is no such file or folder. */
function readUnlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return undefined;
    throw error;
  });
}
