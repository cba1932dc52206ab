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

const box = 'https://placehold.co/60';

/** What is searched for; nothing for a literal that is left alone. */
const wordsIn = async (code: string, name = 'a.tsx') =>
  (await fill(code, name)).report.map(({ query }) => query);

it.each([
  ...['img', 'Image', 'Img', 'NextImage', 'CardImg', 'AvatarImage'].map(
    (tag) => [`<${tag} src="${box}" alt="Lake" />`, 'Lake'] as const,
  ),
  [`<UserAvatar src="${box}" alt="Lake"/>`, 'Lake'],
  [`<img\n  src="${box}"\n  alt="Lake"\n/>`, 'Lake'],
  [`<img src='${box}' alt='Lake'>`, 'Lake'],
  [`<img src={'${box}'} alt={"Lake"}/>`, 'Lake'],
  [`<img src={ \`${box}\` } alt = { \`Lake\` }/>`, 'Lake'],
  [`<img {...rest} onClick={() => { open(); }} disabled src="${box}" alt="Lake"/>`, 'Lake'],
  [`<img src="${box}" title="Lake"/>`, 'Lake'],
  [`<img src="${box}" aria-label="Lake"/>`, 'Lake'],
  [`<img src="${box}" data-ai-hint="Lake" alt="Sea"/>`, 'Lake'],
  [`<img src="${box}?text=Lake"/>`, 'Lake'],
  [`![Lake](${box})`, 'Lake'],
  [`![Lake](<${box}> "title")`, 'Lake'],
  [`![](${box}?text=Lake)`, 'Lake'],
] as const)('finds the words of %s', async (code, words) => {
  expect(await wordsIn(code)).toEqual([words]);
});

it.each([
  ...['image', 'Imagery', 'Imgs', 'imgur', 'Avatar'].map((tag) => `<${tag} src="${box}" alt="Lake" />`),
  `<img src="${box}"/>`,
  '<img src="" alt="Lake"/>',
  '<img src={60} alt="Lake"/>',
  `<img href="${box}" alt="Lake"/>`,
  `<img src={first ?? "${box}"} alt="Lake"/>`,
  `\`![Lake](${box})\``,
  `\`\`\`\n![Lake](${box})\n\`\`\``,
  `[Lake](${box})`,
  `![](${box})`,
])('leaves alone: %s', async (code) => {
  expect(await wordsIn(code)).toEqual([]);
});

it.each([
  ['className="w-20 h-10"', 80, 40],
  ['class="w-20 h-10"', 80, 40],
  ['width={300} height={200}', 300, 200],
  ['width="300" height="200"', 300, 200],
  ['style="width:300px;height:200px"', 300, 200],
  ['id="hero"', 60, 60],
])('reads the size of an element from %s', async (attributes, width, height) => {
  expect((await fill(`<Image ${attributes} src="${box}" alt="Lake"/>`, 'a.tsx')).report).toMatchObject([
    { width, height },
  ]);
});

it.each([
  ...[
    'imageHint',
    'aiHint',
    'imageAlt',
    'alt',
    'hint',
    'imageDescription',
    'caption',
    'title',
    'name',
    'label',
    'heading',
    'author',
  ].map((key) => [`{ ${key}: 'Lake', src: '${box}' }`, 'Lake'] as const),
  [`{ "image": "${box}", "title": "Lake" }`, 'Lake'],
  [`{ title: 'Lake', tags: { name: 'none' }, image: '${box}' }`, 'Lake'],
  [`{ image: '${box}', name: 'none', alt: 'Lake' }`, 'Lake'],
  [`{ name: 'none', imageHint: 'Lake', alt: 'none', image: '${box}' }`, 'Lake'],
  [`{ title: 'Anne\\'s lake', image: '${box}' }`, "Anne's lake"],
  [`{ title: 'Lake', backgroundImage: 'url(${box})' }`, 'Lake'],
  [`{ title: 'Lake', backgroundImage: "url('${box}')" }`, 'Lake'],
  [`{ title: 'Lake', image: '/placeholder.svg' }`, 'Lake'],
  [`{ title: 'Lake', image: '/api/placeholder/60/40' }`, 'Lake'],
  [`{ title: 'Lake', image: '//placehold.co/60' }`, 'Lake'],
] as const)('finds the words of the object %s', async (code, words) => {
  expect(await wordsIn(code)).toEqual([words]);
});

it.each([
  `{ id: 'lake', image: '${box}' }`,
  `{ title: 'Lake', item: { image: '${box}' } }`,
  `{ title: 'Lake', page: '/lake' }`,
  `{ title: '', image: '${box}' }`,
  `{ title: 'Lake', ${'x'.repeat(3_100)}: 1, image: '${box}' }`,
])('leaves the object alone: %#', async (code) => {
  expect(await wordsIn(code)).toEqual([]);
});

it('says on which line of the source an image stands, and writes a URL that ends no literal', async () => {
  const { find } = fakeService();
  const { html, report } = await fillCode(
    `\n\n<img alt="Lake"\n src='${box}'/>\n![Sea](${box})`,
    'a.mdx',
    async (batch) =>
      Object.fromEntries(
        Object.entries(await find(batch)).map(([slot, image]) => [
          slot,
          'src' in image ? { ...image, src: "https://img.service.test/a'(b)" } : image,
        ]),
      ),
  );
  expect(report.map(({ line }) => line)).toEqual([4, 5]);
  expect(html).toBe(
    '\n\n<img alt="Lake"\n src=\'https://img.service.test/a%27%28b%29\'/>\n![Sea](https://img.service.test/a%27%28b%29)',
  );
});

it('lints a source by its lines, but for what may stand in an expression', async () => {
  const code = `\n<img src={a} alt="Lake"/>\n<img src="https://images.unsplash.com/photo-1" alt="Lake" width={9}/>`;
  expect(await lintCode(code, 'a.vue', { nowMs: 0 })).toMatchObject([{ rule: 'invented-url', line: 3 }]);
  expect(await lintCode(`<img src="${box}">`, 'a.htm', { nowMs: 0 })).toMatchObject([
    { rule: 'dead-url' },
    { rule: 'missing-alt' },
    { rule: 'missing-dimensions' },
  ]);
  expect(await lintCode(`a{background:url(${box})}`, 'a.css', { nowMs: 0 })).toMatchObject([
    { rule: 'dead-url' },
  ]);
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
  ...['role', 'position', 'jobTitle', 'job', 'bio', 'quote', 'testimonial'].map(
    (key) => [`{ name: 'Ada Lovelace', ${key}: 'Analyst', image: '${box}' }`, 'drawn'] as const,
  ),
  [`{ name: 'Ada Lovelace', avatar: '${box}' }`, 'drawn'],
  [`<UserAvatarImage src="${box}" alt="Ada Lovelace"/>`, 'drawn'],
  ["{ name: 'Trail Lamp', price: '40', image: 'https://placehold.co/200' }", 'filled'],
] as const)('a portrait is known by what only an object of a person says: %s', async (code, outcome) => {
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
