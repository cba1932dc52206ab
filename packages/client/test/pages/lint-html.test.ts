/** What lint says, and that a filled page gives it nothing to say. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillHtml } from '../../src/pages/fill-html';
import { lintHtml } from '../../src/pages/lint-html';
import { fakeService } from './fake-service';

const folder = join(__dirname, '../../fixtures/pages');
const nowMs = Date.parse('2026-11-23T00:00:00Z');
const rules = async (html: string, loads?: (url: string) => Promise<boolean>) =>
  (await lintHtml(html, { nowMs, ...(loads && { loads }) })).map(({ rule }) => rule);
const img = (src: string, rest = 'alt="" width="600" height="400"') => `<img src="${src}" ${rest}>`;
const ours = 'https://img.service.test/api/image?query=lake&width=600&height=400';

it.each([
  ['an invented photo', img('https://images.unsplash.com/photo-1'), ['invented-url']],
  ['a placeholder', img('https://placehold.co/600x400'), ['dead-url']],
  ['no URL', img(''), ['dead-url']],
  ['a file of a provider that forbids it', img('https://i.pinimg.com/a.jpg'), ['hotlink']],
  ['no alt text', img(ours, 'width="600" height="400"'), ['missing-alt']],
  ['no size', img(ours, 'alt=""'), ['missing-dimensions']],
  ['a width alone', img(ours, 'alt="" width="600"'), ['missing-dimensions']],
  ['a height alone', img(ours, 'alt="" height="400"'), ['missing-dimensions']],
  ['a size by a class', img(ours, 'alt="" class="aspect-video"'), []],
  ['a height by its style', img(ours, 'alt="" style="width: 100%; height: 40px"'), []],
  ['another shape', img(ours, 'alt="" width="600" height="600"'), ['stretched']],
  ['another shape that is cropped', img(ours, 'alt="" width="600" height="600" class="object-cover"'), []],
  ['an end in the past', img(`${ours}&expires=1700000000`), ['expired-url']],
  ['an end in the future', img(`${ours}&expires=1900000000`), []],
  [
    'two meanings',
    img(ours, 'alt="a" width="6" height="4"') + img(ours, 'alt="b" width="6" height="4"'),
    ['two-meanings', 'two-meanings'],
  ],
  [
    'a credit that is not shown',
    img(ours, 'alt="" width="6" height="4" data-image-credit="Photo by A"'),
    ['missing-credit'],
  ],
  ['a video without a poster', '<video src="a.mp4" poster=""></video>', []],
  ['a poster that is a placeholder', '<video poster="https://placehold.co/9"></video>', ['dead-url']],
  ['a side that is rounded', img(ours.replace('400', '6'), 'alt="" width="300" height="4"'), []],
  [
    'two texts of a picture within the page',
    img('data:image/png;base64,AA') + img('data:image/png;base64,AA', 'alt="b" width="6" height="4"'),
    [],
  ],
  ['an image to keep', img('https://placehold.co/9', 'data-image-keep'), []],
] as const)('says what is wrong with %s', async (_about, html, expected) => {
  expect(await rules(html)).toEqual(expected);
});

it('stands in the order of the page', async () => {
  const findings = await lintHtml(
    `${img(ours, 'alt="" width="6" height="4" data-image-credit="Photo by A"')}\n${img('')}`,
    { nowMs },
  );
  expect(findings.map(({ rule, line }) => [rule, line])).toEqual([
    ['missing-credit', 1],
    ['dead-url', 2],
  ]);
});

it('loads URLs only when it may', async () => {
  expect(await rules(img(ours))).toEqual([]);
  expect(await rules(img(ours), async () => false)).toEqual(['dead-url']);
});

it.each(readdirSync(folder).filter((name) => name.endsWith('.html')))(
  'is content with %s once it is filled',
  async (name) => {
    const html = readFileSync(join(folder, name), 'utf8');
    const filled = await fillHtml(html, fakeService().find, { replaceStock: true });
    const touched = new Set(filled.report.map(({ line }) => line));
    expect(await rules(html)).not.toEqual([]);
    const findings = await lintHtml(filled.html, { nowMs });
    expect(findings.filter(({ line }) => touched.has(line))).toEqual([]);
  },
);
