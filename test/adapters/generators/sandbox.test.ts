/** The built-in generator. */

import { createSandbox } from '../../../lambda/adapters/generators/sandbox';
import { createSharpCodec } from '../../../lambda/adapters/rendering/sharp-codec';
import { systemClock } from '../../../lambda/adapters/system';
import type { SettingsOfGenerator } from '../../../lambda/contract/generators';
import { styles } from '../../../lambda/contract/request-bounds';
import { aspectBuckets, sizeOfBucket } from '../../../lambda/domain/generation/aspect-bucket';
import type { GeneratorAsk } from '../../../lambda/ports/generator';
import type { ImageCodec } from '../../../lambda/ports/image-codec';
import { ask, describeGenerator } from '../../contracts/generator';

// Painting is work for the processor, and a busy machine takes its time.
jest.setTimeout(20_000);

const codec = createSharpCodec();
/** Paints a quarter of each side, which shows a difference as well at a sixth of the work. */
const smallCodec: ImageCodec = {
  ...codec,
  paint(svg, recipe) {
    const widthPx = Math.round(recipe.widthPx / 4);
    const heightPx = Math.round(recipe.heightPx / 4);
    const small = svg.replace(/ width="\d+" height="\d+"/, ` width="${widthPx}" height="${heightPx}"`);
    expect(small).not.toBe(svg);
    return codec.paint(small, { ...recipe, widthPx, heightPx });
  },
};
const create = (settings: Partial<SettingsOfGenerator<'sandbox'>> = {}, by: ImageCodec = codec) =>
  createSandbox({ kind: 'sandbox', delayMs: 0, refuse: [], ...settings }, by, systemClock);

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
  const draw = async (change: Partial<GeneratorAsk>, by?: ImageCodec) => {
    const drawn = await create({}, by).generate({ ...ask, ...change }, new AbortController().signal);
    if (drawn.outcome === 'refused') throw new Error(drawn.reason);
    return drawn.bytes;
  };

  it.each(aspectBuckets)('draws %s at the size of the models it stands in for', async (ratio) => {
    expect(await codec.measure(await draw({ ratio }))).toMatchObject(sizeOfBucket(ratio, 1536));
  });

  it('draws the same image for the same request', async () => {
    const [one, other] = [await draw({ variation: 3 }, smallCodec), await draw({ variation: 3 }, smallCodec)];
    expect(Buffer.compare(one, other)).toBe(0);
  });

  it('draws another image for another style, variation, seed or other words', async () => {
    const wide = (change: Partial<GeneratorAsk>) => draw({ ratio: '21:9', ...change }, smallCodec);
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
