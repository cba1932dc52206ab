/** The native files that the functions carry: in the versions, and with the hashes, of the project's own lock. */

import { lockedInstallation } from '../../lib/functions/native-sharp';
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
