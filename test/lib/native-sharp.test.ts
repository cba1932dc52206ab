/** The native files that the functions carry: in the versions, and with the hashes, of the project's own lock. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInstalled, keptFolder, lockedInstallation } from '../../lib/functions/native-sharp';
import { packages } from '../../package-lock.json';

test.each(['arm64', 'x64'] as const)(
  'everything that is installed for linux-%s has a hash of the lock',
  (cpu) => {
    const { lock } = lockedInstallation(cpu) as {
      lock: { packages: Record<string, { integrity?: string }> };
    };
    const { '': root, ...installed } = lock.packages;
    expect(Object.keys(installed)).toEqual(
      expect.arrayContaining(['node_modules/sharp', `node_modules/@img/sharp-libvips-linux-${cpu}`]),
    );
    const known = Object.values(packages as Record<string, { integrity?: string }>).map(
      ({ integrity }) => integrity,
    );
    for (const { integrity } of Object.values(installed)) {
      expect(integrity).toMatch(/^sha512-/);
      expect(known).toContain(integrity);
    }
    const { dependencies, optionalDependencies } = root as Record<string, object>;
    expect(Object.keys(installed).sort()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies })
        .map((name) => `node_modules/${name}`)
        .sort(),
    );
  },
);

test('what was fetched for one processor or lock is not taken for another', () => {
  const [arm, intel] = [lockedInstallation('arm64').lock, lockedInstallation('x64').lock];
  const other = JSON.parse(JSON.stringify(arm).replace('sha512-', 'sha512-0'));
  const folders = [arm, intel, other, lockedInstallation('arm64').lock].map(keptFolder);
  expect(new Set(folders).size).toBe(3);
  expect(folders[3]).toBe(folders[0]);
});

test('what npm failed to install, or left out without a failure, is not deployed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sharp-'));
  const ended = (status: number) => () => checkInstalled(folder, 'arm64', { status, stderr: 'words of npm' });
  const add = (name: string) => mkdirSync(join(folder, 'node_modules/@img', name), { recursive: true });
  for (const name of ['sharp-linux-x64', 'sharp-libvips-linux-x64', 'sharp-linux-arm64']) {
    add(name);
    expect(ended(0)).toThrow('linux-arm64 could not be installed:\nwords of npm');
  }
  add('sharp-libvips-linux-arm64');
  expect(ended(1)).toThrow('words of npm');
  expect(ended(0)).not.toThrow();
  rmSync(folder, { recursive: true });
});
