/** Sizes of images: within the bounds of the service, in the ratio of a page or of a signed `upto`. */

import fc from 'fast-check';
import { listSizes, nearestSize, readSize } from '../src/image-size';
import { expectInBounds, shape } from './arbitrary-spec';

test('the nearest size has sides of 100 to 4000 pixels in the ratio to half a pixel', () => {
  fc.assert(
    fc.property(shape, fc.integer({ min: 1, max: 10_000 }), ([width, height], wantedWidthPx) => {
      const size = nearestSize(wantedWidthPx, { widthPx: width, heightPx: height });
      expectInBounds(size.widthPx, size.heightPx);
      const apart = Math.abs(size.heightPx - (size.widthPx * height) / width);
      expect(apart).toBeLessThanOrEqual(Math.max(0.5, height / width));
      const idealHeightPx = (wantedWidthPx * height) / width;
      const isAccepted = [wantedWidthPx, idealHeightPx].every((px) => px >= 100 && px <= 4000);
      if (isAccepted) expect(size.widthPx).toBe(wantedWidthPx);
    }),
  );
});

test.each(['41:1', '1:41', '0:0', 'wide'])('no size is the nearest of the ratio %s', (ratio) => {
  const error = new RangeError('ratio must be from 1:40 to 40:1');
  expect(() => nearestSize(640, readSize(ratio))).toThrow(error);
});

test('the sizes below a signed size keep its ratio within the bounds of both sides', () => {
  const sizes = listSizes(readSize('1600x900')).map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`);
  // The smallest height of an image is 100 pixels, which 178 pixels would have.
  expect(sizes.slice(0, 3)).toEqual(['256x144', '384x216', '480x270']);
  expect(sizes.at(-1)).toBe('1600x900');
});
