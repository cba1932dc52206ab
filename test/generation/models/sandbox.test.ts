/** The built-in model. */

import sharp from 'sharp';
import { systemClock } from '../../../lambda/base/clock';
import { styles } from '../../../lambda/contract/request-bounds';
import { aspectRatios, computeSizeOfRatio } from '../../../lambda/generation/ai-image-identity';
import type { ModelRequest } from '../../../lambda/generation/models/model';
import { createSandboxModel } from '../../../lambda/generation/models/sandbox';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { drawWith } from './drawing';

/** Small images are enough to show a difference. */
const small = { kind: 'sandbox' as const, delayMs: 0, refuse: ['LAKE AT DUSK'], longSidePx: 256 };
const pauses: number[] = [];
const clock = { ...systemClock, nowMs: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
const draw = async (change: Partial<ModelRequest> = {}, settings: object = {}) => {
  const { image } = await drawWith(createSandboxModel({ ...small, ...settings }, codec, clock), change);
  return image as Uint8Array;
};

test.each(aspectRatios)('the sandbox draws %s in the size of other models', async (ratio) => {
  const image = await draw({ ratio }, { longSidePx: 1_536 });
  expect(await codec.measureImage(image)).toMatchObject(computeSizeOfRatio(ratio, 1_536));
});

test('the sandbox waits for `delayMs` and marks its master with the sandbox as author', async () => {
  const image = await draw({}, { delayMs: 700 });
  const xmp = (await sharp(image).metadata()).xmp?.toString();
  expect(pauses).toEqual([700]);
  expect(xmp).toContain('Drawn by the sandbox');
  expect(xmp).not.toContain('trainedAlgorithmicMedia');
});

test('words that contain a word of `refuse` are refused', async () => {
  const { outcome } = await drawWith(createSandboxModel(small, codec, clock), { words: 'a lake at dusk' });
  expect(outcome).toBe('refused');
});

test('each style, variation, seed and subject gives another image', async () => {
  const changes: readonly Partial<ModelRequest>[] = [
    ...styles.map((style) => ({ style })),
    ...[{ variation: 1 }, { variation: 2 }, { seed: 7 }, { words: 'forest path' }],
  ];
  const images = await Promise.all(changes.map((change) => draw({ ratio: '21:9', ...change })));
  const encodedImages = images.map((image) => Buffer.from(image).toString('base64'));
  expect(new Set(encodedImages).size).toBe(changes.length);
});
