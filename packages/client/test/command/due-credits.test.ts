/** Tests that missing credits are found on every page that shows an image, also by a style sheet. */

import { findMissingCredits } from '../../src/command/missing-credits';
import { record } from '../record';
import { serveInFolder } from './in-folder';

const site = serveInFolder((_request, response, { searchParams }) => {
  const words = searchParams.get('query') ?? '';
  const attribution = { ...record.attribution, creditLine: `Photo by  ${words} {{x}}` };
  const html = words === 'free' ? '<img>' : words === 'unpublished' ? null : '<figure><figcaption>';
  const status = words === 'refused' ? 429 : 200;
  response.writeHead(status).end(JSON.stringify({ ...record, attribution, html }));
});

const at = (query: string, more = '') => `${site.base}/api/image?query=${query}${more}`;
const found = async (...files: readonly (readonly [file: string, text: string])[]) => {
  const rows = await findMissingCredits(new Map(files), site.base);
  return rows.map(({ file, line, note = '' }) => [file, line, note.replace(/^.*: /, '')]);
};
const credit = (name: string) => `Photo by ${name} { {x} }`;

test('findMissingCredits finds the missing credits of images and backgrounds', async () => {
  const html = `\n<img src="${at('lake')}"><style>p{}\np{background:url(${at('sea')})}</style>`;
  const missed = ['lake', 'sea'].map((words, index) => ['a.html', index + 2, credit(words)]);
  expect(await found(['a.html', html])).toEqual(missed);
});

test.each([
  ['the page shows it', '<p>Photo by\n lake {{x}}, thanks</p>'],
  ['the page shows it as it is written into pages', `<footer>${credit('lake')}</footer>`],
])('findMissingCredits finds nothing if %s', async (_about, text) => {
  expect(await found(['a.html', `<img src="${at('lake')}">${text}`])).toEqual([]);
});

test('findMissingCredits finds nothing for images that need no credit', async () => {
  const others = ['0/api/image', '/api/images'].map((rest) => site.base + rest);
  const images = [at('free'), 'a.png', 'https://other.test/api/image?query=x', ...others];
  expect(await found(['a.html', images.map((src) => `<img src="${src}">`).join('')])).toEqual([]);
  expect(site.requests).toHaveLength(1);
});

test('findMissingCredits finds images whose credit cannot be read', async () => {
  expect(await found(['a.html', `<img src="${at('unpublished')}">`])).toHaveLength(1);
  expect(await found(['a.html', `<img src="${at('refused')}">`])).toEqual([['a.html', 1, 'HTTP 429']]);
});

test('findMissingCredits reads a style sheet as a part of each page that names it', async () => {
  const css = ['site/css/s.css', `.a{}\n.b{background:url(${at('lake')})}`] as const;
  const linking = (href: string, text = '') => `<link rel="stylesheet" href="${href}">${text}`;
  const missed = [['site/css/s.css', 2, credit('lake')]];
  expect(await found(['site/a/b.html', linking('../css/s.css?v=1')], css)).toEqual(missed);
  expect(await found(['site/a/b.html', linking('/css/s.css')], css)).toEqual(missed);
  expect(await found(['site/a.html', linking('css/s.css', credit('lake'))], css)).toEqual([]);
  const other = ['site/b.html', credit('lake')] as const;
  expect(await found(['site/a.html', linking('css/s.css')], other, css)).toEqual(missed);
  const credited = ['site/b.html', linking('css/s.css', credit('lake'))] as const;
  expect(await found(['site/a.html', linking('css/s.css')], credited, css)).toEqual(missed);
  expect(await found(['site/a.html', linking('https://a.test/css/s.css')], css)).toEqual(missed);
  expect(await found(other, css)).toEqual([]);
});

test('findMissingCredits finds each missing credit once for each page', async () => {
  const images = [at('lake', '&amp;width=300'), at('lake', '&amp;width=600'), at('sea', '&amp;signature=x')];
  const page = images.map((src) => `<img src="${src}">`).join('');
  expect(await found(['a.html', page], ['b.html', page])).toHaveLength(4);
  expect(site.requests.map(({ key }) => key)).toEqual(['pk_test_x', undefined]);
});
