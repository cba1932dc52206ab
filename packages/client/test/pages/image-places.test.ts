/** Tests the sizes of images, and which places share an image. */

import { makePick } from './fake-service';
import { box, fill, mug } from './filled';

test.each<readonly [html: string, width: number, height: number]>([
  ['<img src="" alt="Mug" width="300" height="200">', 300, 200],
  ['<img src="https://placehold.co/900x300" alt="Mug" width="300">', 300, 100],
  ['<img src="https://placehold.co/900x300" alt="Mug">', 900, 300],
  ['<img src="/placeholder.svg?w=90&h=60" alt="Mug">', 90, 60],
  ['<img src="" alt="Mug" style="width:300.4px;height : 200px">', 300, 200],
  ['<img src="" alt="Mug" style="max-width:300px">', 800, 600],
  ['<img src="" alt="Mug" style="aspect-ratio: 2; height: 300px">', 600, 300],
  ['<img src="" alt="Mug" class="w-64 h-48 md:w-96">', 256, 192],
  ['<img src="" alt="Mug" class="w-[320px] aspect-video">', 320, 180],
  ['<img src="" alt="Mug" width="50%" height="auto">', 800, 600],
  ['<img src="" alt="Mug" width="0" height="10001">', 800, 600],
  ['<img src="" alt="Mug" height="900">', 1200, 900],
  ['<img src="https://example.com/2024/05/mug.jpg" alt="Mug">', 800, 600],
  ['<img src="https://images.unsplash.com/photo-2024/300/200" alt="Mug">', 800, 600],
  ['<section class="hero"><img src="" alt="Mug"></section>', 1600, 900],
  ...['banner', 'site-jumbotron', 'masthead_wide', 'top hero'].map(
    (name) => [`<section class="${name}"><img src="" alt="Mug"></section>`, 1600, 900] as const,
  ),
  ['<img src="" alt="Mug" class="size-64">', 256, 256],
  ['<img src="" alt="Mug" class="w-80 aspect-square">', 320, 320],
  ['<img src="" alt="Mug" class="h-[100px] aspect-[3/2]">', 150, 100],
  ['<img src="" alt="A mug" style="border-radius: 50%">', 128, 128],
  ['<img src="" alt="A mug" class="headshot" width="128">', 128, 128],
  ['<img src="" alt="A mug" class="rounded-full" width="132">', 132, 99],
  ['<section class="heroes"><img src="" alt="Mug"></section>', 800, 600],
  ['<img src="" alt="A mug" class="rounded-circle">', 128, 128],
  ['<title>Mug</title><meta name="twitter:image" content="https://example.com/a.png">', 1200, 630],
  ['<h2>Mug</h2><p style="background:url(https://example.com/a.png)">x</p>', 1600, 900],
])('fillHtml fills %s in %i × %i', async (html, width, height) => {
  expect((await fill(html)).report[0]).toMatchObject({ width, height });
});

test('fillHtml requests sizes that the service accepts', async () => {
  const html =
    '<img src="" alt="Mug" width="9999" height="1"><img src="" alt="Cup" width="48" height="48"><img src="" alt="Tea" width="200" height="100"><img src="" alt="Pot" width="257" height="257">';
  expect((await fill(html)).requested).toMatchObject([
    { width: 4000, height: 100 },
    { width: 100, height: 100 },
    { width: 256, height: 128 },
    { width: 257, height: 257 },
  ]);
});

test('fillHtml shows the same image in all shapes of a picture', async () => {
  const { report, requested, html } = await fill(
    `<picture><source media="(max-width: 600px)" srcset="https://picsum.photos/600/800"><source srcset="https://picsum.photos/1200/800"><img src="https://picsum.photos/600/400" alt="A blue mug"></picture>`,
  );
  const pick = makePick(1);
  const shape = (each: object) => ({ pick: undefined, ...each });
  expect(report).toMatchObject([
    { pick, width: 600, height: 800 },
    { pick, width: 1200, height: 800 },
    { pick, width: 600, height: 400 },
  ]);
  expect(requested.map(shape)).toMatchObject([
    { pick: undefined, width: 600, height: 400 },
    { pick, width: 600, height: 800 },
  ]);
  const sources = [...html.matchAll(/<source[^>]* srcset="[^"]*width=(\d+) /g)].map(([, width]) => width);
  expect(sources).toEqual(['1200', '1200']);
});

test.each([
  ['600/406', 1],
  ['600/394', 1],
  ['600/420', 2],
  ['600/380', 2],
])('fillHtml fills a picture of 600/400 with a source of %s by %d requests', async (sides, requests) => {
  const source = `<source srcset="https://picsum.photos/${sides}">`;
  const page = `<picture>${source}<img src="${box}" alt="Mug"></picture>`;
  expect((await fill(page)).requested).toHaveLength(requests);
});

test.each([
  ['its URL', `<source srcset="${box}" style="aspect-ratio: 1 / 2">`],
  ['its usual ratio', '<source srcset="https://example.com/a.png" media="(orientation: portrait)">'],
])('fillHtml fills a picture without an <img> whose source contradicts %s', async (_name, source) => {
  const { report, requested } = await fill(`<picture>${source}</picture><h1>Mug</h1>`);
  expect([report[0]?.outcome, requested.length]).toEqual(['filled', 1]);
});

test('fillHtml keeps a preload link without a URL', async () => {
  const { report } = await fill('<link rel="preload" as="image"><img alt="A blue mug">');
  expect(report.map(({ outcome }) => outcome)).toEqual(['kept', 'filled']);
});

test('fillHtml requests the second shape of an AI image by its pick', async () => {
  const source = '<source srcset="https://picsum.photos/600/800">';
  const page = `<picture>${source}<img src="${box}" alt="Mug"></picture>`;
  const { requested } = await fill(page, { onmiss: 'ai', style: 'dark' });
  const terms = requested.map(({ onmiss, style, pick }) => [onmiss, style, pick]);
  expect(terms).toEqual([
    ['ai', 'dark', undefined],
    [undefined, 'dark', makePick(1)],
  ]);
});

test('fillHtml fills a source with the filled image of its picture', async () => {
  const ours = `https://img.service.test/api/image?query=mug&amp;pick=${makePick(9)}&amp;width=600`;
  const page = `<picture><source srcset="https://picsum.photos/600/800"><img src="${ours}" alt="Mug"></picture>`;
  expect((await fill(page)).requested).toMatchObject([{ pick: makePick(9), width: 600, height: 800 }]);
});

const writeCss = (rules: string) => `<style>${rules}</style><h1 class="a">Mug</h1>`;
test.each([
  ['all widths of a rule', writeCss(`.a{background:url(${box})}@media print{.a{background:url(${box}?2)}}`)],
  ['the densities of a rule', writeCss(`.a{background:image-set(url(${box}) 1x, "${box}" 2x)}`)],
  [
    'the previews of a page',
    `<title>Mug</title><meta property="og:image" content="${box}"><meta name="twitter:image" content="${box}">`,
  ],
  ['an image and its twin', `${mug}<noscript>${mug}</noscript>`],
  ['an image and its preload', `<link rel="preload" as="image" href="${box}">${mug}`],
])('fillHtml finds one image for %s', async (_about, html) => {
  const { report, requested } = await fill(html);
  expect(report.map(({ pick }) => pick)).toEqual([makePick(1), makePick(1)]);
  expect(requested).toHaveLength(1);
});

test('fillHtml finds different images for equal words', async () => {
  const two = writeCss(`.a{background:url(${box})}.b{background:url(${box})}`);
  expect((await fill(two + mug + mug)).requested).toHaveLength(4);
});
