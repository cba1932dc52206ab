/** Boxes and initials that stand where a photo would be wrong. */

import { drawnImage } from '../../src/pages/html-images';

const drawn = (tone?: string, name?: string, size = { width: 64, height: 48 }) =>
  decodeURIComponent(drawnImage(size, tone, name).replace('data:image/svg+xml,', ''));

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['Ludwig van Beethoven', 'LB'],
  ['Acme', 'A'],
  ['山田太郎', '山'],
  ['acme', ''],
])('%s is drawn as %s', (name, letters) => {
  expect(/<text [^>]*>(.*)<\/text>/.exec(drawn(undefined, name))?.[1]).toBe(letters || undefined);
});

it.each([
  [undefined, '#d8d5cf'],
  ['#fff', '#fff'],
  ['#0C6B58', '#0C6B58'],
  ['red', '#d8d5cf'],
  ['#12345', '#d8d5cf'],
  ['"/><script>', '#d8d5cf'],
])('in a page of the colour %s, a box is %s, and initials stand on a quiet one', (tone, box) => {
  expect(drawn(tone)).toContain(`<rect width="100%" height="100%" fill="${box}"/>`);
  expect(drawn(tone, 'Ada Lovelace')).toContain('<rect width="100%" height="100%" fill="#d8d5cf"/>');
});

it('has the size of its place, no letters without a name, and nothing that ends a URL in CSS', () => {
  expect(drawn()).toMatch(/^<svg [^>]* width="64" height="48" viewBox="0 0 64 48"><rect [^>]*><\/svg>$/);
  expect(drawnImage({ width: 1, height: 1 }, undefined, "A' (B)")).not.toMatch(/['()\s]/);
});
