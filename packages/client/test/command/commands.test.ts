/** The commands in this process, against a service that answers as it is told: what they keep, send, refuse and end with. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { keyFor, UsageError } from '../../src/command/environment';
import { createLoads, filesAt } from '../../src/command/files';
import { fill } from '../../src/command/fill';
import { lint } from '../../src/command/lint';
import { table } from '../../src/command/report';
import { run } from '../../src/command/run';
import { sign } from '../../src/command/sign';
import { fetchRecordAt } from '../../src/fetch-records';
import type { FindImages } from '../../src/pages/fill-html';
import type { ImageRecord } from '../../src/service';
import { fakeService } from '../pages/fake-service';
import { record } from '../record';
import { signers } from '../vectors';

const credited = { ...record, html: '<figure><figcaption>Photo by Ada on Example</figcaption></figure>' };
const [signer] = signers;
const { env } = process;
const startFolder = process.cwd();

let server: Loopback;
let base = '';
let folder = '';
let requests: { readonly url: string; readonly key: string | undefined }[] = [];
let batches: Parameters<FindImages>[0][] = [];
/** What is known of the image at a URL. */
let recordAt: (url: URL) => ImageRecord;
/** Of the next images. */
let mediaType = '';
/** Statuses of the next answers, 200 after them. */
let statuses: number[] = [];
let written = '';

beforeAll(async () => {
  const service = fakeService({ nothing: 'no_image_found' });
  server = await listenOnLoopback(async (request: IncomingMessage, response) => {
    const { url = '', headers } = request;
    requests.push({ url, key: (headers['x-api-key'] ?? headers.authorization) as string | undefined });
    const status = statuses.shift() ?? 200;
    const isText = url.startsWith('/page');
    if (url === '/api/images') {
      const batch = JSON.parse(await textOf(request));
      batches.push(batch);
      response.end(JSON.stringify({ images: await service.find(batch) }));
    } else if (url.includes('format=json'))
      response.writeHead(status).end(JSON.stringify(recordAt(new URL(url, base))));
    else response.writeHead(status, { 'content-type': isText ? 'text/html' : mediaType }).end('bytes');
  });
  base = server.address;
});
afterAll(() => server.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  process.chdir(folder);
  Object.assign(env, {
    IMAGE_REDIRECT_URL: base,
    IMAGE_REDIRECT_KEY: 'pk_test_x',
    IMAGE_REDIRECT_SIGNER: `${signer?.id}:${signer?.secret}`,
  });
  [requests, batches, statuses, written, mediaType] = [[], [], [], '', 'image/webp; v=1'];
  recordAt = () => credited;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(startFolder);
  rmSync(folder, { recursive: true });
});

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
const write = (name: string, text: string) => {
  mkdirSync(dirname(join('site', name)), { recursive: true });
  writeFileSync(join('site', name), text);
};

it('files of a folder are read by their names, those that are named whatever they are called, each once', () => {
  for (const name of ['b.html', 'a.html', 'a.txt', 'c/a.html', '.d/a.html', 'node_modules/a.html'])
    write(name, '');
  expect(filesAt(['site/a.txt', 'site', 'site/b.html'], /\.html$/)).toEqual(
    ['a.html', 'a.txt', 'b.html', 'c/a.html'].map((name) => join('site', name)),
  );
  expect(filesAt([], /\.txt$/)).toEqual([join('site', 'a.txt')]);
  expect(() => filesAt(['site/d.html'], /./)).toThrow(UsageError);
});

const page = '<img src="https://placehold.co/600x400" alt="Lake">';

it.each([
  [[], {}],
  [['--style', 'dark'], { style: 'dark' }],
  [['--onmiss', 'ai'], { onmiss: 'ai' }],
  [['--lang', 'de'], { lang: 'de' }],
])('the images of a page are asked for in one call, with %j as %j', async (options, sent) => {
  write('a.html', page);
  expect(await fill(['site', ...options])).toBe(0);
  const images = [{ slot: 'Lake', query: 'Lake', width: 600, height: 400, ...sent }];
  expect(batches).toEqual([{ exclude: [], images }]);
});

it('pages are changed by --write alone', async () => {
  const kept = () => readFileSync('site/a.html', 'utf8');
  write('a.html', page);
  await fill(['site']);
  expect(kept()).toBe(page);
  expect(written).toContain('Nothing was written. With --write');
  await fill(['site', '--write']);
  expect(kept()).toContain('data-image-filled="Lake"');
  expect(written).toMatch(/Written\.\n$/);
});

/** What `fill` finds to replace: the URL that stood there, and why. */
async function faultsOf(...options: readonly string[]): Promise<readonly (readonly string[])[]> {
  written = '';
  await fill(['site', '--json', ...options]);
  const reports = JSON.parse(written) as { images: { was: string; reason: string }[] }[];
  return reports.flatMap(({ images }) => images.map(({ was, reason }) => [was, reason]));
}

it('a file counts as there beside its page and in the folders that sites are served from', async () => {
  for (const name of [
    'site/a.png',
    'site/c d.png',
    'public/b.png',
    'site/static/e.png',
    'static/f.png',
    'g.png',
  ]) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, '');
  }
  const there = ['a.png', '/a.png', 'c%20d.png?v=1', '/b.png', 'b.png', '/e.png', '/f.png', '/g.png'];
  const missing = ['e.png', 'f.png', 'g.png', '/h.png', '50%.png'];
  write('index.html', [...there, ...missing].map((src) => `<img src="${src}" alt="Lake">`).join('\n'));
  expect(await faultsOf()).toEqual(missing.map((src) => [src, 'no_file']));
});

it('photos that may be right are replaced, and URLs loaded, only where that is asked for', async () => {
  const stock = 'https://images.unsplash.com/photo-1234567890123-0123456789ab';
  const gone = `${base}/gone.webp`;
  write('index.html', `<img src="${stock}" alt="Lake"><img src="${gone}" alt="Sea">`);
  expect(await faultsOf()).toEqual([]);
  expect(await faultsOf('--replace-stock')).toEqual([[stock, 'stock']]);
  expect(requests.map(({ url }) => url)).toEqual(['/api/images']);
  write('index.html', `<img src="${gone}" alt="Sea">`);
  statuses = [404, 200, 404];
  expect(await faultsOf('--check')).toEqual([[gone, 'does_not_load']]);
  written = '';
  write('index.html', `<img src="${gone}" alt="Sea" width="6" height="4">`);
  expect(await lint(['site'])).toBe(0);
  expect(written).toBe('No problems.\n');
  expect(await lint(['site', '--check'])).toBe(1);
  expect(written).toMatch(/site\/index\.html:1 {2}dead-url {2}\S+ does not load\.\n1 problems\.\n$/);
});

it('what is no text is not filled', async () => {
  write('text.html', page);
  write('binary.html', `\0${page}`);
  expect(await fill(['site', '--write'])).toBe(0);
  expect(readFileSync('site/text.html', 'utf8')).toContain('pick=');
  expect(readFileSync('site/binary.html', 'utf8')).toBe(`\0${page}`);
});

it('a URL shows an image where it answers with one, and is loaded once', async () => {
  const loads = createLoads();
  statuses = [200, 404];
  expect(await loads(`${base}/a.webp`)).toBe(true);
  expect(await loads(`${base}/gone.webp`)).toBe(false);
  expect(await loads(`${base}/page`)).toBe(false);
  expect(await loads('http://127.0.0.1:1/a.webp')).toBe(false);
  expect([await loads(`${base}/a.webp`), await loads(`${base}/gone.webp`)]).toEqual([true, false]);
  expect(requests).toHaveLength(3);
});

it('findings for GitHub stand in one line each, whatever files are called, and end with 1', async () => {
  write('50% off.html', '<img src="#" alt="a" width="6" height="4">');
  expect(await lint(['site', '--format', 'github'])).toBe(1);
  expect(written).toBe('::error file=site/50%25 off.html,line=1,title=dead-url::The image has no URL.\n');
  written = '';
  const image = (alt: string) => `<img src="a.png" alt="${alt}" width="6" height="4">`;
  write('50% off.html', image('a') + image('b\nc'));
  await lint(['site', '--format', 'github']);
  expect(written.trim().split('\n')).toEqual(Array(2).fill(expect.stringMatching(/“a” and “b%0Ac”\.$/)));
});

it('cells are cut at 44 characters and the last one at the end of the line', () => {
  const long = 'x'.repeat(45);
  const [, row = ''] = table(['Where', 'Now'], [[long, long]], 70).split('\n');
  expect(row).toBe(`${'x'.repeat(43)}…  ${'x'.repeat(23)}…`);
  expect(table(['Where', 'Now'], [['x'.repeat(44), 'y']], 70)).toContain('x'.repeat(44));
});

it.each([
  ['https://img.test/api/image?query=a', { key: 'pk_test_x' }],
  ['https://img.test/api/image?query=a&signature=s', {}],
  ['https://img.test/api/image?site=s&query=a', {}],
])('the key goes with URLs that name nobody who pays: %s', (url, sent) => {
  expect(keyFor(url)).toEqual(sent);
});

describe('a signature', () => {
  const url = 'https://img.test/api/image?query=lake&width=300&height=200';
  const atMs = Date.parse('2026-11-30T12:00:00Z');

  it.each([1, 365])('for %i days ends to the second', async (days) => {
    jest.spyOn(Date, 'now').mockReturnValue(atMs);
    expect(await sign([url, '--days', String(days)])).toBe(0);
    expect(written).toContain(`expires=${atMs / 1_000 + days * 86_400}`);
    const signed = written.trim();
    for (const [leftMs, code, said] of [
      [1, 0, 'The signature is right.\n'],
      [0, 1, 'The signature is right, and the URL ended on'],
    ] as const) {
      jest.spyOn(Date, 'now').mockReturnValue(atMs + days * 86_400_000 - leftMs);
      written = '';
      expect(await sign(['--check', signed])).toBe(code);
      expect(written).toContain(said);
    }
  });

  it.each([
    ['no URL', 'This is no absolute URL.'],
    [`${url}&signer=a&signer=b`, 'signer is given twice.'],
    [url, 'The URL has no signature.'],
    [`${url}&signature=x`, 'The URL names no signer.'],
    [`${url}&signer=${signer?.id}&expires=soon&signature=x`, 'expires is no time in Unix seconds.'],
    [`${url}&signer=${signer?.id}&expires=1234567890123&signature=x`, 'expires is no time in Unix seconds.'],
    [`https://img.test/other?signer=${signer?.id}&signature=x`, 'No image URL.'],
  ])('of %s is wrong: %s', async (given, fault) => {
    expect(await sign(['--check', given])).toBe(1);
    expect(written).toBe(`${fault}\n`);
  });

  it('is for one URL that can be signed', async () => {
    for (const args of [[], [url, url], [`${url}&site=site_x`]])
      await expect(sign(args)).rejects.toThrow(UsageError);
  });

  it.each(['0', '366', '1.5', 'x'])('is not made for %s days', async (days) => {
    await expect(sign([url, '--days', days])).rejects.toThrow(UsageError);
  });
});

it('the record behind a URL is requested whether it has parameters or none', async () => {
  for (const [query, sent] of [
    ['', '?format=json'],
    ['?width=300', '?width=300&format=json'],
  ]) {
    await fetchRecordAt(`${base}/api/image/id/1${query}`);
    expect(requests.at(-1)?.url).toBe(`/api/image/id/1${sent}`);
  }
});

it('a command line that cannot be followed ends with 2 and the way to the help, a failure with 1', async () => {
  const said: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const codeOf = async (...args: readonly string[]) => [await run(args), said.splice(0).join('')];
  expect(await codeOf('toString')).toEqual([
    2,
    'There is no command toString. See image-redirect-pages --help.\n',
  ]);
  expect(await codeOf('lint', '-x')).toEqual([
    2,
    expect.stringMatching(/^Unknown option '-x'\. See .*help\.\n$/),
  ]);
  write('index.html', page);
  env['IMAGE_REDIRECT_URL'] = 'http://127.0.0.1:1';
  expect(await codeOf('fill', 'site')).toEqual([1, 'fetch failed\n']);
  for (const args of [[], ['--help'], ['-h'], ['help'], ['eject', '--help']]) {
    written = '';
    expect([args, await codeOf(...args)]).toEqual([args, [0, '']]);
    for (const name of ['fill', 'lint', 'eject', 'sign']) expect(written).toContain(`\n  ${name} `.trimEnd());
  }
});

it.each([
  ['IMAGE_REDIRECT_URL', undefined],
  ['IMAGE_REDIRECT_URL', 'img.example.com'],
  ['IMAGE_REDIRECT_KEY', undefined],
  ['IMAGE_REDIRECT_KEY', 'site_live_x'],
  ['IMAGE_REDIRECT_SIGNER', 'sg_live_x'],
])('where %s is %s, what needs it says so', async (name, value) => {
  if (value === undefined) delete env[name];
  else env[name] = value;
  const act = name.endsWith('SIGNER')
    ? () => sign(['https://img.test/api/image?query=a'])
    : () => fill(['site']);
  await expect(act()).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(`Set ${name} to `),
  });
});

it('a slash behind the URL of the service is none of its', async () => {
  env['IMAGE_REDIRECT_URL'] = `${base}//`;
  write('index.html', page);
  await fill(['site']);
  expect(requests.map(({ url }) => url)).toEqual(['/api/images']);
});
