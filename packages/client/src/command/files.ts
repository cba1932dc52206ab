/** What the commands read: the files that are named and those of folders that git does not ignore; URLs that may be gone. */

import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UsageError } from './environment';

/**
 * @param paths files or folders; the current folder without any
 * @param isWanted judges the files of folders by their path in the folder; a file that is named is always read
 * @throws `UsageError` for a path that does not exist
 */
export function filesAt(paths: readonly string[], isWanted: (path: string) => boolean): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    if (!stats.isDirectory()) return [path];
    return listFolder(path)
      .filter(isWanted)
      .map((name) => join(path, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
}

/** Why a file is not read. */
export const notUtf8 = 'The file is not UTF-8, so it stays as it is.';

/** The text of a file, every byte of it; `undefined` where it is not UTF-8. */
export function textAt(file: string): string | undefined {
  const bytes = readFileSync(file);
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}

/** Paths that git knows or would add; outside a repository all but those of packages and hidden folders. */
function listFolder(folder: string): string[] {
  const isOther = (path: string) => /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)(?:[\\/]|$)/.test(path);
  let names: string[];
  try {
    const args = ['-C', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    names = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\0');
    // A folder that git ignores, such as one that was built, is read when it is named.
    if (names.every((name) => name === '')) names = readdirSync(folder, { recursive: true }) as string[];
  } catch {
    names = readdirSync(folder, { recursive: true }) as string[];
  }
  return names.filter((name) => name !== '' && !isOther(name));
}

const loadTimeoutMs = 10_000;

/** Whether a URL answers 404 or 410; each URL is loaded once. What does not answer may be there tomorrow. */
export function createGoneCheck(): (url: string) => Promise<boolean> {
  const checks = new Map<string, Promise<boolean>>();
  const check = async (url: string): Promise<boolean> => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(loadTimeoutMs) });
      await response.body?.cancel();
      return response.status === 404 || response.status === 410;
    } catch {
      return false;
    }
  };
  return (url) => {
    const checking = checks.get(url) ?? check(url);
    checks.set(url, checking);
    return checking;
  };
}
