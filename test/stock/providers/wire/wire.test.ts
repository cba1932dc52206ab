/** The fields and the description of a provider's reply. */

import fc from 'fast-check';
import { convertHtmlToText } from '../../../../lambda/stock/providers/wikimedia';
import {
  makeDescription,
  type UncheckedDescription,
} from '../../../../lambda/stock/providers/wire/description';
import {
  readImageUrl,
  readName,
  readPageUrl,
  readPlainText,
} from '../../../../lambda/stock/providers/wire/fields';
import { parseSubject } from '../../../../lambda/stock/subject';

test.each([
  ['plain', 'plain'],
  ['<a href="//x">Runa&nbsp;Teig</a>', 'Runa Teig'],
  ['<b>A</b>nna &amp; B&#233;la &#x2013; Ltd.', 'Anna & Béla – Ltd.'],
  ['one<br>two<div>three</div>', 'one two three'],
  ['<span style="display: none;">hidden</span>seen', 'seen'],
  ['a<!-- no --><script>alert(1)</script><style>b{}</style>b', 'a b'],
  ['<div style="display:none"><p>hidden<br>hidden</p></div>seen', 'seen'],
  ['a\u0000b\u001bc\u202ed&#7;e', 'ab c d e'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;', 'alert(1)'],
  ['<<b>b>', undefined],
  ['1 < 2 <3', '1 < 2 <3'],
  ['seen<script>never closed', 'seen'],
  [`${'a'.repeat(20_000)}<b>b</b>`, 'a'.repeat(20_000)],
])('the HTML %j is the text %j', (html, plain) => expect(readPlainText(convertHtmlToText(html))).toBe(plain));

test('HTML may be nested deeper than the call stack', () =>
  expect(convertHtmlToText(`${'<b>'.repeat(6_000)}x`)).toBe('x'));

test('the text of HTML has no tag, control character or template mark', () => {
  const units = '< > / b ! - " = &lt; &#60; &#0; \u0007 <script> { } % $ #'.split(' ');
  const unit = fc.constantFrom(' ', ...units);
  fc.assert(
    fc.property(fc.string({ unit }), (html) => {
      for (const said of [html, convertHtmlToText(html)])
        expect(readPlainText(said) ?? '').not.toMatch(/<[a-z/!?]|\p{Cc}|\{\{|\}\}|\{%|%\}|<%|%>|[$#]\{/iu);
    }),
  );
});

test.each([
  ['//commons.wikimedia.org/a', 'https://commons.wikimedia.org/a', 'https://commons.wikimedia.org/a'],
  ['http://a.example/b', 'http://a.example/b', 'https://a.example/b'],
  ['http://127.0.0.1:4010/b.jpg', 'http://127.0.0.1:4010/b.jpg', 'http://127.0.0.1:4010/b.jpg'],
  [' https://a.example ', 'https://a.example/', 'https://a.example/'],
  ['javascript:alert(1)', undefined, undefined],
  ['/path', undefined, undefined],
  ['https://', undefined, undefined],
  [undefined, undefined, undefined],
  [7, undefined, undefined],
])('the URL %j is the page %j and the image %j', (value, page, image) =>
  expect([readPageUrl(value), readImageUrl(value)]).toEqual([page, image]),
);

test.each([
  ['  Runa Teig ', 'Runa Teig'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['𝒳'.repeat(201), `${'𝒳'.repeat(199)}…`],
  ['  ', undefined],
  [7, undefined],
  // A lone surrogate cannot be put into a URL.
  ['a\ud800b', 'a\ufffdb'],
])('the text %j as a name is %j', (value, name) => expect(readName(value)).toBe(name));

const manyTags = Array.from({ length: 13 }, (_, n) => `t${n}`);
const longTitle = 'é'.repeat(120);
test.each<[string, UncheckedDescription, object]>([
  [
    'plain text',
    { title: ' <b>Lake</b> ', alt: 7, tags: ['a', '', null, 'b '] },
    { title: 'Lake', tags: ['a', 'b'] },
  ],
  ['twelve tags', { tags: manyTags }, { tags: manyTags.slice(0, 12) }],
  ['forty characters of a tag', { tags: ['x'.repeat(41)] }, { tags: ['x'.repeat(40)] }],
  [
    '150 characters of the texts',
    { title: 'x'.repeat(151), alt: 'y'.repeat(151) },
    { title: 'x'.repeat(150), alt: 'y'.repeat(150) },
  ],
  ['a colour', { color: ' #ABCDEF ' }, { color: '#abcdef' }],
  ['no name of a colour', { color: 'red' }, {}],
  ['its mark and its language', { isFeatured: true, lang: 'de' }, { isFeatured: true, lang: 'de' }],
  ['no mark of others', { isFeatured: false }, {}],
  [
    'the tags that find room',
    { title: longTitle, alt: 'y'.repeat(60), tags: ['first', 'second', 'x'.repeat(40), 'last'] },
    { title: longTitle, alt: 'y'.repeat(60), tags: ['first', 'second', 'last'] },
  ],
  [
    'the beginning of its text, where its title is long',
    { title: 'é'.repeat(150), alt: 'y'.repeat(150), tags: ['first'] },
    { title: 'é'.repeat(150), alt: expect.stringMatching(/^y{40,60}$/) },
  ],
  [
    'the beginning of its title, where that is too long alone',
    { title: '𝒳'.repeat(150), alt: 'y'.repeat(150) },
    { title: expect.stringMatching(/^(?:𝒳){70,90}$/u) },
  ],
])('a description has %s', (_, said, kept) => expect(makeDescription(1, said)).toEqual({ rank: 1, ...kept }));

test('a description has at most 400 bytes after rank and mark are added', () => {
  const unit = fc.constantFrom('a', ' ', '"', 'é', '湖', '𝒳');
  const texts = fc.string({ unit, size: 'max', maxLength: 200 });
  const describedTexts = fc.record({ title: texts, alt: texts, tags: fc.array(texts, { maxLength: 15 }) });
  fc.assert(
    fc.property(describedTexts, (texts) => {
      const fullest = { ...makeDescription(1, texts), rank: 99, isFeatured: true };
      expect(Buffer.byteLength(JSON.stringify(fullest))).toBeLessThanOrEqual(400);
    }),
  );
});

test('the match of a description is of its uncut texts', () => {
  const tags = [...manyTags, 'lake'];
  expect(makeDescription(1, { tags }, parseSubject('lake')).match?.coverage).toBeGreaterThan(0);
  expect(makeDescription(1, { tags })).not.toHaveProperty('match');
});
