/** The command of page authors, against the service: a project filled, checked, and made to stand alone. */

import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPages } from '../cli/run-tool';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { readUsedUnits } from './ask';
import { getSharedService } from './shared-service';

const fixtures = join(__dirname, '../fixtures/pages');

const service = startFixture(getSharedService);
const folder = makeTestFolder();
beforeAll(async () => {
  await cp(join(fixtures, 'v0.html'), join(folder, 'site/index.html'));
  await cp(join(fixtures, 'next'), join(folder, 'site/next'), { recursive: true });
  await writeFile(join(folder, 'site/nothing.html'), '<p>No image</p>');
});

const makeEnvironment = () => ({
  IMAGE_REDIRECT_URL: service.url,
  IMAGE_REDIRECT_KEY: service.keys.pro.live,
});
const run = (...args: readonly string[]) => runPages(args, { cwd: folder, env: makeEnvironment() });
const readSite = (name: string, subfolder = 'site') => readFile(join(folder, subfolder, name), 'utf8');

test('fill changes a project once, with --write', async () => {
  const pageBefore = await readSite('index.html');
  const readUsedByPro = () => readUsedUnits(service.url, service.keys.pro.live);
  const free = await readUsedByPro();
  const dry = await run('fill', 'site');
  expect(dry).toMatchObject({ exitCode: 1, stderr: '' });
  expect(dry.stdout).toContain(
    'site/index.html:11  filled (placeholder)  “Barista pouring latte art”  1600 × 900  /placeholder.svg',
  );
  expect(dry.stdout).toContain('site/next/app/page.tsx:5  left (no_words)  https://placehold.co/800x600');
  expect([await readSite('index.html'), await readUsedByPro()]).toEqual([pageBefore, free]);
  expect((await run('lint', 'site')).exitCode).toBe(1);

  const rows = JSON.parse((await run('fill', 'site', '--write', '--json')).stdout) as Record<
    string,
    unknown
  >[];
  expect(rows).toContainEqual({
    file: 'site/next/app/globals.css',
    line: 1,
    was: 'https://picsum.photos/seed/foggy-pier/1600/900',
    outcome: 'filled',
    reason: 'placeholder',
    query: 'foggy pier',
    width: 1600,
    height: 900,
    src: expect.stringContaining(service.url),
    pick: expect.stringMatching(/^[\da-f]{20}$/),
  });
  const [page, source] = [await readSite('index.html'), await readSite('next/app/page.tsx')];
  expect(page).not.toContain('placeholder.svg');
  expect(source).toContain('"https://placehold.co/800x600"');
  expect(await readSite('nothing.html')).toBe('<p>No image</p>');
  const charged = await readUsedByPro();
  expect(charged).toBeGreaterThan(free);
  expect((await run('fill', 'site', '--write')).exitCode).toBe(1);
  expect([await readSite('index.html'), await readSite('next/app/page.tsx')]).toEqual([page, source]);
  expect(await readUsedByPro()).toBe(charged);
  const findings = await run('lint', 'site/index.html', '--check', '--json');
  // An own picture of the page, which fill leaves as it is.
  expect(JSON.parse(findings.stdout)).toMatchObject([
    { rule: 'missing-dimensions', was: '/placeholder-user.jpg' },
  ]);
});

test('eject makes a site stand without the service', async () => {
  const ejected = await run('eject', 'site', '--out', 'alone', '--site', 'https://www.roast.test');
  expect(ejected).toMatchObject({ exitCode: 1, stderr: '' });
  const urlsLeft = ejected.stdout.split('\n').filter((line) => /^ {2}.*:\d+ {2}http/.test(line));
  expect(urlsLeft.length).toBeGreaterThan(0);
  for (const line of urlsLeft) expect(line).toMatch(/^ {2}next\/app\/page\.tsx:/);
  const page = await readSite('index.html', 'alone');
  expect(page).not.toContain(service.url);
  const named = [...page.matchAll(/images\/[\da-f]{20}\.\w+/g)].map(([name]) => name.slice('images/'.length));
  expect(await readdir(join(folder, 'alone/images'))).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(5);
  expect(JSON.parse(await readSite('credits.json', 'alone'))[0]).toHaveProperty('creditLine');
  expect(await readSite('CREDITS.md', 'alone')).toMatch(/^# Image credits\n\n- /);
  expect(await readSite('next/app/page.tsx', 'alone')).toBe(await readSite('next/app/page.tsx'));
});
