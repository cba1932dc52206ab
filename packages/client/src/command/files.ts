/** The files that a command works on: those that are named, and those of named folders that git does not ignore. */

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UsageError } from './usage-error';

/**
 * @param paths files or folders; the current folder without any
 * @param isWanted judges the files of folders by name; a file that is named is always read
 * @throws `UsageError` for a path that does not exist
 */
export function filesAt(paths: readonly string[], isWanted: (name: string) => boolean): string[] {
  const files = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw new UsageError(`There is no file or folder ${path}.`);
    return stats.isDirectory() ? listFolder(path).filter(isWanted) : [path];
  });
  return [...new Set(files.map((file) => relative('.', file)))].sort();
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
