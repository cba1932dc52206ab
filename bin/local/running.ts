/** Tells the operator's tools which local services run. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the notes lie, whatever folder the data is kept in: the tools look in one place. */
const notes = join('.local', 'running');

/** Leaves a note while the service runs; the returned function takes it away. */
export function announceRunning(url: string): () => void {
  const note = join(notes, `${new URL(url).port}.json`);
  mkdirSync(notes, { recursive: true });
  writeFileSync(note, `${JSON.stringify({ url, pid: process.pid })}\n`);
  return () => rmSync(note, { force: true });
}
