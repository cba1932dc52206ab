/** What the commands read: the files that are named and those of folders that git does not ignore; URLs that may be gone. */

import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isSource } from '../pages/fill-text';
import { PageTooLarge } from '../pages/page-limits';
import { UsageError } from './environment';

/**
 * Reads files one after the other.
 * @param paths files, which are read whatever they are called, or folders; the current folder without any
 * @param read what stands in a file
 * @param unread why a file cannot be read
 * @throws `UsageError` for a path that does not exist
 */
export async function readFiles(
  paths: readonly string[],
  read: (file: string, text: string) => Promise<void>,
  unread: (file: string, why: string) => void,
): Promise<void> {
  for (const file of filesAt(paths)) {
    const bytes = readFileSync(file);
    if (!isUtf8(bytes) || bytes.includes(0)) unread(file, 'The file is not UTF-8, so it stays as it is.');
    else
      await read(file, bytes.toString()).catch((error: Error) => {
        if (!(error instanceof PageTooLarge)) throw error;
        unread(file, error.message);
      });
  }
}

/** The files that paths name. */
export function filesAt(paths: readonly string[]): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    if (!stats.isDirectory()) return [path];
    return listFolder(path)
      .filter(isSource)
      .map((name) => join(path, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
}

/** Paths that git knows or would add; outside a repository all but those of packages and hidden folders. */
function listFolder(folder: string): string[] {
  const args = ['-C', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  let names: string[] = [];
  try {
    const listed = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    names = listed.split('\0').filter(Boolean);
  } catch {
    // No repository, or no git.
  }
  // A folder that git ignores, such as one that was built, is read when it is named.
  if (names.length === 0) names = readdirSync(folder, { recursive: true }) as string[];
  return names.filter((path) => !/(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)(?:[\\/]|$)/.test(path));
}

/** Whether a URL answers 404 or 410; each URL is loaded once. What does not answer may be there tomorrow. */
export function createGoneCheck(): (url: string) => Promise<boolean> {
  const checks = new Map<string, Promise<boolean>>();
  const isGone = async (url: string): Promise<boolean> => {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(url, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 404 || response?.status === 410;
  };
  return (url) => {
    if (!checks.has(url)) checks.set(url, isGone(url));
    return checks.get(url) as Promise<boolean>;
  };
}
