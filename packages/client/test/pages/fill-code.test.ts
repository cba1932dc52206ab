/** Sources of pages: literals of images are replaced, and nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fillCode, lintCode } from '../../src/pages/fill-code';
import { fakeService } from './fake-service';

const read = (name: string) => readFileSync(join(__dirname, '../../fixtures/pages', name), 'utf8');

async function fill(code: string, name: string) {
  const service = fakeService();
  return {
    ...(await fillCode(code, name, service.find, { replaceStock: true })),
    requested: service.requested,
  };
}

/** A source without the URLs that are, or were, replaced. */
const apart = (code: string) =>
  code.replace(
    /(?:https?:\/\/(?:img\.service\.test|images\.unsplash|source\.unsplash|placehold|picsum|via\.placeholder|loremflickr)|data:image|\/placeholder)[^\s"'`)\\]*/g,
    'URL',
  );

const files: Readonly<Record<string, readonly string[]>> = {
  'next/app/page.tsx': [
    '4 invented filled 800x600 Garden room',
    '5 placeholder filled 800x600 ship cabin bed',
    '13 placeholder filled 1200x600 harbor at dawn',
    '18 placeholder drawn 48x48 Ada Lovelace',
  ],
  'next/data/team.json': [
    '3 placeholder drawn 200x200 Grace Hopper',
    '4 placeholder filled 900x600 wood workshop',
  ],
  'next/app/globals.css': ['1 placeholder filled 1600x900 foggy pier'],
  'astro/src/pages/index.astro': [
    '3 placeholder filled 400x300 Sourdough',
    '8 placeholder filled 1600x900 bread oven',
  ],
  'astro/src/content/post.md': [
    '7 placeholder filled 800x400 A rye field before harvest',
    '11 placeholder filled 600x400 A wooden spoon',
  ],
  'vue/App.vue': ['5 placeholder filled 1600x900 Lighthouse in a storm'],
  'svelte/Page.svelte': ['2 placeholder filled 640x480 fox'],
};

describe.each(Object.entries(files))('%s', (name, expected) => {
  const code = read(name);
  it('has its images, and every other byte as it was', async () => {
    const { html, report } = await fill(code, name);
    const seen = report.map(
      ({ line, reason, query, width, height, outcome }) =>
        `${line} ${reason} ${outcome} ${width}x${height} ${query}`,
    );
    expect(seen).toEqual(expected);
    expect(apart(html)).toBe(apart(code));
  });

  it('is left as it is by the second run, and lint finds nothing more', async () => {
    const first = await fill(code, name);
    const second = await fill(first.html, name);
    expect([second.html, second.requested]).toEqual([first.html, []]);
    const rules = async (text: string) => (await lintCode(text, name, { nowMs: 0 })).map(({ rule }) => rule);
    expect(await rules(code)).not.toEqual([]);
    expect(await rules(first.html)).toEqual([]);
  });
});

it('names the credits that the page has to show', async () => {
  const { credits } = await fill(read('next/app/page.tsx'), 'page.tsx');
  expect(credits).toEqual(['Photo 2 by A & B on Commons (CC BY 4.0)']);
});

it('reads what is written for HTML, in words and URLs', async () => {
  const { requested } = await fill(
    `<img src="https://placehold.co/60x40?a=1&amp;b=2" alt="Anne&#39;s &quot;lake&quot;">`,
    'a.tsx',
  );
  expect(requested).toMatchObject([{ query: `Anne's "lake"` }]);
});

it('passes over a text that another program fills in', async () => {
  const { requested } = await fill(
    ['<img src="https://placehold.co/60" alt={`$', '{title} photo`} title="Lake">'].join(''),
    'a.tsx',
  );
  expect(requested).toMatchObject([{ query: 'Lake' }]);
});

it.each([
  ["{ name: 'Ada Lovelace', role: 'Analyst', image: 'https://placehold.co/200' }", 'drawn'],
  ["{ name: 'Trail Lamp', price: '40', image: 'https://placehold.co/200' }", 'filled'],
])('a portrait is known by what only an object of a person says: %s', async (code, outcome) => {
  expect((await fill(code, 'a.tsx')).report).toMatchObject([{ outcome }]);
});

it('never throws, and is left by the second run as it is', async () => {
  const piece = fc.constantFrom(
    '<img ',
    'src=',
    '"https://placehold.co/60"',
    "'https://picsum.photos/9'",
    'alt="lake"',
    '>',
    '/>',
    '{',
    '}',
    '{ name: "lake",',
    'image: ',
    '`',
    "'",
    '\n',
    '![sea](https://placehold.co/9)',
    '<Image ',
    'width={40}',
    '${',
    '\\',
    '/*',
    'url(',
  );
  const code = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 30 })
    .map((parts) => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(code, fc.constantFrom('a.tsx', 'a.md', 'a.css', 'a.json'), async (text, name) => {
      const first = await fill(text, name);
      expect((await fill(first.html, name)).html).toBe(first.html);
    }),
    { numRuns: 1_000 },
  );
});
