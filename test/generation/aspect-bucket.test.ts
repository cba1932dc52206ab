/** How sizes map to aspect ratios. */

import fc from 'fast-check';
import {
  aspectBucketOf,
  aspectBuckets,
  ratioOf,
  sizeOfBucket,
} from '../../lambda/generation/generation-identity';

const side = fc.integer({ min: 100, max: 4_000 });

describe('the ratio of a size', () => {
  it.each([
    [1920, 1080, '16:9'],
    [1080, 1080, '1:1'],
    [1080, 1350, '4:5'],
    [1024, 768, '5:4'],
    [768, 1024, '4:5'],
    [1080, 1920, '9:16'],
    [3440, 1440, '21:9'],
    [4000, 100, '21:9'],
    [100, 4000, '9:21'],
    [1500, 1000, '3:2'],
  ] as const)('of %i × %i is %s', (widthPx, heightPx, bucket) => {
    expect(aspectBucketOf({ widthPx, heightPx })).toBe(bucket);
  });

  it('is the one from which least is cut off', () =>
    fc.assert(
      fc.property(side, side, (widthPx, heightPx) => {
        const kept = (bucket: (typeof aspectBuckets)[number]) => {
          const [wanted, drawn] = [widthPx / heightPx, ratioOf(bucket)];
          return Math.min(wanted / drawn, drawn / wanted);
        };
        const best = Math.max(...aspectBuckets.map(kept));
        expect(kept(aspectBucketOf({ widthPx, heightPx }))).toBeCloseTo(best, 10);
      }),
    ));

  it('turns with the image, but where two are equally near', () =>
    fc.assert(
      fc.property(side, side, (widthPx, heightPx) => {
        const upright = ratioOf(aspectBucketOf({ widthPx, heightPx }));
        const turned = ratioOf(aspectBucketOf({ widthPx: heightPx, heightPx: widthPx }));
        const wanted = widthPx / heightPx;
        expect(Math.abs(Math.log(wanted / upright))).toBeCloseTo(Math.abs(Math.log(wanted * turned)), 10);
      }),
    ));

  it('has sizes of its own', () => {
    expect(sizeOfBucket('16:9', 1536)).toEqual({ widthPx: 1536, heightPx: 864 });
    expect(sizeOfBucket('9:16', 1536)).toEqual({ widthPx: 864, heightPx: 1536 });
    for (const bucket of aspectBuckets) expect(aspectBucketOf(sizeOfBucket(bucket, 1536))).toBe(bucket);
  });
});
