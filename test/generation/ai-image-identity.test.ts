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

const hashValues = (...values: readonly unknown[]) => hashSha256(JSON.stringify(values));
const fox = { ...aiRequest, query: 'Red-Fox', visibility: 'public' } as const;

test('a key contains account, mode, visibility, words, style, ratio and variation', () => {
  const base = identifyAiImage(fox, aiCaller, undefined);
  const makeKey = (hash: string, scope = 'live#acc_1#public') => `G#${scope}#${hash}`;
  const hash = hashValues('red fox', 'photo', '3:2', null);
  expect(base).toMatchObject({
    key: makeKey(hash),
    imageId: hashSha256(makeKey(hash)).slice(0, 32),
    wordsAndStyleHash: hashValues('red fox', 'photo'),
    task: { words: 'red fox', style: 'photo', ratio: '3:2' },
  });
  expect(identifyAiImage({ ...fox, visibility: 'private' }, aiCaller, undefined)).not.toHaveProperty(
    'wordsAndStyleHash',
  );
  const dark = identifyAiImage({ ...fox, style: 'dark' }, aiCaller, 2);
  expect(dark.key).toBe(makeKey(hashValues('red fox', 'dark', '3:2', 2)));
  expect(dark.wordsAndStyleHash).toBe(hashValues('red fox', 'dark'));
  expect(dark.task).toMatchObject({ style: 'dark', variation: 2 });
  // A test key's image is private although the request asks for a public one.
  expect(identifyAiImage(fox, { ...aiCaller, kind: 'test' }, undefined).key).toBe(
    makeKey(hash, 'test#acc_1#private'),
  );
});

test('variations share the seed of their base image, other images do not', () => {
  const readSeed = (change = {}, caller = aiCaller, variation?: number) =>
    identifyAiImage({ ...fox, ...change }, caller, variation).task.seed;
  expect([readSeed(), readSeed({ visibility: 'private' }), readSeed({}, aiCaller, 3)]).toEqual(
    Array(3).fill(readSeed()),
  );
  const otherImages = [
    readSeed({ style: 'dark' }),
    readSeed({ widthPx: 200 }),
    readSeed({}, { ...aiCaller, account: makeAccountId('acc_2') }),
  ];
  expect(new Set([readSeed(), ...otherImages]).size).toBe(4);
});

test('a seed is from 1 to 4,294,967,294', () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 10 }), (query, variation) => {
      const { seed } = identifyAiImage({ ...fox, query }, aiCaller, variation).task;
      for (const value of [seed, makeVariationSeed(seed, variation)]) {
        expect(Number.isInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(1);
        expect(value).toBeLessThanOrEqual(4_294_967_294);
      }
      expect(makeVariationSeed(seed, variation)).not.toBe(seed);
      expect(makeVariationSeed(seed, undefined)).toBe(seed);
    }),
  ));

const findAspectRatio = (size: Size) => identifyAiImage({ ...fox, ...size }, aiCaller, undefined).task.ratio;

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
  expect(findAspectRatio({ widthPx, heightPx })).toBe(text);
});

test('a size gets the ratio that loses the least by cropping', () => {
  const side = fc.integer({ min: 100, max: 4_000 });
  fc.assert(
    fc.property(side, side, (widthPx, heightPx) => {
      const ratio = widthPx / heightPx;
      const computeKeptShare = (text: (typeof aspectRatios)[number]) =>
        Math.min(ratio / parseRatio(text), parseRatio(text) / ratio);
      const bestShare = Math.max(...aspectRatios.map(computeKeptShare));
      const turnedRatio = 1 / parseRatio(findAspectRatio({ widthPx: heightPx, heightPx: widthPx }));
      expect(computeKeptShare(findAspectRatio({ widthPx, heightPx }))).toBeCloseTo(bestShare, 10);
      expect(Math.min(ratio / turnedRatio, turnedRatio / ratio)).toBeCloseTo(bestShare, 10);
    }),
  );
  for (const text of aspectRatios) expect(findAspectRatio(computeSizeOfRatio(text, 1_536))).toBe(text);
  expect(findNearestRatio([], 1)).toBeUndefined();
});
