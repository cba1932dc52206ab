/** Which texts are valid paths of the library. */

import fc from 'fast-check';
import {
  checkLibraryPath,
  isLibraryPath,
  isPrivatePath,
  mediaTypeOfPath,
} from '../../../lambda/domain/image/library-path';
import { libraryPath } from '../../fakes/branded';

describe('a library path', () => {
  it.each(['stock/a.webp', 'public/01JD/1920x1080.avif', 'private/acc_1/x-y.z/1.jpeg', 'a.png', 'a.jpg'])(
    'may be %j',
    (path) => expect(isLibraryPath(path)).toBe(true),
  );

  it('names no other place, however it is written', () => {
    const piece = fc.oneof(
      fc.constantFrom('.', '..', '', '/', '\\', '%2e%2e', '~', 'a', '.a', 'a.png', '\0'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = pieces.join('/');
        if (!isLibraryPath(path)) return;
        expect(new URL(path, 'https://cdn/x/').pathname).toBe(`/x/${path}`);
        expect(path.split('/').every((segment) => !segment.startsWith('.') && segment !== '')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is private by its prefix, in any letter case', () => {
    expect(
      ['private/a.png', 'Private/a.png', 'public/private/a.png', 'privates/a.png'].map(isPrivatePath),
    ).toEqual([true, true, false, false]);
  });

  it('states the media type of its image', () => {
    expect(mediaTypeOfPath('a.b/c.jpg')).toBe('image/jpeg');
    expect(mediaTypeOfPath('a.svg')).toBeUndefined();
    expect(() => checkLibraryPath(libraryPath('a.jpg'), 'image/png')).toThrow(RangeError);
    expect(() => checkLibraryPath(libraryPath('a.jpg'), 'image/jpeg')).not.toThrow();
  });
});
