/** Reads what commands need: options, the environment, files, and whether URLs are gone. */

import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FetchOptions } from '../fetch-records';
import { makeKeptRow } from '../pages/fill';
import { isSourceFile } from '../pages/fill-text';
import { PageTooLarge } from '../pages/page-limits';
import type { ReportRow } from '../service';

/** A row for an image of a file. Only findings of `lint` have a `rule`; their `note` says what is wrong. */
export type FileRow = ReportRow & { readonly file: string; readonly rule?: string };

/** The error for wrong usage. Its message says what to change, and the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const [textOption, flagOption] = [{ type: 'string' }, { type: 'boolean' }] as const;

/** Reads the root of the service, without a slash at its end. @throws `UsageError` without one */
export function readBase(): string {
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  return base;
}

/** Returns the API key for a URL. A URL with a signature or a site key needs none. */
export function chooseApiKey(url: string): Pick<FetchOptions, 'key'> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { key } : {};
}

/** Reads files one after the other. If a file cannot be read, a row says why. @throws what `listFiles` throws */
export async function readFiles(
  paths: readonly string[],
  read: (file: string, text: string) => Promise<readonly Omit<FileRow, 'file'>[]>,
): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  const makeUnreadRow = (note: string) =>
    ({ ...makeKeptRow(1, '', 'unknown'), outcome: 'left', note }) as const;
  for (const file of listFiles(paths)) {
    const bytes = readFileSync(file);
    const fileRows =
      isUtf8(bytes) && !bytes.includes(0)
        ? await read(file, bytes.toString()).catch((error: Error) => {
            if (error instanceof PageTooLarge) return [makeUnreadRow(error.message)];
            throw error;
          })
        : [makeUnreadRow('The file is not UTF-8, so it stays as it is.')];
    rows.push(...fileRows.map((row) => ({ file, ...row })));
  }
  return rows;
}

/** Lists the files at paths, and those of folders that `fill` reads. @throws `UsageError` for a path that is not there */
export function listFiles(paths: readonly string[]): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    if (!stats.isDirectory()) return [path];
    const args = ['-C', path, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const gitFiles = (stdout ?? '').split('\0').filter(Boolean);
    // Git lists no files of a folder that it ignores, such as a built site.
    const names = gitFiles.length > 0 ? gitFiles : (readdirSync(path, { recursive: true }) as string[]);
    const skippedFolders = /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)(?:[\\/]|$)/;
    return names
      .filter((name) => isSourceFile(name) && !skippedFolders.test(name))
      .map((name) => join(path, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
}

/** Creates a function that tells if a URL responds with 404 or 410. It loads each URL once. */
export function createGoneCheck(): (url: string) => Promise<boolean> {
  const goneByUrl = new Map<string, boolean>();
  return async (url) => {
    if (!goneByUrl.has(url)) {
      // A host that does not respond now may be there tomorrow.
      const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      await response?.body?.cancel();
      goneByUrl.set(url, response?.status === 404 || response?.status === 410);
    }
    return goneByUrl.get(url) === true;
  };
}
