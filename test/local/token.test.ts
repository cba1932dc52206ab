/** The token that a running service leaves for the commands of its user, and for nobody else. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tokenFile } from '../../cli/local-services';
import { leaveToken } from '../../local/token';

const url = 'http://127.0.0.1:4321';
const os = jest.requireActual<typeof import('node:os')>('node:os');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
  jest.spyOn(os, 'tmpdir').mockReturnValue(folder);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const onUnix = process.platform === 'win32' ? test.skip : test;

test('it is there as long as the service runs', () => {
  const end = leaveToken(url, 'the-token');
  expect(readFileSync(tokenFile(url), 'utf8')).toBe('the-token');
  end();
  expect(existsSync(tokenFile(url))).toBe(false);
});

onUnix('the token is its user’s alone', () => {
  leaveToken(url, 'the-token');
  const modes = [tokenFile(url), dirname(tokenFile(url))].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700]);
});

onUnix.each([0o710, 0o740, 0o701, 0o704])('a folder of tokens with mode %o is refused', (mode) => {
  leaveToken(url, 'the-token')();
  chmodSync(dirname(tokenFile(url)), mode);
  expect(() => leaveToken(url, 'the-token')).toThrow(/is open to other users\. Delete it/);
  expect(existsSync(tokenFile(url))).toBe(false);
});
