/** Metadata of a photograph that anyone may have written. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { readPhoto } from '../../../cli/library/read-photo';
import { photoTextMax } from '../../../lambda/stock/library/photo';

const folder = mkdtempSync(join(tmpdir(), 'photo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">';
const tags = ['title', 'description', 'creator', 'rights', 'subject'].map((name) => `dc:${name}`);
const element = fc.tuple(fc.constantFrom(...tags, 'rdf:Alt', 'rdf:li', 'x'), fc.string(), fc.boolean());
/** Well-formed in part, and cut anywhere. */
const xmp = fc.tuple(fc.array(element, { maxLength: 12 }), fc.nat(600)).map(([elements, cut]) => {
  const inner = elements.map(([tag, text, ends]) => `<${tag}>${text}${ends ? `</${tag}>` : ''}`).join('');
  const description = `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">${inner}</rdf:Description>`;
  return cut < 100 ? (open + description).slice(0, 100 + cut) : `${open}${description}</rdf:RDF></x:xmpmeta>`;
});

it.each([
  [100, 100, true],
  [100, 99, false],
  [99, 100, false],
])('a photograph of %i × %i pixels is large enough: %s', async (width, height, isTaken) => {
  const path = join(folder, 'size.png');
  await sharp({ create: { width, height, channels: 3, background: 'teal' } }).toFile(path);
  const photo = await readPhoto(path, 'size.png', { keywords: 'teal', license: 'ours' });
  expect(typeof photo === 'object' || photo).toEqual(isTaken || expect.stringContaining('at least 100'));
});

it('a photograph that was taken upright is as wide and as high as it is seen', async () => {
  const path = join(folder, 'upright.jpg');
  const turned = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } });
  await turned.withMetadata({ orientation: 6 }).jpeg().toFile(path);
  const row = { keywords: 'teal', license: 'ours' };
  expect(await readPhoto(path, 'upright.jpg', row)).toMatchObject({ width: 200, height: 300 });
});

it('any XMP is read as texts of bounded length without control characters, or as none', async () => {
  const blank = await sharp({ create: { width: 120, height: 120, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await fc.assert(
    fc.asyncProperty(xmp, async (block) => {
      const path = join(folder, 'photo.jpg');
      writeFileSync(path, await sharp(blank).withXmp(block).jpeg().toBuffer());
      const photo = await readPhoto(path, 'photo.jpg', { keywords: 'teal', license: 'ours' });
      if (typeof photo === 'string') throw new Error(photo);
      const { bytes: _, ...said } = photo;
      expect(JSON.stringify(said)).not.toMatch(/\\u00[01]/);
      expect([...(photo.title ?? '')].length).toBeLessThanOrEqual(photoTextMax.title);
    }),
    { numRuns: 60 },
  );
});
