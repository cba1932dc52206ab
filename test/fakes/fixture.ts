/** Use these for servers and folders that the tests of a file share: they end with the file. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Ending {
  stop?(): unknown;
  close?(): unknown;
}

/**
 * Makes a fixture before the first test of the file or of the `describe` around, and stops or closes it after
 * the last one. Its members are there from the first test on.
 */
export function startFixture<T extends object>(make: () => Promise<T>): T {
  const fixture = {} as T & Ending;
  beforeAll(async () => void Object.assign(fixture, await make()));
  afterAll(() => fixture.stop?.() ?? fixture.close?.());
  return fixture;
}

/** Makes an empty folder, and removes it after the last test of the file or of the `describe` around. */
export function makeTestFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
