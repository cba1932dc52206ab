/** Tells the operator's tools which local services run. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves a note in the data folder while the service runs; the returned function takes it away. */
export function announceRunning(folder: string | undefined, url: string): () => void {
  const notes = join(folder ?? '.local', 'running');
  const note = join(notes, `${new URL(url).port}.json`);
  mkdirSync(notes, { recursive: true });
  writeFileSync(note, `${JSON.stringify({ url, pid: process.pid })}\n`);
  return () => rmSync(note, { force: true });
}
