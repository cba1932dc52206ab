/** Leaves the token of the local service in a file, for commands of the same user. */

import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { createFailure } from '../cli/failure';
import { nameTokenFile } from '../cli/local-services';

/**
 * Writes the token of a service. The returned function removes it.
 * @throws `Failure` when the folder of tokens is open to other users
 */
export function leaveToken(url: string, token: string): () => void {
  const file = nameTokenFile(url);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOfUserAlone = uid === userInfo().uid && (mode & 0o077) === 0;
  if (!isOfUserAlone && process.platform !== 'win32')
    throw createFailure(`${folder} is open to other users. Delete it, and start again.`);
  writeFileSync(file, token, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}
