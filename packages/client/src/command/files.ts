/** What the commands read: the files that are named and those of folders that git does not ignore; URLs that may load. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UsageError } from './environment';

/**
 * @param paths files or folders; the current folder without any
 * @param wanted judges the files of folders by name; a file that is named is always read
 * @throws `UsageError` for a path that does not exist
 */
export function filesAt(paths: readonly string[], wanted: RegExp): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    return stats.isDirectory() ? listFolder(path).filter((name) => wanted.test(name)) : [path];
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
}

/** The files with their text. @param paths as of `filesAt` @throws as `filesAt` */
export function textsAt(paths: readonly string[], wanted: RegExp): { file: string; text: string }[] {
  return filesAt(paths, wanted).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

/** Files that git knows or would add; outside a repository all but those of packages and hidden folders. */
function listFolder(folder: string): string[] {
  const isOther = (path: string) => /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)(?:[\\/]|$)/.test(path);
  let names: string[];
  try {
    const args = ['-C', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    names = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\0');
  } catch {
    names = readdirSync(folder, { recursive: true }) as string[];
  }
  return names
    .filter((name) => name !== '' && !isOther(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

const loadTimeoutMs = 10_000;

/** Whether a URL answers with an image; each URL is loaded once. */
export function createLoads(): (url: string) => Promise<boolean> {
  const loads = new Map<string, Promise<boolean>>();
  const load = async (url: string): Promise<boolean> => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(loadTimeoutMs) });
      await response.body?.cancel();
      return response.ok && !/^text\//.test(response.headers.get('content-type') ?? '');
    } catch {
      return false;
    }
  };
  return (url) => {
    const loading = loads.get(url) ?? load(url);
    loads.set(url, loading);
    return loading;
  };
}
