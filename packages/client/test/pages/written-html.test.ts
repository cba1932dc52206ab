/** Tests what is written into a page: attributes, URLs, credits. */

import type { FillOptions } from '../../src/pages/find-images';
import { createFakeService, makePick } from './fake-service';
import { box, fill, mug } from './filled';

const fillHtml = async (html: string, options?: FillOptions) => (await fill(html, options)).html;
const findSrc = (words: string, width: number) =>
  `https://img.service.test/api/image?query=${words}&amp;pick=${makePick(1)}&amp;width=${width}`;

test('fillHtml writes only the attributes that an image lacks', async () => {
  expect(await fillHtml(`<p><img src="${box}" class=a title='Blue mug' ></p>`)).toBe(
    `<p><img src="${findSrc('Blue%20mug', 600)}" class=a title='Blue mug' srcset="${findSrc('Blue%20mug', 600)} 600w, ${findSrc('Blue%20mug', 1200)} 1200w" sizes="(min-width: 600px) 600px, 100vw" width="600" height="400" alt="Alt of Blue mug" data-image-filled="Blue mug" ></p>`,
  );
});

test.each([
  [
    `<img src='${box}' alt=Mug width=6 height=4>`,
    /^<img src="https:[^'"]*" alt=Mug width=6 height=4 srcset="/,
  ],
  [`<img src=${box} alt=Mug>`, /^<img src="https:[^"]*" alt=Mug srcset="/],
  [`<img alt=Mug src=${box}/>`, /^<img alt=Mug src="https:[^"]*" srcset="[^>]*">$/],
  ['<img alt="Blue mug" src=""/>', /^<img alt="Blue mug" src="https:[^>]*"\/>$/],
  [`<IMG SRC="${box}" ALT="Mug">`, /^<IMG SRC="https:[^"]*" ALT="Mug" srcset="/],
  [
    `<img srcset="${box}" alt>`,
    /^<img alt src="data:image\/svg\+xml,[^"]*" width="600" height="400" data-image-filled="">$/,
  ],
  [
    `<p style="background:url('${box}')" title="Mug">`,
    /^<p style="background:url\('https:[^'"&]*&amp;[^'"]*'\)" title="Mug">$/,
  ],
  [
    `<style>p{background:url(${box})}</style><p title="Mug">`,
    /^<style>p\{background:url\(https:[^&)]*&pick=[^;)]*\)\}<\/style><p title="Mug">$/,
  ],
  [`<video poster="${box}" title="Mug"></video>`, /^<video poster="https:[^"]*" title="Mug"><\/video>$/],
])('fillHtml writes the new URL in place of the old one: %s', async (html, expected) => {
  expect(await fillHtml(html)).toMatch(expected);
});

test('fillHtml writes no srcset into an image whose source a script changes', async () => {
  const page = `<img id="big" src="${box}" alt="Mug" srcset="${box} 2x"><script>big.src = next</script>`;
  expect(await fillHtml(page)).toMatch(
    /^<img id="big" src="https:[^"]*" alt="Mug" width="600" height="400" data-image-filled="Mug"><script>/,
  );
});

test('fillHtml marks AI images', async () => {
  const service = createFakeService({ recordFields: { aiGenerated: true } });
  expect((await fill(mug, {}, service)).html).toContain(' data-ai-generated="true"');
});

test('fillHtml writes the tags beside a preview', async () => {
  const writeNamed = (name: string, content: string) =>
    `<meta property="og:image${name}" content="${content}">`;
  const page = `<title>Mugs</title>${writeNamed('', '/a.png')}${writeNamed(':width', '1')}${writeNamed('', box)}${writeNamed(':type', 'image/png')}${writeNamed(':width', '1')}${writeNamed(':alt', 'x')}`;
  expect(await fillHtml(page)).toBe(
    `<title>Mugs</title>${writeNamed('', '/a.png')}${writeNamed(':width', '1')}${writeNamed('', findSrc('Mugs', 600))}${writeNamed(':type', 'image/jpeg')}${writeNamed(':width', '600')}${writeNamed(':alt', 'Alt of Mugs')}`,
  );
});

const recordFields = { alt: 'Müsli – „süß“', html: null };
const fillOne = async (page: string) => (await fill(page, {}, createFakeService({ recordFields }))).html;

test('fillHtml writes ASCII into a page unless it says that it is UTF-8', async () => {
  const image = `<img src="${box}" title="Müsli">`;
  const ascii = await fillOne(`<title>x</title>${image}`);
  expect(ascii.replace('title="Müsli"', '')).toMatch(/^[\0-~]*$/);
  expect(ascii).toContain('alt="M&#252;sli &#8211; &#8222;s&#252;&#223;&#8220;"');
  expect(await fillOne(`<meta charset="UTF-8">${image}`)).toContain('alt="Müsli – „süß“"');
  const type = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
  expect(await fillOne(type + image)).toContain('data-image-filled="Müsli"');
  expect(await fillOne(`<meta charset="iso-8859-1">${image}`)).toContain('data-image-filled="M&#252;sli"');
});

test('fillHtml writes XML into XML', async () => {
  const xml = await fillOne(
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><style>p{background:url(${box})}</style></head><body><p title="Mug"><img src="${box}" alt="Tea"/></p></body></html>`,
  );
  expect(xml).toContain('<footer data-image-credits=""><small>');
  expect(xml).not.toMatch(/&(?!amp;|#\d+;)|<style[^>]+>|data-[a-z-]+(?!=|[a-z-])/);
});

test('fillHtml writes each credit once', async () => {
  const createCreditFinder = (landingUrl: string) =>
    createFakeService({ recordFields: { html: null, attribution: { ...fakeAttribution, landingUrl } } });
  const fillOne = async (page: string, landingUrl = 'https://p.test/1?a&b') =>
    (await fill(page, {}, createCreditFinder(landingUrl))).html;
  const credit = '<span><a href="https://p.test/1?a&amp;b" rel="noopener">Photo by A | B</a></span>';
  const footer = `<footer data-image-credits><small>${credit}</small></footer>`;
  expect(await fillOne(`<body>${mug}${mug}</body>`)).toContain(`>${footer}</body>`);
  expect(await fillOne(`${mug}<p data-image-credits></p>x`)).toContain(
    `<p data-image-credits>${credit}</p>x`,
  );
  for (const landingUrl of ['javascript://p.test/%0aalert(1)', '//p.test', 'p.test/1'])
    expect(await fillOne(mug, landingUrl)).toContain('<span>Photo by A | B</span>');
  const first = await fillOne(mug);
  expect(await fillOne(first + mug)).toContain(footer);
  const old = first.replaceAll('A | B', 'C');
  expect(await fillOne(old + mug)).toMatch(
    /Photo by C<\/a><\/span> &#183; <span><a[^>]*>Photo by A \| B<\/a><\/span><\/small>/,
  );
});

test.each(['<!-- x', '<script>', '<style>', '<title>', '<b title="x'])(
  'fillHtml writes no footer into a page that ends within %s',
  async (end) => {
    const page = await fill(`${mug}</p>${end}`, {}, createFakeService({ recordFields }));
    expect(page.html.endsWith(`></p>${end}`)).toBe(true);
    expect(page.credits).toHaveLength(1);
    const { html } = await fill(`<body>${mug}</body>${end}`, {}, createFakeService({ recordFields }));
    expect(html).toContain(`</footer></body>${end}`);
  },
);

test('fillHtml escapes texts for HTML and template languages', async () => {
  const hostileText = 'A\u0007 {{7*7}} {% x %} <%= y %> $' + '{z} #{q} @Model | <script>';
  const recordFields = {
    alt: hostileText,
    html: null,
    attribution: { ...fakeAttribution, creditLine: hostileText },
  };
  const { html } = await fill(`<img src="${box}" title="Mug">`, {}, createFakeService({ recordFields }));
  expect(html).not.toMatch(/\{\{|\}\}|\{%|%\}|<%|%>|[$#]\{|@|<script/);
  expect(html).not.toContain('\u0007');
  const texts = html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
  expect(texts).not.toMatch(/\{\{|\}\}|\{%|%\}|<%|[$#]\{/);
  expect(texts).toContain('{ {7*7} }');
});

const fakeAttribution = {
  providerName: 'P',
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0' },
  creditLine: 'Photo by A | B',
};
