/** Packages are installed when what npm recorded of them differs from the lock file, and not otherwise. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { isInstalled } = require('../../bin/install.cjs') as { isInstalled(folder: string): boolean };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const a = { version: '1.0.0', integrity: 'sha512-a' };
const b = { version: '2.0.0', integrity: 'sha512-b' };
const locked = {
  '': { name: 'project' },
  'packages/own': { version: '0.1.0' },
  'node_modules/own': { resolved: 'packages/own', link: true },
  'node_modules/a': a,
  'node_modules/a/node_modules/b': b,
  'node_modules/other-platform': { ...a, optional: true },
};
const installed = {
  'node_modules/own': { resolved: 'packages/own', link: true },
  'node_modules/a': a,
  'node_modules/a/node_modules/b': b,
};

function given(recorded: string | undefined): void {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  if (recorded === undefined) return;
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), recorded);
}

const record = (packages: object) => JSON.stringify({ packages });

it.each([
  ['the same packages', record(installed), true],
  ['more packages', record({ ...installed, 'node_modules/c': b }), true],
  ['another version', record({ ...installed, 'node_modules/a': { ...a, version: '1.0.1' } }), false],
  ['another content', record({ ...installed, 'node_modules/a': { ...a, integrity: 'sha512-x' } }), false],
  ['another version of what is optional', record({ ...installed, 'node_modules/other-platform': b }), false],
  ['a package less', record({ ...installed, 'node_modules/a/node_modules/b': undefined }), false],
  ['an unreadable record', '{"packages":', false],
  ['nothing', undefined, false],
])('with %s, installed is %3$s', (_, recorded, expected) => {
  given(recorded);
  expect(isInstalled(folder)).toBe(expected);
});
