/** Photographs of the operator's own, from the command to the page. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageRecord } from '../../lambda/images/record';
import { fixtureOf, folderFixture } from '../fakes/fixture';
import { withIptc } from '../fakes/iptc';
import { startService } from './local-service';
import { operatorAt } from './operator';

const xmp = (title: string, rights?: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>` +
  `<dc:creator><rdf:Seq><rdf:li>Jane Doe</rdf:li></rdf:Seq></dc:creator>` +
  (rights === undefined
    ? ''
    : `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${rights}</rdf:li></rdf:Alt></dc:rights>`) +
  `</rdf:Description></rdf:RDF></x:xmpmeta>`;

describe('a library of photographs', () => {
  const service = fixtureOf(() =>
    startService(['--memory', '--fake-providers', '--bind', 'stock_a=library,stock_b=pexels']),
  );
  const folder = folderFixture();
  const library = (...args: string[]) => operatorAt(service.url, folder).run('library', ...args);
  // An answer is kept for five minutes: each request asks for another size.
  let requests = 0;
  const record = async (query: string) => {
    const size = `width=640&height=${400 + requests++}`;
    const url = `${service.url}/api/image?query=${encodeURIComponent(query)}&format=json&${size}`;
    return (await (await fetch(url)).json()) as ImageRecord;
  };

  beforeAll(async () => {
    const plain = (width = 900) => sharp({ create: { width, height: 600, channels: 3, background: '#a53' } });
    mkdirSync(join(folder, 'sub'));
    const files: Record<string, Buffer> = {
      'quokka.png': await plain().withXmp(xmp('Quokka under a fern', '© Jane Doe')).png().toBuffer(),
      'sub/narwhal.avif': await plain().avif().toBuffer(),
      'okapi.jpg': withIptc(await plain().jpeg().toBuffer(), [
        [5, 'Okapi at dusk'],
        [80, 'Jane'],
        [116, 'Acme'],
      ]),
      'no-rights.webp': await plain().withXmp(xmp('Axolotl')).webp().toBuffer(),
      'tiny.jpg': await plain(40).withXmp(xmp('Axolotl', '©')).jpeg().toBuffer(),
      'cut.jpg': (await plain().withXmp(xmp('Axolotl', '©')).jpeg().toBuffer()).subarray(0, 2_000),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    symlinkSync('/etc/hostname', join(folder, 'link.jpg'));
    writeFileSync(
      join(folder, 'library.csv'),
      'file,title,license\nsub/narwhal.avif,"Narwhal, seen from above",CC BY 4.0\nquokka.png,,\n../out.jpg,a,b\n',
    );
  });

  const asked = async () =>
    JSON.stringify(await (await fetch(`${service.fakeProviders['pexels']}/_requests`)).json());

  it('the library takes photographs with words and rights, names what it refuses, and takes none twice', async () => {
    expect((await record('quokka under fern')).source).toBe('stock_b');
    const first = await library('add', folder);
    expect(first.exitCode).toBe(1);
    const { added, known, refused } = first.json<{
      added: number;
      known: number;
      refused: { file: string }[];
    }>();
    expect([added, known]).toEqual([3, 0]);
    expect(refused.map(({ file }) => file).sort()).toEqual([
      '../out.jpg',
      'cut.jpg',
      'link.jpg',
      'no-rights.webp',
      'tiny.jpg',
    ]);
    expect((await library('add', folder)).json()).toMatchObject({ added: 0, known: 3 });
    expect((await library('add', join(folder, 'nowhere'))).exitCode).toBe(2);
  });

  it.each([
    ['quokka under fern', 'Photo: Jane Doe, © Jane Doe'],
    ['narwhal seen from above', 'CC BY 4.0'],
    ['okapi at dusk', 'Photo: Jane, Acme'],
  ])('the next request shows "%s", credited with "%s", from the own host', async (query, creditLine) => {
    const before = await asked();
    const { url, source, attribution, fit } = await record(query);
    expect([source, attribution.providerName, attribution.creditLine, fit]).toEqual([
      'stock_a',
      'Library',
      creditLine,
      'exact',
    ]);
    expect(await asked()).toBe(before);
    expect(url.startsWith(`${service.url}/cdn/`)).toBe(true);
    const { width, height } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
    expect([width, height]).toEqual([640, 399 + requests]);
  });

  it('the library leaves words that it lacks to the next slot', async () => {
    expect((await record('lighthouse coast')).source).toBe('stock_b');
    expect(await asked()).toContain('lighthouse');
  });

  it('the library shows no photograph that was removed', async () => {
    const { images } = (await library('list')).json<{ images: Readonly<Record<'id' | 'file', string>>[] }>();
    const id = images.find(({ file }) => file === 'quokka.png')?.id ?? '';
    expect((await library('remove', id, '--yes')).json()).toEqual({ removed: [id] });
    expect((await record('quokka under fern')).source).toBe('stock_b');
  });
});
