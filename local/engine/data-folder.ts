/** Opens the folder that holds the tables once, so that what is wrong with it is said in one line. */

import { mkdirSync } from 'node:fs';
import { Level } from 'level';
import { failed } from '../../cli/failure';

/**
 * dynalite opens its store on first use and crashes the process when that fails, so it is tried before.
 * @throws `Failure`
 */
export async function tryTables(folder: string): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true });
    const store = new Level(folder);
    await store.open();
    await store.close();
  } catch (error) {
    throw failed(wordsFor(folder, error), error);
  }
}

/** What is wrong with a folder, and what to do about it. @param error of the file system or of the store */
export function wordsFor(folder: string, error: unknown): string {
  const codes = codesOf(error);
  const has = (...wanted: readonly string[]) => wanted.some((code) => codes.includes(code));
  if (has('LEVEL_LOCKED')) return `The data folder ${folder} is in use by another process.`;
  if (has('ENOSPC')) return `The disk that holds ${folder} is full. Free some space and start again.`;
  if (has('ENOTDIR', 'EEXIST'))
    return `The data folder ${folder} is not a folder. Choose another with --data.`;
  if (has('EACCES', 'EPERM', 'EROFS'))
    return `The data folder ${folder} cannot be written. Change its permissions, or choose another with --data.`;
  if (has('LEVEL_CORRUPTION'))
    return `The tables in ${folder} are damaged. Restore the folder from a copy, or delete it to start with empty tables.`;
  return `The data folder ${folder} cannot be opened: ${messageOf(error)}`;
}

/** Codes of an error and of its causes; the store names those of the system in its message only. */
function codesOf(error: unknown): readonly string[] {
  const { code, message = '', cause } = (error ?? {}) as NodeJS.ErrnoException;
  const system = Object.entries(systemMessages).find(([text]) => message.includes(text))?.[1];
  return [code ?? [], system ?? [], cause === undefined ? [] : codesOf(cause)].flat();
}

const systemMessages = {
  'No space left on device': 'ENOSPC',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
  'Not a directory': 'ENOTDIR',
} as const;

/** The first line of the innermost message. */
function messageOf(error: unknown): string {
  const { cause, message = String(error) } = (error ?? {}) as Error;
  return cause === undefined ? (message.split('\n')[0] as string) : messageOf(cause);
}
