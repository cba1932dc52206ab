/** The tokens of the local services that run: kept where their user alone can read them, whatever folder a shell is in. */

import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { failed } from './failure';

/** Header in which the operator's commands send the token of a start. */
export const tokenHeader = 'x-local-token';

function fileFor(url: string): string {
  const { uid } = userInfo();
  return join(tmpdir(), `image-redirect-${uid}`, `${new URL(url).port}.token`);
}

/**
 * Keeps the token of a service while it runs; the returned function removes it.
 * @throws `Failure` when its folder is open to other users
 */
export function keepToken(url: string, token: string): () => void {
  const file = fileFor(url);
  const folder = join(file, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === userInfo().uid && (mode & 0o077) === 0;
  if (!isOwn && process.platform !== 'win32')
    throw failed(`${folder} is open to other users. Delete it, and start again.`);
  writeFileSync(file, token, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The token of the service at a URL; `undefined` when it keeps none, or another user started it. */
export function tokenOf(url: string): string | undefined {
  try {
    return readFileSync(fileFor(url), 'utf8');
  } catch {
    return undefined;
  }
}
