/** The identity of AI images. It must not change, because accounts find images by it that they have paid for. */

import fc from 'fast-check';
import { hashSha256 } from '../../lambda/base/hash';
import {
  aspectRatios,
  computeSizeOfRatio,
  identifyAiImage,
  makeVariationSeed,
} from '../../lambda/generation/ai-image-identity';
import type { Size } from '../../lambda/requests/rendition';
import { findNearestRatio, parseRatio } from '../../lambda/requests/rendition';
import { aiCaller, aiRequest, makeAccountId } from '../fakes/values';

const hashOf = (...parts: readonly unknown[]) => hashSha256(JSON.stringify(parts));
const fox = { ...aiRequest, query: 'Red-Fox', visibility: 'public' } as const;

test('a key contains account, mode, visibility, words, style, ratio and variation', () => {
  const base = identifyAiImage(fox, aiCaller, undefined);
  const key = (hash: string, rest = 'live#acc_1#public') => `G#${rest}#${hash}`;
  const hash = hashOf('red fox', 'photo', '3:2', null);
  expect(base).toMatchObject({
    key: key(hash),
    imageId: hashSha256(key(hash)).slice(0, 32),
    wordsAndStyleHash: hashOf('red fox', 'photo'),
    order: { words: 'red fox', style: 'photo', ratio: '3:2' },
  });
  expect(identifyAiImage({ ...fox, visibility: 'private' }, aiCaller, undefined)).not.toHaveProperty(
    'wordsAndStyleHash',
  );
  const dark = identifyAiImage({ ...fox, style: 'dark' }, aiCaller, 2);
  expect(dark.key).toBe(key(hashOf('red fox', 'dark', '3:2', 2)));
  expect(dark.wordsAndStyleHash).toBe(hashOf('red fox', 'dark'));
  expect(dark.order).toMatchObject({ style: 'dark', variation: 2 });
  // A test key's image is private although the request asks for a public one.
  expect(identifyAiImage(fox, { ...aiCaller, kind: 'test' }, undefined).key).toBe(
    key(hash, 'test#acc_1#private'),
  );
});

test('variations share the seed of their base image, other images do not', () => {
  const seedOf = (more = {}, by = aiCaller, variation?: number) =>
    identifyAiImage({ ...fox, ...more }, by, variation).order.seed;
  expect([seedOf(), seedOf({ visibility: 'private' }), seedOf({}, aiCaller, 3)]).toEqual(
    Array(3).fill(seedOf()),
  );
  const otherImages = [
    seedOf({ style: 'dark' }),
    seedOf({ widthPx: 200 }),
    seedOf({}, { ...aiCaller, account: makeAccountId('acc_2') }),
  ];
  expect(new Set([seedOf(), ...otherImages]).size).toBe(4);
});

test('a seed is from 1 to 4,294,967,294', () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 10 }), (query, variation) => {
      const { seed } = identifyAiImage({ ...fox, query }, aiCaller, variation).order;
      for (const value of [seed, makeVariationSeed(seed, variation)]) {
        expect(Number.isInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(1);
        expect(value).toBeLessThanOrEqual(4_294_967_294);
      }
      expect(makeVariationSeed(seed, variation)).not.toBe(seed);
      expect(makeVariationSeed(seed, undefined)).toBe(seed);
    }),
  ));

const aspectRatioOf = (size: Size) => identifyAiImage({ ...fox, ...size }, aiCaller, undefined).order.ratio;

test.each([
  [1920, 1080, '16:9'],
  [1080, 1080, '1:1'],
  [1080, 1350, '4:5'],
  [1024, 768, '5:4'],
  [768, 1024, '4:5'],
  [1080, 1920, '9:16'],
  [4000, 100, '21:9'],
  [100, 4000, '9:21'],
] as const)('the ratio of %i × %i is %s', (widthPx, heightPx, text) => {
  expect(aspectRatioOf({ widthPx, heightPx })).toBe(text);
});

test('a size gets the ratio that loses the least by cropping', () => {
  const side = fc.integer({ min: 100, max: 4_000 });
  fc.assert(
    fc.property(side, side, (widthPx, heightPx) => {
      const wanted = widthPx / heightPx;
      const kept = (text: (typeof aspectRatios)[number]) =>
        Math.min(wanted / parseRatio(text), parseRatio(text) / wanted);
      const best = Math.max(...aspectRatios.map(kept));
      const turned = 1 / parseRatio(aspectRatioOf({ widthPx: heightPx, heightPx: widthPx }));
      expect(kept(aspectRatioOf({ widthPx, heightPx }))).toBeCloseTo(best, 10);
      expect(Math.min(wanted / turned, turned / wanted)).toBeCloseTo(best, 10);
    }),
  );
  for (const text of aspectRatios) expect(aspectRatioOf(computeSizeOfRatio(text, 1_536))).toBe(text);
  expect(findNearestRatio([], 1)).toBeUndefined();
});
