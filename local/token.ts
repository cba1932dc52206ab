/** Leaves the token of the local service in a file, for commands of the same user. */

import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createGeneralFailure } from '../cli/failure';

/** The header of the token in requests of commands. */
export const tokenHeader = 'x-local-token';

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
    throw createGeneralFailure(`${folder} is open to other users. Delete it, and start again.`);
  writeFileSync(file, token, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Reads the token of a service. It is `undefined` for another user's service, whose file stands elsewhere. */
export function readToken(url: string): string | undefined {
  const file = nameTokenFile(url);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Names the file with the token of a service. Only the user who started the service can read it. */
export const nameTokenFile = (url: string) =>
  join(tmpdir(), `image-redirect-${userInfo().uid}`, `${new URL(url).port}.token`);
