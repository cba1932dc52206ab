/** Lets the operator's commands find the local services that run. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { notesFolder } from '../cli/local-services';
import { writeKept } from './data-folder';

/** Leaves a note while the service runs; the returned function removes it. */
export function announceRunning(url: string): () => void {
  const note = join(notesFolder, `${new URL(url).port}.json`);
  writeKept(note, { url, pid: process.pid });
  return () => rmSync(note, { force: true });
}
