/** Which answers of a judge count, and what it is shown. */

import * as fc from 'fast-check';
import sharp from 'sharp';
import { readJudgement } from '../../lambda/images/judgement';
import { readSearches } from '../../lambda/images/searches';
import { createSharpCodec } from '../../lambda/images/sharp/sharp-codec';

const image = { n: 1, fit: 'exact', has: ['people'], focal: { x: 0.5, y: 0 }, calm: 'none' };
const answer = (change: object = {}, ...more: object[]) =>
  JSON.stringify({ images: [{ ...image, ...change }, ...more], alt: 'Two hikers' });

describe("a judge's answer", () => {
  it('is read with the images in its order', () => {
    const read = readJudgement(answer({ n: 2 }, image), 2);
    expect(read?.images.map(({ n }) => n)).toEqual([2, 1]);
    expect(read?.alt).toBe('Two hikers');
  });

  it.each([
    ['no JSON', 'yes'],
    ['another field', JSON.stringify({ ...JSON.parse(answer()), note: 'x' })],
    ['another field of an image', answer({ score: 1 })],
    ['a number that is not on the sheet', answer({ n: 3 })],
    ['a number of 0', answer({ n: 0 })],
    ['a number twice', answer({}, image)],
    ['a focal point outside the image', answer({ focal: { x: 1.01, y: 0 } })],
    ['an unknown fit', answer({ fit: 'good' })],
    ['an unknown flaw', answer({ has: ['cats'] })],
    ['no image', JSON.stringify({ images: [], alt: 'Two hikers' })],
    ['an empty text', JSON.stringify({ images: [image], alt: '' })],
    ['a text of control characters', JSON.stringify({ images: [image], alt: '\u0007 ' })],
    ['a text of 251 characters', JSON.stringify({ images: [image], alt: 'a'.repeat(251) })],
    ['more than 64 KB', `${answer()}${' '.repeat(65_536)}`],
  ])('with %s is ignored as a whole', (_, text) => expect(readJudgement(text, 2)).toBeUndefined());

  it('has its text cut to 125 characters, without control characters', () => {
    const alt = `Hi\u0000kers\u202e \ud83d${'a'.repeat(240)}`;
    const read = readJudgement(JSON.stringify({ images: [image], alt }), 1);
    expect([...(read?.alt ?? '')]).toHaveLength(125);
    expect(read?.alt).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
  });

  it('never throws', async () => {
    await fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 1, max: 8 }), (text, count) => {
        readJudgement(text, count);
        readSearches(text);
      }),
    );
  });
});

it.each([
  ['{"searches":["red car","road"]}', ['red car', 'road']],
  ['{"searches":["red car"]}', undefined],
  ['{"searches":["a b c d","road"]}', undefined],
  ['{"searches":["","road"]}', undefined],
  ['{"searches":[" red \\n car ","road"]}', ['red car', 'road']],
  [`{"searches":["${'a'.repeat(60)}","road"]}`, ['a'.repeat(60), 'road']],
  [`{"searches":["${'a'.repeat(61)}","road"]}`, undefined],
])("a rewriter's answer %s gives %j", (text, searches) => expect(readSearches(text)).toEqual(searches));

describe('a contact sheet', () => {
  const { contactSheet } = createSharpCodec();
  const plain = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();

  it.each([
    [1, 320, 320],
    [3, 960, 320],
    [4, 1_280, 320],
    [5, 1_280, 640],
    [8, 1_280, 640],
  ])('of %i images is %i × %i pixels', async (count, width, height) => {
    const images = await Promise.all(Array.from({ length: count }, () => plain(300, 200, '#a00')));
    const size = await sharp(await contactSheet(images)).metadata();
    expect([size.format, size.width, size.height]).toEqual(['jpeg', width, height]);
  });

  /** Its pixels by place, from the left and from above. */
  const pixelsOf = async (image: Uint8Array) => {
    const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
    return { at, ...info };
  };
  const near = (colour: readonly number[], ...wanted: readonly number[]) =>
    colour.every((channel, index) => Math.abs(channel - (wanted[index] as number)) < 12);

  it('shows each image whole and centred on grey, with its number in a dark box of its own', async () => {
    const sheet = await contactSheet([await plain(640, 320, '#ff0000'), await plain(160, 320, '#0000ff')]);
    const { at } = await pixelsOf(sheet);
    expect(near(at(5, 160), 255, 0, 0) && near(at(314, 160), 255, 0, 0)).toBe(true);
    expect(near(at(160, 70), 128, 128, 128) && near(at(160, 250), 128, 128, 128)).toBe(true);
    expect(near(at(320 + 160, 5), 0, 0, 255) && near(at(320 + 60, 160), 128, 128, 128)).toBe(true);
    expect(Math.max(...at(4, 4), ...at(324, 4))).toBeLessThan(60);
    const box = await sharp(sheet).extract({ left: 0, top: 0, width: 48, height: 48 }).raw().toBuffer();
    expect(Math.max(...box)).toBeGreaterThan(200);
  });

  it('shows a photograph upright', async () => {
    const lying = await sharp(await plain(200, 320, '#ff0000'))
      .extend({ left: 200, background: '#0000ff' })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { at, width, height } = await pixelsOf(await contactSheet([lying]));
    const [upper, lower] = [at(width / 2, 40), at(width / 2, height - 40)];
    expect(near(upper, 0, 0, 255) && near(lower, 255, 0, 0)).toBe(true);
  });
});

it('a crop keeps the focal point, as near to its middle as the image allows', async () => {
  const dot = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#0f0' } })
    .png()
    .toBuffer();
  const source = await sharp({ create: { width: 1_600, height: 400, channels: 3, background: '#222' } })
    .composite([{ input: dot, left: 1_480, top: 160 }])
    .png()
    .toBuffer();
  const recipe = {
    widthPx: 400,
    heightPx: 400,
    format: 'jpeg',
    metadata: { creditLine: 'Jane', aiGenerated: false },
  } as const;
  const rendered = await createSharpCodec().render(source, { ...recipe, focal: { x: 0.95, y: 0.5 } });
  if (rendered.outcome !== 'encoded') throw new Error(rendered.reason);
  const { data, info } = await sharp(rendered.bytes).raw().toBuffer({ resolveWithObject: true });
  const green = data[(200 * info.width + 320) * info.channels + 1];
  expect(green).toBeGreaterThan(180);
});
