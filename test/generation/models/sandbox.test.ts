/** The built-in generator. */

import sharp from 'sharp';
import { systemClock } from '../../../lambda/base/system';
import type { SettingsOfGenerator } from '../../../lambda/contract/generators';
import { styles } from '../../../lambda/contract/request-bounds';
import { aspectBuckets, sizeOfBucket } from '../../../lambda/generation/generation-identity';
import type { GeneratorRequest } from '../../../lambda/generation/generator';
import { createSandbox } from '../../../lambda/generation/models/sandbox';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { ask, describeGenerator } from '../../contracts/generator';

// Painting is work for the processor, and a busy machine takes its time.
jest.setTimeout(20_000);

const create = (settings: Partial<SettingsOfGenerator<'sandbox'>> = {}) =>
  createSandbox(
    { kind: 'sandbox', delayMs: 0, refuse: [], longSidePx: 1_536, ...settings },
    codec,
    systemClock,
  );

describeGenerator('sandbox', async () => {
  let generator = create();
  return {
    generator: { capability: generator.capability, generate: (...call) => generator.generate(...call) },
    refuse: () => {
      generator = create({ refuse: ['LAKE'] });
    },
    hang: () => {
      generator = create({ delayMs: 60_000 });
    },
  };
});

describe('the sandbox', () => {
  /** Small images show a difference as well, with less work. */
  const small = { longSidePx: 384 };
  const draw = async (change: Partial<GeneratorRequest>, settings?: Parameters<typeof create>[0]) => {
    const drawn = await create(settings).generate({ ...ask, ...change }, new AbortController().signal);
    if (drawn.outcome === 'refused') throw new Error(drawn.reason);
    return drawn.bytes;
  };

  it.each(aspectBuckets)('draws %s at the size of the models it stands in for', async (ratio) => {
    expect(await codec.measure(await draw({ ratio }))).toMatchObject(sizeOfBucket(ratio, 1536));
  });

  it('draws as small as it is configured to', async () => {
    const drawn = await create({ longSidePx: 256 }).generate(
      { ...ask, ratio: '3:2' },
      new AbortController().signal,
    );
    expect(drawn).toMatchObject({ outcome: 'image' });
    if (drawn.outcome === 'image')
      expect(await codec.measure(drawn.bytes)).toMatchObject(sizeOfBucket('3:2', 256));
  });

  it('takes as long as it is configured to, and marks nothing as the work of a trained model', async () => {
    const pauses: number[] = [];
    const clock = { nowMs: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
    const settings = { kind: 'sandbox' as const, delayMs: 700, refuse: [], longSidePx: 256 };
    const drawn = await createSandbox(settings, codec, clock).generate(ask, new AbortController().signal);
    if (drawn.outcome === 'refused') throw new Error(drawn.reason);
    const xmp = (await sharp(drawn.bytes).metadata()).xmp?.toString();
    expect(pauses).toEqual([700]);
    expect(xmp).toContain('Drawn by the sandbox');
    expect(xmp).not.toContain('trainedAlgorithmicMedia');
  });

  it('draws the same image for the same request', async () => {
    const [one, other] = [await draw({ variation: 3 }, small), await draw({ variation: 3 }, small)];
    expect(Buffer.compare(one, other)).toBe(0);
  });

  it('draws another image for another style, variation, seed or other words', async () => {
    const wide = (change: Partial<GeneratorRequest>) => draw({ ratio: '21:9', ...change }, small);
    const images = await Promise.all([
      ...styles.map((style) => wide({ style })),
      wide({ variation: 1 }),
      wide({ variation: 2 }),
      wide({ seed: 7 }),
      wide({ words: 'forest path' }),
    ]);
    expect(new Set(images.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(images.length);
  });
});
