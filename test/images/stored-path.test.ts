/** A path of the image store has a safe form. */

import fc from 'fast-check';
import { findMediaType, isPrivatePath, isStoredPath } from '../../lambda/images/stored-path';

test.each(['stock/a.webp', 'public/01JD/1920x1080.avif', 'private/acc_1/x-y.z/1.jpeg', 'a.png', 'a.jpg'])(
  'a stored path may be %j',
  (path) => expect(isStoredPath(path)).toBe(true),
);

test('a stored path cannot leave the image store', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '..', '', '/', '\\', '%2e%2e', '~', 'a', '.a', 'a.png', '\0'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const path = pieces.join('/');
      if (!isStoredPath(path)) return;
      expect(new URL(path, 'https://cdn/x/').pathname).toBe(`/x/${path}`);
      expect(path.split('/').every((segment) => !segment.startsWith('.') && segment !== '')).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a stored path is private unless its prefix is open', () => {
  const open = ['public/a.png', 'stock/ab/a.png', 'public/private/a.png'];
  const closed = ['private/a.png', 'Private/a.png', 'masters/a.png', 'publics/a.png', 'Public/a.png'];
  expect(open.map(isPrivatePath)).toEqual(open.map(() => false));
  expect(closed.map(isPrivatePath)).toEqual(closed.map(() => true));
});

test('a stored path has at most 512 characters', () => {
  const makePath = (characters: number) => `${'a'.repeat(characters - 4)}.png`;
  expect([isStoredPath(makePath(512)), isStoredPath(makePath(513))]).toEqual([true, false]);
});

test('the extension of a stored path gives the media type', () => {
  expect(findMediaType('a.b/c.jpg')).toBe('image/jpeg');
  expect(findMediaType('a.svg')).toBeUndefined();
});
