/** Fills generated pages and sources. All bytes outside of URLs and attributes of images stay. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fillHtml } from '../../src/pages/fill-html';
import { fillText } from '../../src/pages/fill-text';
import { createFakeService } from './fake-service';

const known = fc.constantFrom(
  'https://placehold.co/600x400',
  'https://picsum.photos/seed/blue-mug/600/400',
  '//via.placeholder.com/300?text=Blue+mug&a=b',
  '/placeholder.svg?query=mug',
);
const own = fc.constantFrom(
  'mug.jpg',
  '/uploads/2024/05/mug.jpg',
  'https://cdn.shop.test/a.webp?w=1&h=2',
  'https://images.unsplash.com/photo-1501785888041-af3ef285b470',
  'https://placehold.co.shop.test/600x400',
  'https://placehold.co/{{ size }}',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  '/_next/image?url=https://placehold.co/600x400',
);
const text = fc.constantFrom('A blue mug', 'image', '', '{{ name }}', 'Mara Lindt', 'a "b" &lt; c', 'süß');
const space = fc.constantFrom(' ', '\n', '  ', '\t');
const broken = fc.constantFrom(
  ...['<p', '</div>', '<b><i></b>', '<!-- <img> -->', '<table><tr>', '&amp;&x', '<![CDATA[', '\r\n'],
  '<?php $a > 1 ?>',
);
const quoteValue = (value: string, quote: string) =>
  quote + value.replaceAll('"', '&quot;').replaceAll("'", '&#39;') + quote;

/** A piece of a page. @param url of its image */
const drawPiece = (url: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .tuple(url, text, space, fc.constantFrom('"', "'"), fc.constantFrom('', '/', ' class=a width=60'))
      .map(
        ([src, alt, gap, quote, attributes]) =>
          `<img${gap}src=${quoteValue(src, quote)} alt${gap}=${quoteValue(alt, quote)}${attributes}>`,
      ),
    fc
      .tuple(url, text)
      .map(
        ([src, alt]) =>
          `<picture><source srcset="${src} 2x"><img src="${src}" alt=${quoteValue(alt, '"')}></picture>`,
      ),
    url.map((src) => `<p class="hero" style='color:red;background:url("${src}")'>x</p>`),
    url.map((src) => `<style>\n.hero{background:url(${src}) no-repeat}</style>`),
    url.map((src) => `<meta property="og:image" content="${src}">`),
    url.map((src) => `<code><img src="${src}"></code><script>a = '${src}'</script><a href="${src}">b</a>`),
    text.map((words) => `<h2>${words}</h2>`),
    broken,
  );
const drawPage = (url: fc.Arbitrary<string>) =>
  fc.array(drawPiece(url), { maxLength: 12 }).map((pieces) => pieces.join(''));

/** A page without what filling may change: tags of images, URLs of CSS, previews, the footer of credits. */
const splitPage = (html: string) =>
  html
    .replace(/<footer data-image-credits(?:="")?>.*?<\/footer>/gs, '')
    .replace(/(<(?:img|source|image|video)\b)(?:"[^"]*"|'[^']*'|[^'">])*>/gi, '$1>')
    .replace(/(property="og:image" content=)"[^"]*"/g, '$1')
    .replace(/url\((?:"[^"]*"|[^)\n]*)\)/g, 'url()');

const fill = async (html: string, replaceStock = false) => {
  const service = createFakeService();
  return { ...(await fillHtml(html, service.find, { replaceStock })), requested: service.requested };
};

test('fillHtml changes only the placeholders of a page', async () => {
  const countOwn = (text: string) => text.split(/mug\.jpg|a\.webp|photo-1501785888041|R0lGODlh/).length;
  await fc.assert(
    fc.asyncProperty(drawPage(fc.oneof(known, own)), drawPage(own), async (html, ownPage) => {
      expect(await fill(ownPage)).toMatchObject({ html: ownPage, requested: [] });
      const filled = await fill(html);
      expect([splitPage(filled.html), countOwn(filled.html)]).toEqual([splitPage(html), countOwn(html)]);
      const again = await fill(filled.html);
      expect(again.html).toBe(filled.html);
      expect(again.requested).toEqual([]);
    }),
  );
});

const names = fc.constantFrom(...'a.ts a.tsx a.vue a.css a.md a.json a.yml a.php a.erb a.pug'.split(' '));
const drawSource = (url: fc.Arbitrary<string>) =>
  fc
    .array(
      fc.oneof(
        fc.tuple(url, fc.constantFrom('"', "'", '`')).map(([src, quote]) => `a = ${quote}${src}${quote};`),
        url.map((src) => `<img src="${src}" alt="x" />`),
        url.map((src) => `![a](${src}) url(${src})`),
        url.map((src) => `'${src}' + b; // ${src}`),
        fc.constantFrom('/* ', ' */', '`', '```', '{{', '}}', '<%', '\n', '    ', '"', 'é', '<!--', '{#'),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('\n'));

test('fillText changes only the URLs of a source', async () => {
  await fc.assert(
    fc.asyncProperty(drawSource(fc.oneof(known, own)), names, async (code, name) => {
      const service = createFakeService();
      const filled = await fillText(code, name, service.find);
      const marked = filled.html.replace(/https?:\/\/img\.service\.test[^\s"'`)<>]*/g, '§');
      const old = filled.report.flatMap(({ outcome, was }) => (outcome === 'filled' ? [was] : []));
      expect(marked.replace(/§/g, () => old.shift() ?? '')).toBe(code);
      expect((await fillText(filled.html, name, createFakeService().find)).html).toBe(filled.html);
    }),
  );
});

const folder = join(__dirname, '../../../../test/fixtures/pages');
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));

test.each(pages)('fillHtml changes only the images of %s', async (name) => {
  const html = readFileSync(join(folder, name), 'utf8');
  const filled = await fill(html, true);
  expect(filled.requested.length).toBeGreaterThan(0);
  expect(splitPage(filled.html)).toBe(splitPage(html));
  expect((await fill(filled.html, true)).html).toBe(filled.html);
});
