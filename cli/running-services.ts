/** Finds the local services that run, by the notes that they leave while they do. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where each of them leaves its note, whatever folder its data is kept in. */
export const notesFolder = join('.local', 'running');

/** Their URLs; the note of a process that has ended counts for nothing. */
export function runningServices(): readonly string[] {
  if (!existsSync(notesFolder)) return [];
  return readdirSync(notesFolder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const { url, pid } = readNote(join(notesFolder, name));
      return url !== undefined && pid !== undefined && isAlive(pid) ? [url] : [];
    });
}

function readNote(file: string): { readonly url?: string; readonly pid?: number } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    return {}; // Being written, or taken away meanwhile.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
