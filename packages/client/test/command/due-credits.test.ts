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

const makeUrl = (query: string, parameters = '') => `${site.base}/api/image?query=${query}${parameters}`;
const findCredits = async (...files: readonly (readonly [file: string, text: string])[]) => {
  const rows = await findMissingCredits(new Map(files), site.base);
  return rows.map(({ file, line, note = '' }) => [file, line, note.replace(/^.*: /, '')]);
};
const writeCredit = (name: string) => `Photo by ${name} { {x} }`;

test('findMissingCredits finds the missing credits of images and backgrounds', async () => {
  const html = `\n<img src="${makeUrl('lake')}"><style>p{}\np{background:url(${makeUrl('sea')})}</style>`;
  const missed = ['lake', 'sea'].map((words, index) => ['a.html', index + 2, writeCredit(words)]);
  expect(await findCredits(['a.html', html])).toEqual(missed);
});

test.each([
  ['the page shows it', '<p>Photo by\n lake {{x}}, thanks</p>'],
  ['the page shows it as it is written into pages', `<footer>${writeCredit('lake')}</footer>`],
])('findMissingCredits finds nothing if %s', async (_about, text) => {
  expect(await findCredits(['a.html', `<img src="${makeUrl('lake')}">${text}`])).toEqual([]);
});

test('findMissingCredits finds nothing for images that need no credit', async () => {
  const others = ['0/api/image', '/api/images'].map((path) => site.base + path);
  const images = [makeUrl('free'), 'a.png', 'https://other.test/api/image?query=x', ...others];
  expect(await findCredits(['a.html', images.map((src) => `<img src="${src}">`).join('')])).toEqual([]);
  expect(site.requests).toHaveLength(1);
});

test('findMissingCredits finds images whose credit cannot be read', async () => {
  expect(await findCredits(['a.html', `<img src="${makeUrl('unpublished')}">`])).toHaveLength(1);
  expect(await findCredits(['a.html', `<img src="${makeUrl('refused')}">`])).toEqual([
    ['a.html', 1, 'HTTP 429'],
  ]);
});

test('findMissingCredits reads a style sheet as a part of each page that names it', async () => {
  const css = ['site/css/s.css', `.a{}\n.b{background:url(${makeUrl('lake')})}`] as const;
  const writeLink = (href: string, text = '') => `<link rel="stylesheet" href="${href}">${text}`;
  const missed = [['site/css/s.css', 2, writeCredit('lake')]];
  expect(await findCredits(['site/a/b.html', writeLink('../css/s.css?v=1')], css)).toEqual(missed);
  expect(await findCredits(['site/a/b.html', writeLink('/css/s.css')], css)).toEqual(missed);
  expect(await findCredits(['site/a.html', writeLink('css/s.css', writeCredit('lake'))], css)).toEqual([]);
  const other = ['site/b.html', writeCredit('lake')] as const;
  expect(await findCredits(['site/a.html', writeLink('css/s.css')], other, css)).toEqual(missed);
  const credited = ['site/b.html', writeLink('css/s.css', writeCredit('lake'))] as const;
  expect(await findCredits(['site/a.html', writeLink('css/s.css')], credited, css)).toEqual(missed);
  expect(await findCredits(['site/a.html', writeLink('https://a.test/css/s.css')], css)).toEqual(missed);
  expect(await findCredits(other, css)).toEqual([]);
});

test('findMissingCredits finds each missing credit once for each page', async () => {
  const images = [
    makeUrl('lake', '&amp;width=300'),
    makeUrl('lake', '&amp;width=600'),
    makeUrl('sea', '&amp;signature=x'),
  ];
  const page = images.map((src) => `<img src="${src}">`).join('');
  expect(await findCredits(['a.html', page], ['b.html', page])).toHaveLength(4);
  expect(site.requests.map(({ key }) => key)).toEqual(['pk_test_x', undefined]);
});
