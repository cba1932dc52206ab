/** The data folder of the local service: JSON files that are checked when read and replaced whole, and errors explained in one line. */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { failed } from '../cli/failure';

/**
 * The content of a file, or `undefined` when there is none.
 * @param ifDeleted what the next start does without the file, for the operator of a damaged one
 * @throws `Failure` when it is damaged or cannot be read
 */
export function readKept<Content>(
  file: string,
  schema: z.ZodType<Content>,
  ifDeleted: string,
): Content | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failed(`${file} cannot be read: ${(error as Error).message}`, error);
  }
  const parsed = schema.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  throw failed(`${file} is damaged. Restore it from a copy, or delete it: ${ifDeleted}.`, parsed.error);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces a file, which with its folder is open to its owner only; a crash leaves the old content or the new. @throws `Failure` */
export function writeKept(file: string, content: unknown): void {
  // One name for all: what a killed process has left is written over.
  const draft = `${file}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(content, undefined, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    discard(draft);
    throw failed(wordsFor(dirname(file), error), error);
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // What kept it from being written is what is reported.
  }
}

/** What is wrong with a folder, and what to do about it. @param error of the file system or of the store */
export function wordsFor(folder: string, error: unknown): string {
  const codes = codesOf(error);
  const has = (...wanted: readonly string[]) => wanted.some((code) => codes.includes(code));
  if (has('LEVEL_LOCKED'))
    return `The data folder ${folder} is in use by another process. Name another one with --data, or keep nothing with --memory.`;
  if (has('ENOSPC')) return `The disk that holds ${folder} is full. Free some space and start again.`;
  if (has('ENOTDIR', 'EEXIST'))
    return `The data folder ${folder} is not a folder. Choose another with --data.`;
  if (has('EACCES', 'EPERM', 'EROFS'))
    return `The data folder ${folder} cannot be written. Change its permissions, or choose another with --data.`;
  if (has('LEVEL_CORRUPTION', 'ENOENT'))
    return `The tables in ${folder} are damaged. Restore the folder from a copy, or delete it to start with empty tables.`;
  if (has('LEVEL_IO_ERROR'))
    return `The tables in ${folder} cannot be written any more: ${messageOf(error)}. Start again when they can.`;
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
  'No such file or directory': 'ENOENT',
} as const;

/** The first line of the innermost message. */
function messageOf(error: unknown): string {
  const { cause, message = String(error) } = (error ?? {}) as Error;
  return cause === undefined ? (message.split('\n')[0] as string) : messageOf(cause);
}
