/** The orientation, type and note of an image. */

import { getOrientation, writeImageNote } from '../../lambda/images/image';
import { detectImageType } from '../../lambda/images/image-type';

test.each([
  [1_101, 1_000, 'landscape'],
  [1_100, 1_000, 'square'],
  [1_000, 1_000, 'square'],
  [1_000, 1_100, 'square'],
  [1_000, 1_101, 'portrait'],
])('an image of %i × %i pixels is %s', (widthPx, heightPx, orientation) => {
  expect(getOrientation({ widthPx, heightPx })).toBe(orientation);
});

test.each([
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\x89PNG\n\x1a\n', undefined],
  ['RIFF0000WEBP', 'image/webp'],
  ['RIFF0000WAVE', undefined],
  ['0000ftypavif', 'image/avif'],
  ['0000ftypavis', undefined],
  ['0000ftypheic', undefined],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['GIF88a', undefined],
  ['', undefined],
])('a file that begins with %j is of type %s', (text, type) => {
  expect(detectImageType(Buffer.from(text, 'latin1'))).toBe(type);
});

test.each([
  ['no fault', {}, undefined],
  ['one seed', { seedsStartOverAfter: 1 }, 'The query has 1 image: higher seeds start over'],
  ['seven seeds', { seedsStartOverAfter: 7 }, 'The query has 7 images: higher seeds start over'],
  ['a card', { fallback: 'gone' } as const, 'The image was removed: a card stands in its place'],
])('an image with %s has its note', (_, image, note) => expect(writeImageNote(image)).toBe(note));
