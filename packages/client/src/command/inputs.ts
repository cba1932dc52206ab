/** Reads the inputs of commands: options, the environment, files, and URLs that may be gone. */

import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FetchOptions } from '../fetch-records';
import { keptRow } from '../pages/fill';
import { isSource } from '../pages/fill-text';
import { PageTooLarge } from '../pages/page-limits';
import type { FilledImage } from '../service';

/** The outcome of an image of a file; `rule` in findings of `lint`, whose `note` says what is wrong. */
export type FileRow = FilledImage & { readonly file: string; readonly rule?: string };

/** A command line that cannot be followed. Its message says what to change; the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Kinds of options: one takes a text, the other nothing. */
export const [textOption, flagOption] = [{ type: 'string' }, { type: 'boolean' }] as const;

/** Reads the root of the service, without a slash at its end. @throws `UsageError` without one */
export function requiredBase(): string {
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  return base;
}

/** Gives the API key for a URL; none for one that is signed or has a site key, which says who pays. */
export function apiKeyFor(url: string): Pick<FetchOptions, 'key'> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { key } : {};
}

/** Reads files one after the other; the `note` of a row says why one cannot be read. @throws as `filesAt` */
export async function readFiles(
  paths: readonly string[],
  read: (file: string, text: string) => Promise<readonly Omit<FileRow, 'file'>[]>,
): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  const unread = (note: string) => [{ ...keptRow(1, '', 'unknown'), outcome: 'left', note } as const];
  for (const file of filesAt(paths)) {
    const bytes = readFileSync(file);
    const fileRows =
      isUtf8(bytes) && !bytes.includes(0)
        ? await read(file, bytes.toString()).catch((error: Error) => {
            if (error instanceof PageTooLarge) return unread(error.message);
            throw error;
          })
        : unread('The file is not UTF-8, so it stays as it is.');
    rows.push(...fileRows.map((row) => ({ file, ...row })));
  }
  return rows;
}

/** Lists the files at paths, by default here; of a folder those that `fill` reads. @throws `UsageError` */
export function filesAt(paths: readonly string[]): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    if (!stats.isDirectory()) return [path];
    const args = ['-C', path, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const listed = (stdout ?? '').split('\0').filter(Boolean);
    // A folder that git ignores, such as one that was built, is read when it is named.
    const names = listed.length > 0 ? listed : (readdirSync(path, { recursive: true }) as string[]);
    const skipped = /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)(?:[\\/]|$)/;
    return names
      .filter((name) => isSource(name) && !skipped.test(name))
      .map((name) => join(path, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
}

/** Makes the check whether a URL answers 404 or 410, which loads each URL once. */
export function createGoneCheck(): (url: string) => Promise<boolean> {
  const goneByUrl = new Map<string, boolean>();
  return async (url) => {
    if (!goneByUrl.has(url)) {
      // What does not answer may be there tomorrow.
      const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      await response?.body?.cancel();
      goneByUrl.set(url, response?.status === 404 || response?.status === 410);
    }
    return goneByUrl.get(url) === true;
  };
}
