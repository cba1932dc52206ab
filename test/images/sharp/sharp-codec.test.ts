/** Renditions: their size, picture, crop, label and metadata, and the originals that are refused. */

import sharp from 'sharp';
import type { Crop } from '../../../lambda/contract/request-bounds';
import type { Placeholder } from '../../../lambda/images/image';
import type { Recipe } from '../../../lambda/images/renderer-job';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { renditionFormats } from '../../../lambda/requests/rendition';
import * as images from '../../fakes/images';

const metadata = { creditLine: 'Photo by “Zoë & Søn” <a b> via Openverse, CC BY 4.0', aiGenerated: false };
const makeRecipe = (change: Partial<Recipe> = {}): Recipe => ({
  widthPx: 300,
  heightPx: 200,
  format: 'jpeg',
  metadata,
  ...change,
});

async function render(original: Uint8Array, change: Partial<Recipe> = {}) {
  const image = await codec.renderOriginal(original, makeRecipe(change));
  if (image.outcome === 'unusable') throw new Error(image.reason);
  return image;
}

async function findReason(original: Uint8Array, change: Partial<Recipe> = {}) {
  const image = await codec.renderOriginal(original, makeRecipe(change));
  return image.outcome === 'unusable' ? image.reason : 'usable';
}

/** The colour in the middle of an image's left or right edge, as a letter. */
async function readColour(bytes: Uint8Array, side: 'left' | 'right'): Promise<string> {
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const x = side === 'left' ? 2 : info.width - 3;
  const pixelIndex = (Math.floor(info.height / 2) * info.width + x) * info.channels;
  const [red = 0, green = 0, blue = 0] = [...data.subarray(pixelIndex, pixelIndex + 3)];
  if (Math.min(red, green, blue) > 200) return 'white';
  return red > blue ? 'red' : 'blue';
}

describe('size', () => {
  const sizes = [
    [100, 100],
    [1920, 1080],
    [1080, 1350],
    [4000, 100],
    [100, 4000],
    [101, 4000],
    [333, 777],
  ] as const;
  const table = [
    ...sizes.map(([widthPx, heightPx]) => ({ widthPx, heightPx, format: 'jpeg' as const })),
    ...renditionFormats.map((format) => ({ widthPx: 333, heightPx: 222, format })),
  ];

  test.each(table)('a rendition has exactly $widthPx × $heightPx pixels as $format', async (change) => {
    const { bytes, mediaType } = await render(await images.makeJpeg(800, 533), change);
    expect(mediaType).toBe(`image/${change.format}`);
    const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([change.widthPx, change.heightPx]);
    const { format } = await sharp(bytes).metadata();
    expect(format).toBe(change.format === 'avif' ? 'heif' : change.format);
  });

  test.each([
    [1, 1],
    [2, 5_000],
    [5_000, 2],
    [3_000, 2_000],
  ])('a rendition of an original of %i × %i has exactly its size', async (widthPx, heightPx) => {
    const { bytes } = await render(await images.makePng(widthPx, heightPx));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 200 });
  });
});

describe('picture', () => {
  test('a rendition is upright for every stored orientation', async () => {
    const original = await images.makeSidewaysJpeg(600, 400);
    const { bytes } = await render(original, { widthPx: 400, heightPx: 600 });
    const turned = await sharp(bytes).metadata();
    expect(turned).toMatchObject({ width: 400, height: 600 });
    expect(turned.orientation ?? 1).toBe(1);
    const top = await sharp(bytes).extract({ left: 0, top: 0, width: 400, height: 100 }).toBuffer();
    const bottom = await sharp(bytes).extract({ left: 0, top: 500, width: 400, height: 100 }).toBuffer();
    expect([await readColour(top, 'left'), await readColour(bottom, 'left')]).toEqual(['red', 'blue']);
  });

  test.each([
    ['CMYK', images.makeCmykJpeg],
    ['16 bits', images.makeDeepPng],
  ])('a rendition of an image with %s keeps the colours', async (_, make) => {
    for (const format of renditionFormats) {
      const { bytes } = await render(await make(), { format });
      expect([await readColour(bytes, 'left'), await readColour(bytes, 'right')]).toEqual(['red', 'blue']);
      expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
    }
  });

  test.each(renditionFormats)('transparent parts of an original become white as %s', async (format) => {
    const { bytes } = await render(await images.makeTransparentPng(), { format });
    expect(await readColour(bytes, 'left')).toBe('white');
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
  });
});

describe('crop', () => {
  const readColours = async (original: Uint8Array, change: Partial<Recipe>) => {
    const { bytes } = await render(original, { widthPx: 200, heightPx: 200, ...change });
    return [await readColour(bytes, 'left'), await readColour(bytes, 'right')];
  };

  test.each<[Crop, string[]]>([
    ['left', ['red', 'red']],
    ['right', ['blue', 'blue']],
    ['center', ['red', 'blue']],
    ['top', ['red', 'red']],
    ['bottom', ['blue', 'blue']],
  ])('a crop to the %s keeps that part', async (crop, expected) => {
    const lying = await images.makePng(600, 200);
    const isUpright = crop === 'top' || crop === 'bottom';
    // The original is turned clockwise: its left side is on top.
    const original = isUpright ? await sharp(lying).rotate(90).png().toBuffer() : lying;
    expect(await readColours(original, { crop })).toEqual(expected);
  });

  test.each<[string, Partial<Recipe>]>([
    ['the default crop', {}],
    ['the crop `attention`', { crop: 'attention' }],
    ['the crop `faces`', { crop: 'faces' }],
  ])('%s keeps what draws the eye', async (_, change) => {
    const create = { width: 600, height: 200, channels: 3, background: '#888' } as const;
    const input = await sharp({ create: { ...create, width: 80, height: 80, background: 'red' } })
      .png()
      .toBuffer();
    const original = await sharp({ create })
      .composite([{ input, left: 500, top: 60 }])
      .png()
      .toBuffer();
    const { bytes } = await render(original, { widthPx: 200, heightPx: 200, ...change });
    expect((await sharp(bytes).stats()).channels[1]?.min).toBeLessThan(60);
  });
});

test('a master keeps more detail than a rendition', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 300, height: 200, channels: 3, background: 'red', noise } as const;
  const original = await sharp({ create }).png().toBuffer();
  const [master, rendition] = [await render(original, { isMaster: true }), await render(original)];
  expect(master.bytes.length).toBeGreaterThan(1.2 * rendition.bytes.length);
});

describe('label', () => {
  /** The darkest and the lightest pixel of the two lower corners, right and left, 0 to 255. */
  const readExtremes = async (bytes: Uint8Array, widthPx: number, heightPx: number) =>
    Promise.all(
      [widthPx - 32, 0].map(async (leftPx) => {
        const corner = { left: leftPx, top: heightPx - 24, width: 32, height: 24 };
        // In two passes, because `stats` reads the whole input.
        const { channels } = await sharp(await sharp(bytes).extract(corner).png().toBuffer()).stats();
        return [Math.min(...channels.map(({ min }) => min)), Math.max(...channels.map(({ max }) => max))];
      }),
    );

  test.each([
    ...['white', 'black', 'red'].map((background) => ({
      background,
      format: 'jpeg' as const,
      widthPx: 100,
      heightPx: 100,
    })),
    ...renditionFormats.map((format) => ({ background: 'white', format, widthPx: 640, heightPx: 360 })),
  ])('a label is readable in $widthPx × $heightPx as $format on $background', async (row) => {
    const { background, format, widthPx, heightPx } = row;
    const create = { width: 800, height: 600, channels: 3, background } as const;
    const original = await sharp({ create }).png().toBuffer();
    const size = { format, widthPx, heightPx };
    const plain = await readExtremes((await render(original, size)).bytes, widthPx, heightPx);
    const { bytes } = await render(original, { ...size, label: 'corner' });
    const [mark, elsewhere] = await readExtremes(bytes, widthPx, heightPx);
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
    expect(mark?.[0]).toBeLessThan(100);
    expect(mark?.[1]).toBeGreaterThan(225);
    expect(elsewhere).toEqual(plain[1]);
  });
});

test('an image that can be rendered is measured upright', async () => {
  const size = { mediaType: 'image/jpeg', widthPx: 100, heightPx: 200 };
  expect(await codec.measureImage(await images.makeSidewaysJpeg(200, 100))).toEqual({
    outcome: 'measured',
    ...size,
  });
  for (const bytes of [Buffer.from('<svg/>'), await images.makeAnimation('gif')])
    expect(await codec.measureImage(bytes)).toMatchObject({ outcome: 'unusable' });
});

test('a strip is cut from its middle before it is scaled', async () => {
  const size = { widthPx: 100, heightPx: 100 };
  for (const strip of [await images.makeJpeg(8_000, 10), await images.makeSidewaysJpeg(8_000, 10)])
    expect(await sharp((await render(strip, size)).bytes).metadata()).toMatchObject({
      width: 100,
      height: 100,
    });
  const { bytes } = await render(await images.makeJpeg(8_000, 10), { ...size, crop: 'center' });
  expect([await readColour(bytes, 'left'), await readColour(bytes, 'right')]).toEqual(['red', 'blue']);
});

test('a crop of a strip searches the middle eight times its size', async () => {
  const white = { create: { width: 8_000, height: 10, channels: 3, background: 'white' } } as const;
  const readColourWithRedAt = async (leftPx: number) => {
    const red = { create: { width: 12, height: 10, channels: 3, background: 'red' } } as const;
    const strip = sharp(white).composite([{ input: red, left: leftPx, top: 0 }]);
    const { bytes } = await render(await strip.png().toBuffer(), { widthPx: 100, heightPx: 100 });
    return readColour(bytes, 'left');
  };
  // The middle: 80 of 8,000 pixels, from 3,960.
  expect(await readColourWithRedAt(3_940)).not.toBe('red');
  expect(await readColourWithRedAt(3_970)).toBe('red');
});

describe('metadata', () => {
  test.each(renditionFormats)(
    'metadata has our credit line in place of the original’s as %s',
    async (format) => {
      const { bytes } = await render(await images.makeJpegWithMetadata(), { format });
      const { exif, xmp, iptc } = await sharp(bytes).metadata();
      const metadata = Buffer.concat([exif, xmp, iptc].filter((part) => part !== undefined));
      expect(xmp?.toString()).toContain(
        '<photoshop:Credit>Photo by “Zoë &#38; Søn” &#60;a b&#62; via Openverse, CC BY 4.0',
      );
      for (const secret of ['Private Person', 'Camera', 'secret'])
        expect(metadata.includes(secret)).toBe(false);
      expect(xmp?.toString()).not.toContain('trainedAlgorithmicMedia');
    },
  );

  test.each(renditionFormats)('metadata tells that a model has made the image as %s', async (format) => {
    const ai = { creditLine: 'Generated by the service', aiGenerated: true };
    const { bytes } = await render(await images.makeJpeg(400, 300), { format, metadata: ai });
    const { xmp } = await sharp(bytes).metadata();
    expect(xmp?.toString()).toContain(
      '<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia<',
    );
    expect(xmp?.toString()).toContain('AI-generated image. Generated by the service');
  });

  test('metadata can hold any text', async () => {
    const creditLine = 'a\0b\ud800c ]]> 山 \u{1f600}';
    const { bytes } = await render(await images.makeJpeg(400, 300), {
      metadata: { creditLine, aiGenerated: false },
    });
    expect((await sharp(bytes).metadata()).xmp?.toString()).toContain('ab\ufffdc ]]&#62; 山 \u{1f600}');
  });
});

describe('usable originals', () => {
  test('a greyscale original is usable', async () => {
    expect(await findReason(await images.makeGreyscaleJpeg())).toBe('usable');
  });

  test('an original with too many pixels is unusable', async () => {
    const bomb = await images.makeBomb();
    expect(bomb.byteLength).toBeLessThan(200_000);
    expect(await findReason(bomb)).toMatch(/pixel limit/);
  });

  test('an original with too many bytes is unusable', async () => {
    expect(
      await findReason(Buffer.concat([await images.makeJpeg(10, 10), Buffer.alloc(40_000_000)])),
    ).toMatch(/larger/);
  });

  test.each(['gif', 'webp'] as const)('a moving original is unusable as %s', async (format) => {
    expect(await findReason(await images.makeAnimation(format))).toMatch(/moving/);
  });

  test('a cut or damaged original is unusable', async () => {
    const jpeg = await images.makeJpeg(800, 600);
    const png = await images.makePng(800, 600);
    expect(await findReason(jpeg.subarray(0, jpeg.length / 2))).not.toBe('usable');
    expect(await findReason(png.subarray(0, png.length / 2))).not.toBe('usable');
    expect(await findReason(Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(500, 7)]))).not.toBe('usable');
    expect(await findReason(jpeg.subarray(0, 3))).not.toBe('usable');
  });

  test.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><title>Not found</title>'],
    ['an SVG document', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['an SVG document after a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a PDF', '%PDF-1.7\n'],
    ['a TIFF', 'II*\0'],
  ])('an original that is %s is unusable', async (_, text) => {
    expect(await findReason(Buffer.from(text))).toBe('not an image of a kind that is taken');
  });
});

describe('placeholder', () => {
  const readBytes = ({ dataUri }: Placeholder) => Buffer.from(dataUri.split(',')[1] ?? '', 'base64');

  test.each([
    [600, 400, 16, 11],
    [1920, 1080, 16, 9],
    [400, 400, 16, 16],
    [400, 600, 11, 16],
    [4000, 100, 16, 1],
  ])(
    'the placeholder of %i × %i pixels is a small WebP of %i × %i in its colours',
    async (width, height, small, low) => {
      const placeholder = await codec.makePlaceholder(await images.makeJpeg(width, height));
      expect(placeholder.dataUri).toMatch(/^data:image\/webp;base64,[\w+/]{1,360}={0,2}$/);
      const bytes = readBytes(placeholder);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: small, height: low });
      if (low > 1)
        expect([await readColour(bytes, 'left'), await readColour(bytes, 'right')]).toEqual(['red', 'blue']);
    },
  );

  test('a placeholder shows transparent parts as white', async () => {
    const dark = sharp({ create: { width: 8, height: 8, channels: 3, background: '#00030a' } }).png();
    const placeholders = [await dark.toBuffer(), await images.makeTransparentPng()].map(
      codec.makePlaceholder,
    );
    expect(await Promise.all(placeholders)).toMatchObject([{ color: '#00030a' }, { color: '#ffffff' }]);
  });

  test('a placeholder of a text file is refused', async () => {
    await expect(codec.makePlaceholder(Buffer.from('no image'))).rejects.toThrow();
  });
});
