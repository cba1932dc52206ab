/** Lets the operator's commands find the local services that run. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeKept } from './kept-file';

/** Where the notes are, whatever folder the data is kept in: the tools look in one place. */
const notes = join('.local', 'running');

/** Leaves a note while the service runs; the returned function removes it. */
export function announceRunning(url: string): () => void {
  const note = join(notes, `${new URL(url).port}.json`);
  writeKept(note, { url, pid: process.pid });
  return () => rmSync(note, { force: true });
}
