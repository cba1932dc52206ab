/** The built-in generator. */

import { createSandbox } from '../../../lambda/adapters/generators/sandbox';
import { createSharpCodec } from '../../../lambda/adapters/rendering/sharp-codec';
import { systemClock } from '../../../lambda/adapters/system';
import type { SettingsOfGenerator } from '../../../lambda/contract/generators';
import { styles } from '../../../lambda/contract/request-bounds';
import { aspectBuckets, sizeOfBucket } from '../../../lambda/domain/generation/aspect-bucket';
import type { GeneratorAsk } from '../../../lambda/ports/generator';
import { ask, describeGenerator } from '../../contracts/generator';

// Painting is work for the processor, and a busy machine takes its time.
jest.setTimeout(20_000);

const codec = createSharpCodec();
const create = (settings: Partial<SettingsOfGenerator<'sandbox'>> = {}) =>
  createSandbox({ kind: 'sandbox', delayMs: 0, refuse: [], ...settings }, codec, systemClock);

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
  const draw = async (change: Partial<GeneratorAsk> = {}) => {
    const drawn = await create().generate({ ...ask, ...change }, new AbortController().signal);
    if (drawn.outcome === 'refused') throw new Error(drawn.reason);
    return drawn.bytes;
  };

  it.each(aspectBuckets)('draws %s at the size of the models it stands in for', async (ratio) => {
    expect(await codec.measure(await draw({ ratio }))).toMatchObject(sizeOfBucket(ratio, 1536));
  });

  it('draws the same image for the same request', async () => {
    expect(Buffer.compare(await draw({ variation: 3 }), await draw({ variation: 3 }))).toBe(0);
  });

  it('draws another image for another style, variation, seed or other words', async () => {
    const images = await Promise.all([
      ...styles.map((style) => draw({ style, ratio: '21:9' })),
      draw({ ratio: '21:9', variation: 1 }),
      draw({ ratio: '21:9', variation: 2 }),
      draw({ ratio: '21:9', seed: 7 }),
      draw({ ratio: '21:9', words: 'forest path' }),
    ]);
    expect(new Set(images.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(images.length);
  });
});
