/** The path form takes time that grows with the length of the path, and no more. */

import { readPathForm } from '../../lambda/requests/path-form';

it.each([
  ['slashes', (n: number) => '/'.repeat(n)],
  ['slashes before a word', (n: number) => `${'/'.repeat(n)}a`],
  ['separators', (n: number) => `1x1${'-_+/ '.repeat(n / 5)}`],
  ['dots', (n: number) => `1x1-${'.jpg'.repeat(n / 4)}`],
])(
  'with many %s',
  (_, pathOf) => {
    expect(() => readPathForm(pathOf(200_000))).not.toThrow();
  },
  5_000,
);
