/** Lets the operator's commands find and reach the local services that run. */

import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { failed } from '../cli/failure';
import { notesFolder, tokenFile } from '../cli/local-services';
import { writeKept } from './data-folder';

/**
 * Leaves a note and the token of a service while it runs; the returned function removes both.
 * @throws `Failure` when the folder of tokens is open to other users
 */
export function announceRunning(url: string, token: string): () => void {
  const file = tokenFile(url);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === userInfo().uid && (mode & 0o077) === 0;
  if (!isOwn && process.platform !== 'win32')
    throw failed(`${folder} is open to other users. Delete it, and start again.`);
  writeFileSync(file, token, { mode: 0o600 });
  const note = join(notesFolder, `${new URL(url).port}.json`);
  writeKept(note, { url, pid: process.pid });
  return () => {
    for (const each of [file, note]) rmSync(each, { force: true });
  };
}
