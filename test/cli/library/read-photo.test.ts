/** Tests how `readPhoto` reads a photograph, whose metadata anyone may have written. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { type PhotoRow, readPhoto } from '../../../cli/library/read-folder';
import { photoTextMax } from '../../../lambda/stock/library/manage-photos';
import { makeTestFolder } from '../../fakes/fixture';
import { addIptc } from '../../fakes/images';

const folder = makeTestFolder();

const xmpStart =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">';
const tags = ['title', 'description', 'creator', 'rights', 'subject'].map((name) => `dc:${name}`);
const element = fc.tuple(fc.constantFrom(...tags, 'rdf:Alt', 'rdf:li', 'x'), fc.string(), fc.boolean());
/** Well-formed in part, and cut anywhere. */
const xmp = fc.tuple(fc.array(element, { maxLength: 12 }), fc.nat(600)).map(([elements, cut]) => {
  const inner = elements.map(([tag, text, ends]) => `<${tag}>${text}${ends ? `</${tag}>` : ''}`).join('');
  const description = `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">${inner}</rdf:Description>`;
  return cut < 100
    ? (xmpStart + description).slice(0, 100 + cut)
    : `${xmpStart}${description}</rdf:RDF></x:xmpmeta>`;
});

test.each([
  [100, 100, true],
  [100, 99, false],
  [99, 100, false],
])('a photograph of %i × %i pixels is accepted: %s', async (width, height, isTaken) => {
  const path = join(folder, 'size.png');
  await sharp({ create: { width, height, channels: 3, background: 'teal' } }).toFile(path);
  const photo = await readPhoto(path, 'size.png', { keywords: 'teal', license: 'ours' });
  const tooSmall = { file: 'size.png', reason: expect.stringContaining('at least 100') };
  expect(photo).toEqual(isTaken ? expect.objectContaining({ keywords: ['teal'] }) : tooSmall);
});

/** A photograph with some XMP, and what a row of the table says of it. */
const readWritten = async (xmp: string, row: PhotoRow = {}) => {
  const path = join(folder, 'described.jpg');
  const plain = sharp({ create: { width: 120, height: 120, channels: 3, background: 'teal' } });
  const inner = `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">${xmp}</rdf:Description>`;
  await plain.withXmp(`${xmpStart}${inner}</rdf:RDF></x:xmpmeta>`).jpeg().toFile(path);
  return readPhoto(path, 'described.jpg', row);
};
const writeWords = (tag: string, ...texts: [language: string, text: string][]) =>
  `<dc:${tag}><rdf:Alt>${texts.map(([lang, text]) => `<rdf:li xml:lang="${lang}">${text}</rdf:li>`).join('')}</rdf:Alt></dc:${tag}>`;
const writeBag = (...texts: string[]) =>
  `<dc:subject><rdf:Bag>${texts.map((text) => `<rdf:li>${text}</rdf:li>`).join('')}</rdf:Bag></dc:subject>`;
const title = writeWords('title', ['x-default', 'Lake'], ['de', 'See']);
const rights = { license: 'ours' };
const manyKeywords = Array.from({ length: photoTextMax.keywords + 1 }, (_, i) => `k${i}`);

test.each<[string, string, PhotoRow, object]>([
  ['the title in its default language', title, rights, { title: 'Lake', license: 'ours' }],
  ['the words of the row before its own', title, { ...rights, title: 'Pond' }, { title: 'Pond' }],
  ['its own rights', `${title}${writeWords('rights', ['x-default', '© A'])}`, {}, { copyright: '© A' }],
  ['each keyword once', writeBag('lake', 'alps', 'lake'), rights, { keywords: ['lake', 'alps'] }],
  ['keywords alone', writeBag('lake'), rights, { keywords: ['lake'] }],
  ['keywords of the row', title, { ...rights, keywords: 'a; b;;a' }, { keywords: ['a', 'b'] }],
  [
    'as many keywords as are kept',
    title,
    { ...rights, keywords: manyKeywords.join(';') },
    { keywords: manyKeywords.slice(0, photoTextMax.keywords) },
  ],
  [
    'values of XMP, each in its place',
    `${writeWords('description', ['x-default', 'Long'])}<dc:creator><rdf:Seq><rdf:li>Jo</rdf:li></rdf:Seq></dc:creator>`,
    rights,
    { description: 'Long', creator: 'Jo', license: 'ours' },
  ],
  [
    'values of the row, each in its place, without marks of direction',
    title,
    { description: 'D\u202ee', creator: 'C', copyright: 'R', license: 'L' },
    { title: 'Lake', description: 'D e', creator: 'C', copyright: 'R', license: 'L' },
  ],
  [
    'texts of their own lengths',
    title,
    {
      description: 'd'.repeat(501),
      creator: 'c'.repeat(301),
      license: 'l'.repeat(301),
      keywords: 'k'.repeat(61),
    },
    {
      ...{ description: 'd'.repeat(500), creator: 'c'.repeat(300), license: 'l'.repeat(300) },
      keywords: ['k'.repeat(60)],
    },
  ],
  ['a page of its own', title, { ...rights, landingUrl: 'https://a.b/c' }, { landingUrl: 'https://a.b/c' }],
])('a photograph is described by %s', async (_, xmp, row, expected) => {
  expect(await readWritten(xmp, row)).toMatchObject(expected);
});

test.each([['javascript:alert(1)'], ['https://'], ['a.b/c']])(
  '%s is ignored, because it is no URL of a page',
  async (landingUrl) => {
    expect(await readWritten(title, { ...rights, landingUrl })).not.toHaveProperty('landingUrl');
  },
);

test.each<[string, string, object]>([
  ['XMP before IPTC', title + writeBag('lake'), { title: 'Lake', keywords: ['lake'], creator: 'Jane' }],
  [
    'IPTC if XMP says nothing',
    '',
    { title: 'Teich', keywords: ['teich'], creator: 'Jane', copyright: 'All ours', description: 'Am Teich' },
  ],
])('metadata is read: %s', async (_, xmp, expected) => {
  const photo = await readWritten(xmp, { ...rights, title: 'any' });
  if ('reason' in photo) throw new Error(photo.reason);
  const sets = [
    [5, 'Teich'],
    [25, 'teich'],
    [80, 'Jane'],
    [116, 'All ours'],
    [120, 'Am Teich'],
  ] as const;
  const path = join(folder, 'iptc.jpg');
  writeFileSync(path, addIptc(Buffer.from(photo.bytes), sets));
  expect(await readPhoto(path, 'iptc.jpg', rights)).toMatchObject(expected);
});

test.each<[string, string, PhotoRow, string]>([
  ['without words', '', rights, 'no title, description or keywords'],
  ['without rights', title, {}, 'states no rights'],
])('a photograph %s is refused', async (_, xmp, row, says) => {
  expect(await readWritten(xmp, row)).toMatchObject({ reason: expect.stringContaining(says) });
});

test('a photograph with an orientation has its upright size', async () => {
  const path = join(folder, 'upright.jpg');
  const turned = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } });
  await turned.withMetadata({ orientation: 6 }).jpeg().toFile(path);
  const row = { keywords: 'teal', license: 'ours' };
  expect(await readPhoto(path, 'upright.jpg', row)).toMatchObject({ width: 200, height: 300 });
});

const locationXmp = '<exif:GPSLatitude xmlns:exif="http://ns.adobe.com/exif/1.0/">52,31N</exif:GPSLatitude>';
const camera = { IFD0: { Artist: 'Jane' } };
const located = { IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } };
test.each<[string, (image: Sharp) => Sharp, boolean]>([
  ['no location as it is', (image) => image.withExif(camera).jpeg(), true],
  ['no metadata as it is', (image) => image.png(), true],
  [
    'a location in EXIF without its metadata',
    (image) => image.withExif({ ...camera, ...located }).jpeg(),
    false,
  ],
  ['a location in the EXIF of a PNG without its metadata', (image) => image.withExif(located).png(), false],
  [
    'a location in XMP without its metadata',
    (image) =>
      image
        .withXmp(`${xmpStart}<rdf:Description>${locationXmp}</rdf:Description></rdf:RDF></x:xmpmeta>`)
        .webp({ lossless: true }),
    false,
  ],
  [
    'a location in cut off XMP without its metadata',
    (image) => image.withXmp(`${xmpStart}<a>${locationXmp}`).webp(),
    false,
  ],
])('a photograph is stored with %s', async (_, write, isKept) => {
  const image = sharp({ create: { width: 120, height: 110, channels: 3, background: 'teal' } });
  const file = await write(image).toBuffer();
  const path = join(folder, 'located');
  writeFileSync(path, file);
  const photo = await readPhoto(path, 'located', { keywords: 'teal', license: 'ours' });
  if ('reason' in photo) throw new Error(photo.reason);
  expect(file.equals(photo.bytes)).toBe(isKept);
  const { exif, xmp, format, width, height } = await sharp(photo.bytes).metadata();
  expect({ mediaType: `image/${format}`, width, height }).toEqual({
    mediaType: photo.mediaType,
    width: 120,
    height: 110,
  });
  if (!isKept) expect([exif, xmp]).toEqual([undefined, undefined]);
});

test('any XMP becomes short texts without control characters', async () => {
  const blank = await sharp({ create: { width: 120, height: 120, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await fc.assert(
    fc.asyncProperty(xmp, async (block) => {
      const path = join(folder, 'photo.jpg');
      writeFileSync(path, await sharp(blank).withXmp(block).jpeg().toBuffer());
      const photo = await readPhoto(path, 'photo.jpg', { keywords: 'teal', license: 'ours' });
      if ('reason' in photo) throw new Error(photo.reason);
      const { bytes: _, ...texts } = photo;
      expect(JSON.stringify(texts)).not.toMatch(/\\u00[01]/);
      expect([...(photo.title ?? '')].length).toBeLessThanOrEqual(photoTextMax.title);
    }),
    { numRuns: 60 },
  );
});
