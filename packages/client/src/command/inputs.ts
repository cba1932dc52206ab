/** Reads the inputs of commands: options, the environment, files, and URLs that may be gone. */

import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { FetchOptions } from '../fetch-records';
import { keptRow } from '../pages/fill';
import { isSource } from '../pages/fill-text';
import { PageTooLarge } from '../pages/page-limits';
import type { FilledImage } from '../service';

/** The outcome of an image of a file. */
export type FileRow<Row = FilledImage> = { readonly file: string } & Row;

/** A command line that cannot be followed. Its message says what to change; the program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options of a command that take a text, or nothing. */
export const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;

/** Reads the arguments of a command. @throws as `parseArgs`, for options that a command does not have */
export const readArguments = <T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) => parseArgs({ args: [...args], allowPositionals: true, options });

/** Root of the service without a trailing slash. @throws `UsageError` where the environment names none */
export function requiredBase(): string {
  const base = process.env['IMAGE_REDIRECT_URL']?.replace(/\/+$/, '');
  if (!base || !URL.canParse(base))
    throw new UsageError('Set IMAGE_REDIRECT_URL to the root of the service.');
  return base;
}

/** The key for URLs that say nobody who pays; signed URLs and those with a site key are sent without it. */
export function apiKeyFor(url: string): Pick<FetchOptions, 'key'> {
  const key = process.env['IMAGE_REDIRECT_KEY'];
  return key && !/[?&](?:signature|site)=/.test(url) ? { key } : {};
}

/**
 * Reads the files of paths one after the other; one that cannot be read has a row whose `note` says why.
 * @throws as `filesAt`
 */
export async function readFiles<Row extends FilledImage>(
  paths: readonly string[],
  read: (file: string, text: string) => Promise<readonly Row[]>,
): Promise<FileRow<Row | FilledImage>[]> {
  const rows: FileRow<Row | FilledImage>[] = [];
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

/** The files at paths, by default in this folder; in a folder what `fill` reads. @throws `UsageError` */
export function filesAt(paths: readonly string[]): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    if (!stats.isDirectory()) return [path];
    // The files that git knows or would add; outside a repository all but packages and hidden folders.
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

/** Whether a URL answers 404 or 410; each URL is loaded once. What does not answer may be there tomorrow. */
export function createGoneCheck(): (url: string) => Promise<boolean> {
  const checks = new Map<string, Promise<boolean>>();
  const isGone = async (url: string): Promise<boolean> => {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 404 || response?.status === 410;
  };
  return (url) => {
    const check = checks.get(url) ?? isGone(url);
    checks.set(url, check);
    return check;
  };
}
