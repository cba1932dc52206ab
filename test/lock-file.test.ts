/** Tests that `package-lock.json` names the content of every package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  readonly link?: true;
  /** Comes within the archive of another package, whose integrity covers it. */
  readonly inBundle?: true;
  readonly integrity?: string;
}

test('every package of the lock file has an integrity hash', () => {
  const text = readFileSync(join(__dirname, '..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const fetched = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.startsWith('node_modules/') && !link && !inBundle,
  );
  expect(fetched.length).toBeGreaterThan(100);
  expect(
    fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
  ).toEqual([]);
});
