/** Tests that each dependency, also for development, has a licence of this list. */

import { packages } from '../../package-lock.json';

const permissive = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-3-Clause',
  'BSD-2-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'PSF-2.0',
  'Unicode-3.0',
  'MIT OR Apache-2.0',
  'MIT OR WTFPL',
  'Apache-2.0 AND MIT',
  '(MIT OR GPL-3.0-or-later)',
  '(MIT OR CC0-1.0)',
];

/** Other licences, each for the packages that have been looked at. */
const reviewedPackages: Readonly<Record<string, RegExp>> = {
  // libvips is a library of its own that sharp loads: https://sharp.pixelplumbing.com
  'LGPL-3.0-or-later': /^@img\/sharp-libvips-/,
  'Apache-2.0 AND LGPL-3.0-or-later': /^@img\/sharp-/,
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': /^@img\/sharp-wasm32$/,
  // Their files are used as they are.
  'MPL-2.0': /^(axe-core|exifreader)$/,
  // Data that tools read.
  'CC-BY-4.0': /^caniuse-lite$/,
};

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

test('each dependency has an accepted licence', () => {
  const lockedPackages = Object.entries<Locked>(packages).filter(
    ([path, { link }]) => /node_modules/.test(path) && !link,
  );
  expect(lockedPackages.length).toBeGreaterThan(500);
  const unknown = lockedPackages.flatMap(([path, { license = 'none' }]) => {
    const name = path.replace(/^.*node_modules\//, '');
    return permissive.includes(license) || reviewedPackages[license]?.test(name)
      ? []
      : [`${name}: ${license}`];
  });
  expect(unknown).toEqual([]);
});
