/** What a running service leaves for the commands of its user, and for nobody else. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { notesFolder, tokenFile } from '../../cli/local-services';
import { announceRunning } from '../../local/running';

const url = 'http://127.0.0.1:4321';
const os = jest.requireActual<typeof import('node:os')>('node:os');
const cwd = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'running-'));
  jest.spyOn(os, 'tmpdir').mockReturnValue(folder);
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(cwd);
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const onUnix = process.platform === 'win32' ? test.skip : test;

test('a note and a token are there as long as it runs', () => {
  const end = announceRunning(url, 'the-token');
  const note = join(notesFolder, '4321.json');
  expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({ url, pid: process.pid });
  expect(readFileSync(tokenFile(url), 'utf8')).toBe('the-token');
  end();
  expect([note, tokenFile(url)].map(existsSync)).toEqual([false, false]);
});

onUnix('the token is its user’s alone', () => {
  announceRunning(url, 'the-token');
  const modes = [tokenFile(url), dirname(tokenFile(url))].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700]);
});

onUnix.each([0o710, 0o740, 0o701, 0o704])('a folder of tokens with mode %o is refused', (mode) => {
  announceRunning(url, 'the-token')();
  chmodSync(dirname(tokenFile(url)), mode);
  expect(() => announceRunning(url, 'the-token')).toThrow(/is open to other users\. Delete it/);
  expect(existsSync(tokenFile(url))).toBe(false);
});
