/** Small JSON files of the local service: checked when they are read, replaced whole when they are written. */

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
import { wordsFor } from './engine/data-folder';

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

/** Replaces a file, readable by its owner only; a crash leaves the old content or the new. @throws `Failure` */
export function writeKept(file: string, content: unknown): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
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
