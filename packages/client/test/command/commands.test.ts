/** Runs the commands in this process, against a service with given answers. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from '../../src/command/fill';
import { createGoneCheck, listFiles, UsageError } from '../../src/command/inputs';
import { lint } from '../../src/command/lint';
import { run } from '../../src/command/run';
import { sign } from '../../src/command/sign';
import type { FindImages } from '../../src/pages/find-images';
import { createFakeService } from '../pages/fake-service';
import { record } from '../record';
import { serveInFolder, write } from './in-folder';

const { env } = process;
const credited = { ...record, html: '<figure><figcaption>Photo by Ada on Example</figcaption></figure>' };
const service = createFakeService({ problems: { nothing: 'no_image_found' } });
let batches: Parameters<FindImages>[0][] = [];
const site = serveInFolder(async (request, response, { pathname, searchParams }, status = 200) => {
  if (pathname !== '/api/images')
    return void response.writeHead(status).end(searchParams.has('format') ? JSON.stringify(credited) : '');
  const batch = JSON.parse(Buffer.concat(await request.toArray()).toString());
  batches.push(batch);
  response.end(JSON.stringify({ images: await service.find(batch) }));
});
beforeEach(() => {
  batches = [];
});
/** Returns what was printed on the error channel. */
function listWarnings(): string[] {
  const warnings: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => warnings.push(String(text)) > 0);
  return warnings;
}

test('listFiles lists the sources of a folder and each named file once', () => {
  for (const name of ['b.html', 'a.html', 'a.txt', 'c/a.html', '.d/a.html', 'node_modules/a.html'])
    write(name, '');
  const pages = ['a.html', 'b.html', 'c/a.html'].map((name) => join('site', name));
  expect(listFiles(['site/a.txt', 'site', 'site/b.html'])).toEqual([join('site', 'a.txt'), ...pages].sort());
  expect(listFiles([])).toEqual(pages);
  expect(() => listFiles(['site/d.html'])).toThrow(UsageError);
});

const page = '<img src="https://placehold.co/600x400" alt="Lake">';

test.each([
  ['without options', [], {}],
  ['with --style', ['--style', 'dark'], { style: 'dark' }],
  ['with --onmiss', ['--onmiss', 'ai'], { onmiss: 'ai' }],
  ['with --lang', ['--lang', 'de'], { lang: 'de' }],
])('fill %s sends what its options say', async (_name, options, sent) => {
  write('a.html', page);
  expect(await fill(['site', '--write', ...options])).toBe(0);
  const image = { slot: 'image 1', query: 'Lake', width: 600, height: 400, ...sent };
  expect(batches).toEqual([{ exclude: [], images: [image] }]);
});

test('fill changes files only with --write', async () => {
  const readKept = () => readFileSync('site/a.html', 'utf8');
  write('a.html', page);
  write('b.ts', "a = 'https://picsum.photos/seed/sea/60/40'");
  delete env['IMAGE_REDIRECT_KEY'];
  expect(await fill(['site'])).toBe(0);
  expect([readKept(), site.requests]).toEqual([page, []]);
  expect(site.written).toBe(
    `site/a.html:1  filled (placeholder)  “Lake”  600 × 400  https://placehold.co/600x400
site/b.ts:1  filled (placeholder)  “sea”  60 × 40  https://picsum.photos/seed/sea/60/40
2 filled, 0 drawn, 0 kept, 0 left. Nothing was asked for or written: --write does it.\n`,
  );
  Object.assign(env, { IMAGE_REDIRECT_KEY: 'pk_test_x' });
  await fill(['site', '--write']);
  expect(readKept()).toContain('data-image-filled="Lake"');
  expect(readFileSync('site/b.ts', 'utf8')).toMatch(/^a = 'https:\/\/img\.service\.test\/[^']*'$/);
  expect(site.written).toContain('Show these credits where the images are shown:\n  Photo ');
  expect(site.written).toMatch(/2 filled, 0 drawn, 0 kept, 0 left\.\n$/);
});

test('fill prints the credits of a page that ends within a comment', async () => {
  write('a.html', `${page}${page}`);
  await fill(['site', '--write']);
  expect(site.written).not.toContain('Show these credits');
  write('a.html', `${page}${page}<!--`);
  await fill(['site', '--write']);
  expect(site.written).toContain('Show these credits where the images are shown:\n  Photo ');
});

/** The rows of a command. */
async function readRows(command: typeof fill, ...options: readonly string[]): Promise<unknown[]> {
  site.written = '';
  await command(['site', '--json', ...options]);
  const rows = JSON.parse(site.written) as { file: string; was: string; outcome: string; reason: string }[];
  return rows.map(({ file, was, outcome, reason }) => [file, was, outcome, reason].join(' '));
}

test('fill replaces stock photos and loads URLs only if options say so', async () => {
  const stock = 'https://images.unsplash.com/photo-1234567890123-0123456789ab';
  const gone = `${site.base}/gone.webp`;
  write('index.html', `<img src="${stock}" alt="Lake"><img src="${gone}" alt="Sea">`);
  const kept = [`site/index.html ${stock} kept unknown`, `site/index.html ${gone} kept unknown`];
  expect(await readRows(fill)).toEqual(kept);
  expect(await readRows(fill, '--replace-stock')).toEqual([`site/index.html ${stock} filled stock`, kept[1]]);
  expect(site.requests).toEqual([]);
  write('index.html', `<img src="${gone}" alt="Sea" width="6" height="4"><img src="gone.png" alt="Sea">`);
  site.statuses = [404, 410];
  const row = `site/index.html ${gone} filled missing`;
  expect(await readRows(fill, '--check')).toEqual([row, 'site/index.html gone.png kept owner']);
  expect(await readRows(lint, '--check')).toContain(row);
  expect(await lint(['site/index.html'])).toBe(1);
});

test('if a file is too large or not UTF-8, fill and lint report it and keep it', async () => {
  write('text.html', page);
  write('binary.html', `\0${page}`);
  writeFileSync('site/latin.html', Buffer.from(`<p>\xe9t\xe9</p>${page}`, 'latin1'));
  write('large.html', '<div>'.repeat(600));
  const read = (name: string) => readFileSync(join('site', name), 'latin1');
  const before = ['binary.html', 'latin.html', 'large.html'].map(read);
  expect(await fill(['site', '--write'])).toBe(1);
  expect(site.written).toContain('site/latin.html:1  left (unknown)  The file is not UTF-8');
  expect(site.written).toContain('site/large.html:1  left (unknown)  The page is too large: at most ');
  expect(read('text.html')).toContain('pick=');
  expect(['binary.html', 'latin.html', 'large.html'].map(read)).toEqual(before);
  site.written = '';
  expect(await lint(['site/latin.html'])).toBe(1);
  expect(site.written).toMatch(/^site\/latin\.html:1 {2}unread {2}The file is not UTF-8.*\n1 problem\.\n$/);
});

test('lint checks credits if the environment names the service', async () => {
  const warnings = listWarnings();
  write('index.html', `<img src="${site.base}/api/image?query=lake" alt="" width="6" height="4">`);
  expect(await lint(['site'])).toBe(1);
  expect(site.written).toMatch(/^site\/index\.html:1 {2}missing-credit {2}.*\n1 problem\.\n$/);
  delete env['IMAGE_REDIRECT_URL'];
  expect([await lint(['site']), warnings]).toEqual([0, [expect.stringMatching(/not checked: set IMAGE_/)]]);
  write('index.html', '<p>No image</p>');
  expect([await lint(['site']), warnings.length]).toEqual([0, 1]);
});

test('listFiles reads a named folder that git ignores', async () => {
  execFileSync('git', ['init', '--quiet', '.']);
  writeFileSync('.gitignore', 'site/\n');
  write('index.html', page);
  expect([listFiles(['site']), listFiles(['.'])]).toEqual([[join('site', 'index.html')], []]);
});

test('a URL is gone if its host responds with 404 or 410', async () => {
  const isGone = createGoneCheck();
  site.statuses = [200, 404, 410, 500, 403];
  const answers: boolean[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'b']) answers.push(await isGone(`${site.base}/${name}.webp`));
  expect(answers).toEqual([false, true, true, false, false, true]);
  expect(await isGone('http://127.0.0.1:1/a.webp')).toBe(false);
  expect(site.requests).toHaveLength(5);
});

test('lint --format github writes each finding in one line for any file name', async () => {
  write('50%, off.html', '<img src="#" alt="A lake" width="6" height="4">');
  expect(await lint(['site', '--format', 'github'])).toBe(1);
  expect(site.written).toBe(
    '::error file=site/50%25%2C off.html,line=1,title=dead-url::The image has no URL.\n',
  );
});

const url = 'https://img.test/api/image?query=lake&width=300&height=200';

test.each([1, 365])('the signature of sign --days %i ends after so many days', async (days) => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-30T12:00:00Z'));
  expect(await sign([url, '--days', String(days)])).toBe(0);
  expect(site.written).toContain(`&expires=${Date.now() / 1_000 + days * 86_400}&signature=`);
});

test('sign refuses wrong URLs and wrong numbers of days', async () => {
  const wrong = [
    [],
    [url, url],
    [`${url}&site=site_x`],
    ...['0', '366', '1.5', 'x'].map((days) => [url, '--days', days]),
  ];
  for (const args of wrong) await expect(sign(args)).rejects.toThrow(UsageError);
});

test('run returns 2 for wrong usage and 1 for a failure', async () => {
  const warnings = listWarnings();
  const runForCode = async (...args: readonly string[]) => [await run(args), warnings.splice(0).join('')];
  const help = ' See image-redirect-pages --help.\n';
  expect(await runForCode('toString')).toEqual([2, `There is no command toString.${help}`]);
  expect(await runForCode('lint', '-x')).toEqual([2, `Unknown option '-x'.${help}`]);
  write('index.html', page);
  env['IMAGE_REDIRECT_URL'] = 'http://127.0.0.1:1';
  expect(await runForCode('fill', 'site', '--write')).toEqual([1, 'fetch failed\n']);
  for (const args of [[], ['--help'], ['-h'], ['help'], ['eject', '--help']]) {
    site.written = '';
    expect([args, await runForCode(...args)]).toEqual([args, [0, '']]);
    for (const name of ['fill', 'lint', 'eject', 'sign'])
      expect(site.written).toContain(`\n  ${name} `.trimEnd());
  }
});

test.each([
  ['IMAGE_REDIRECT_URL', undefined],
  ['IMAGE_REDIRECT_URL', 'img.example.com'],
  ['IMAGE_REDIRECT_KEY', undefined],
  ['IMAGE_REDIRECT_KEY', 'site_live_x'],
  ['IMAGE_REDIRECT_SIGNER', 'sg_live_x'],
])('if %s is %s, a command that needs it says so', async (name, value) => {
  if (value === undefined) delete env[name];
  else env[name] = value;
  const act = name.endsWith('SIGNER') ? sign([url]) : fill(['site', '--write']);
  const message = expect.stringContaining(`Set ${name} to `);
  await expect(act).rejects.toMatchObject({ name: 'UsageError', message });
});
