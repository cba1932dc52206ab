/** The data folder of the local service: JSON files that are checked when read and replaced whole, and errors explained in one line. */

import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Level } from 'level';
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

const sumsIn = (folder: string) => join(folder, 'sums.json');

/** Digests of files that hold the store's data, by name: tables never change, and logs do while the store is open. */
function sumsOf(folder: string, names: RegExp): Readonly<Record<string, string>> {
  const files = readdirSync(folder).filter((name) => names.test(name));
  return Object.fromEntries(files.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));
}

/** Notes what the files of a closed store hold: it reads damaged blocks and skips damaged records without a word. @throws `Failure` */
export function sealTables(folder: string): void {
  writeKept(sumsIn(folder), sumsOf(folder, /\.(ldb|log)$/));
}

/**
 * Whether the files of a closed store are others than were noted; of one that was killed, a table that was there before.
 * A store has a log as soon as it was opened.
 */
function isDamaged(folder: string): boolean {
  const noted = jsonIn(readFileSync(sumsIn(folder), 'utf8')) as ReturnType<typeof sumsOf> | null | undefined;
  const found = sumsOf(folder, /\.(ldb|log)$/);
  if (!noted || !hasLog(found)) return true;
  if (hasLog(noted)) return !isDeepStrictEqual(noted, found);
  return Object.entries(noted).some(([name, sum]) => (found[name] ?? sum) !== sum);
}

const hasLog = (sums: object) => Object.keys(sums).some((name) => name.endsWith('.log'));

/**
 * Whether the store skipped damaged records when it was opened last, which it says in its own LOG only. The end of a log
 * that was cut off while it was written is none of them.
 */
const hasSkipped = (folder: string) => / dropping \d+ bytes/.test(readFileSync(join(folder, 'LOG'), 'utf8'));

const corruption = (message: string) => Object.assign(new Error(message), { code: 'LEVEL_CORRUPTION' });

/**
 * Checks what was noted of the files of a store, and tries to open it: dynalite opens it on first use and crashes the
 * process when that fails. What was logged after the last start of a store that was killed is not noted.
 * @throws `Failure`
 */
export async function tryTables(folder: string): Promise<void> {
  const sums = sumsIn(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(sums) && isDamaged(folder)) throw corruption('Sums differ');
    const store = new Level(folder);
    // Writes what was logged into a table.
    await store.open();
    await store.close();
    const isWhole = !hasSkipped(folder);
    // Without sums, the next start refuses the folder as well, whose log is gone by then.
    writeKept(sums, isWhole ? sumsOf(folder, /\.ldb$/) : null);
    if (!isWhole) throw corruption('Records were skipped');
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
