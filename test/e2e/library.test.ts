/** Photographs of the operator's own, from the command to the page. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { LogEntry } from '../../lambda/base/change-log';
import type { ImageRecord } from '../../lambda/images/record';
import { curationSeenMs } from '../../lambda/stock/curation';
import { withIptc } from '../fakes/iptc';
import { startService } from './local-service';
import { operatorAt } from './operator';
import { type SharedService, sharedService } from './shared-service';

jest.setTimeout(60_000);

const xmp = (title: string, rights?: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>` +
  `<dc:creator><rdf:Seq><rdf:li>Jane Doe</rdf:li></rdf:Seq></dc:creator>` +
  (rights === undefined
    ? ''
    : `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${rights}</rdf:li></rdf:Alt></dc:rights>`) +
  `</rdf:Description></rdf:RDF></x:xmpmeta>`;

describe('a library of photographs', () => {
  let service: SharedService;
  let folder: string;
  let began: string;
  const tool = (...args: string[]) => operatorAt(service.url, folder).run(...args);
  const library = (...args: string[]) => tool('library', ...args);
  const record = async (query: string, key?: string) => {
    const url = `${service.url}/api/image?query=${encodeURIComponent(query)}&format=json&width=640&height=400`;
    const answer = await fetch(url, { headers: key ? { 'X-API-Key': key } : {} });
    return (await answer.json()) as ImageRecord;
  };

  beforeAll(async () => {
    service = await sharedService();
    // Other files have had photographs of the same service before.
    began = new Date().toISOString();
    folder = mkdtempSync(join(tmpdir(), 'photos-'));
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('adds what has words and rights, names what it refuses, and adds nothing twice', async () => {
    await record('quokka under fern');
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
  ])('shows "%s" at the next request, credited with "%s", from the own host', async (query, creditLine) => {
    const { url, attribution, fit } = await record(query);
    expect([attribution.providerName, attribution.creditLine, fit]).toEqual(['Library', creditLine, 'exact']);
    expect(url.startsWith(`${service.url}/cdn/`)).toBe(true);
    const { width, height } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
    expect([width, height]).toEqual([640, 400]);
  });

  it('shows photographs of an account to that account alone', async () => {
    const open = async () =>
      (await tool('keys', 'create', '--plan', 'pro')).json<{ key: string; account: string }>();
    const [mine, other] = [await open(), await open()];
    const own = mkdtempSync(join(tmpdir(), 'photos-'));
    writeFileSync(
      join(own, 'a.jpg'),
      await sharp({ create: { width: 900, height: 600, channels: 3, background: '#35a' } })
        .withXmp(xmp('Pangolin at night', '© Acme'))
        .jpeg()
        .toBuffer(),
    );
    expect((await library('add', own, '--account', mine.account)).json()).toMatchObject({ added: 1 });
    rmSync(own, { recursive: true });
    const provider = async (key?: string) =>
      (await record('pangolin at night', key)).attribution.providerName;
    expect([await provider(mine.key), await provider(other.key), await provider()]).toEqual([
      'Library',
      'Sandbox',
      'Sandbox',
    ]);
    expect((await library('add', folder, '--account', 'acc_nobody')).exitCode).toBe(3);
  });

  it('exports the files byte for byte with a table, and removes what is named', async () => {
    const out = join(folder, 'out');
    await library('export', out);
    expect(readFileSync(join(out, 'quokka.png'))).toEqual(readFileSync(join(folder, 'quokka.png')));
    expect(existsSync(join(out, 'sub/narwhal.avif'))).toBe(true);
    expect(readFileSync(join(out, 'library.csv'), 'utf8')).toContain('"Narwhal, seen from above"');
    type Listed = Readonly<Record<'id' | 'file' | 'account', string>>;
    const { images } = (await library('list')).json<{ images: Listed[] }>();
    const [quokka, pangolin] = ['quokka.png', 'a.jpg'].map((file) =>
      images.find((each) => each.file === file),
    ) as [Listed, Listed];
    const ids = [quokka.id, pangolin.id];
    expect((await library('remove', ...ids)).exitCode).toBe(4);
    expect((await library('remove', ...ids, '--yes')).json()).toEqual({ removed: ids });
    const removedMs = Date.now();
    expect((await library('remove', quokka.id, '--yes')).exitCode).toBe(3);
    expect((await record('quokka under fern')).attribution.providerName).toBe('Sandbox');
    const { entries } = (await tool('log', '--since', began)).json<{ entries: LogEntry[] }>();
    // Every instance has seen it by the time that the command says so.
    expect(removedMs - Date.parse(entries.at(-1)?.at ?? '')).toBeGreaterThanOrEqual(curationSeenMs);
    const { account } = pangolin;
    expect(entries.filter(({ action }) => action.startsWith('library.'))).toMatchObject([
      { action: 'library.added', added: 3 },
      { action: 'library.added', added: 1, account },
      { action: 'library.removed', ids: [quokka.id] },
      { action: 'library.removed', ids: [pangolin.id], account },
    ]);
  });
});

it('adds a folder of photographs, and the next request for words of one shows it, credited, with no provider asked', async () => {
  const service = await startService(['--memory', '--fake-providers', '--bind', 'stock_a=pexels']);
  const folder = mkdtempSync(join(tmpdir(), 'photos-'));
  try {
    const requests = async () => (await fetch(`${service.fakeProviders['pexels']}/_requests`)).json();
    const ask = async (query: string) => {
      const url = `${service.url}/api/image?query=${encodeURIComponent(query)}&format=json&width=320&height=200`;
      return (await (await fetch(url)).json()) as ImageRecord;
    };
    const plain = sharp({ create: { width: 400, height: 260, channels: 3, background: '#375' } });
    const bytes = await plain.jpeg().toBuffer();
    for (let number = 1; number <= 40; number++) {
      const photo = sharp(bytes).withXmp(xmp(`Brewery kettle model${number}`, '© Acme Brewing'));
      writeFileSync(join(folder, `${number}.jpg`), await photo.toBuffer());
    }
    const added = await operatorAt(service.url).run('library', 'add', folder);
    expect(added.json()).toEqual({ added: 40, known: 0, refused: [] });
    const { attribution, fit, url } = await ask('brewery kettle model27');
    expect([attribution.providerName, attribution.creditLine, fit]).toEqual([
      'Library',
      'Photo: Jane Doe, © Acme Brewing',
      'exact',
    ]);
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
    expect(await requests()).toEqual({ requests: [] });
    await ask('lighthouse coast');
    expect(JSON.stringify(await requests())).toContain('lighthouse');
  } finally {
    rmSync(folder, { recursive: true });
    await service.stop();
  }
});
