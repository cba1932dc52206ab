/** The parsers that turn a provider's response into a candidate. */

import fc from 'fast-check';
import { hostsFor } from '../../../../lambda/stock/providers/hosts';
import { htmlToText } from '../../../../lambda/stock/providers/wire/html-to-text';
import { commonsLicense, creativeCommons } from '../../../../lambda/stock/providers/wire/licences';
import { withinCharacters } from '../../../../lambda/stock/providers/wire/query-words';
import {
  type Described,
  describe as describedAs,
  list,
  nameText,
  plainText,
  positive,
  record,
  text,
} from '../../../../lambda/stock/providers/wire/read-json';
import { imageUrl, pageUrl } from '../../../../lambda/stock/providers/wire/urls';
import { understand } from '../../../../lambda/stock/understand';

describe('HTML as text', () => {
  it.each([
    ['plain', 'plain'],
    ['<a href="//x">Runa&nbsp;Teig</a>', 'Runa Teig'],
    ['<b>A</b>nna &amp; B&#233;la &#x2013; Ltd.', 'Anna & Béla – Ltd.'],
    ['one<br>two<div>three</div>', 'one two three'],
    ['<span style="display: none;">hidden</span>seen', 'seen'],
    ['a<!-- no --><script>alert(1)</script><style>b{}</style>b', 'a b'],
    ['<div style="display:none"><p>hidden<br>hidden</p></div>seen', 'seen'],
    ['&unknown; &#99999999; &#x110000;', '&unknown;'],
    ['a\u0000b\u001bc\u202ed&#7;e', 'a b c d e'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '< script>alert(1)< /script>'],
    ['<<b>b>', '< b>'],
    ['1 < 2 <3', '1 < 2 <3'],
    ['<p>seen<!-- never closed', 'seen'],
    ['seen<script>never closed', 'seen'],
    ['', ''],
  ])('%j is %j', (html, plain) => {
    expect(htmlToText(html)).toBe(plain);
  });

  it.each([
    ['a megabyte of <', '<'.repeat(2 ** 20)],
    ['a megabyte of open comments', '<!--'.repeat(2 ** 18)],
    ['elements nested 100,000 deep', `${'<b>'.repeat(100_000)}x${'</b>'.repeat(100_000)}`],
    ['hidden elements nested 30,000 deep', '<b style="display:none">'.repeat(30_000)],
    ['closing tags of nothing', '</p>'.repeat(250_000)],
    ['one endless attribute', `<a title="${'x'.repeat(2 ** 20)}`],
    ['entities', '&amp;'.repeat(200_000)],
  ])('is at most as long as the part that is parsed: %s', (_, html) => {
    expect(htmlToText(html).length).toBeLessThanOrEqual(20_000);
  });

  it('ignores what follows the first 20,000 characters', () => {
    expect(htmlToText(`${'a'.repeat(20_000)}<b>b</b>`)).toBe('a'.repeat(20_000));
  });

  it('never contains a tag or a control character, for any input', () => {
    const units = [
      '<',
      '>',
      '/',
      'b',
      ' ',
      '!',
      '-',
      '"',
      '=',
      '&lt;',
      '&#60;',
      '&#0;',
      '\u0007',
      '<script>',
      ...['{', '}', '%', '$', '#'],
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units) }), (html) => {
        expect(htmlToText(html)).not.toMatch(/<[a-z/!?]|\p{Cc}/iu);
        expect(plainText(html) ?? '').not.toMatch(/<[a-z/!?]|\p{Cc}/iu);
        // Nor what a template language that reads the page next would run.
        expect(plainText(html) ?? '').not.toMatch(/\{\{|\}\}|\{%|%\}|<%|%>|[$#]\{/);
      }),
    );
  });
});

describe('the words of a query', () => {
  it('are cut at a word, or in a word that is too long by itself', () => {
    expect(withinCharacters('one two three', 100)).toBe('one two three');
    expect(withinCharacters('one two three', 9)).toBe('one two');
    expect(withinCharacters('one two three', 7)).toBe('one two');
    expect(withinCharacters('Donaudampfschifffahrt', 5)).toBe('Donau');
  });
});

describe('licences', () => {
  it.each([
    ['by', '2.0', 'cc-by-2.0', 'CC BY 2.0'],
    ['by-sa', '4.0', 'cc-by-sa-4.0', 'CC BY-SA 4.0'],
    ['cc0', '1.0', 'cc0-1.0', 'CC0 1.0'],
    ['pdm', '1.0', 'pdm-1.0', 'Public Domain Mark 1.0'],
    ['by', undefined, 'cc-by', 'CC BY'],
  ])('%s %s is %s', (code, version, id, name) => {
    expect(creativeCommons(code, version, undefined)).toEqual({ id, name });
  });

  it('of Commons keep their page', () => {
    expect(commonsLicense('CC BY 4.0', 'https://example.org/by')?.url).toBe('https://example.org/by');
  });

  it('that are not known to allow cropping and any use are none', () => {
    for (const code of ['by-nc', 'by-nd', 'sampling+', 'BY', ''])
      expect(creativeCommons(code, '4.0', undefined)).toBeUndefined();
    for (const name of ['CC BY-NC 4.0', 'CC BY-ND 4.0', 'All rights reserved', ''])
      expect(commonsLicense(name, undefined)).toBeUndefined();
  });
});

describe('URLs', () => {
  it.each([
    ['//commons.wikimedia.org/a', 'https://commons.wikimedia.org/a'],
    ['http://a.example/b', 'http://a.example/b'],
    [' https://a.example ', 'https://a.example/'],
    ['javascript:alert(1)', undefined],
    ['/path', undefined],
    ['https://', undefined],
    [undefined, undefined],
    [7, undefined],
  ])('%j as a page is %j', (value, url) => {
    expect(pageUrl(value)).toBe(url);
  });

  it('of images are upgraded to https, except on this machine', () => {
    expect(imageUrl('http://a.example/b.jpg')).toBe('https://a.example/b.jpg');
    expect(imageUrl('http://127.0.0.1:4010/b.jpg')).toBe('http://127.0.0.1:4010/b.jpg');
  });

  it('may be on the hosts of a fake provider only where the fake provider is on this machine', () => {
    expect(hostsFor('http://localhost:4010', ['a.example'])).toEqual(['localhost:4010']);
    expect(hostsFor('https://proxy.example', ['a.example'])).toEqual(['a.example']);
  });
});

describe('JSON from a third party', () => {
  it('is read without an error, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof record(value, 'a', 'b')).toBe('object');
        expect(Array.isArray(list(value))).toBe(true);
        expect(['string', 'undefined']).toContain(typeof text(value));
        expect(['number', 'undefined']).toContain(typeof positive(value));
      }),
    );
  });

  it('is well-formed text, as a lone surrogate cannot be put into a URL', () => {
    const clean = text('a\ud800b') ?? '';
    expect(() => encodeURIComponent(clean)).not.toThrow();
    expect(clean).toBe('a\ufffdb');
  });

  it('is a description of at most 400 bytes, with the place and the mark that may still be added', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', ' ', '"', 'é', '湖', '𝒳'),
      size: 'max',
      maxLength: 200,
    });
    const said = fc.record({ title: texts, alt: texts, tags: fc.array(texts, { maxLength: 15 }) });
    fc.assert(
      fc.property(said, (texts) => {
        const fullest = { ...describedAs(1, texts), rank: 99, isFeatured: true };
        expect(Buffer.byteLength(JSON.stringify(fullest))).toBeLessThanOrEqual(400);
      }),
    );
  });

  const many = Array.from({ length: 13 }, (_, n) => `t${n}`);
  it.each<[string, Described, object]>([
    [
      'plain text',
      { title: ' <b>Lake</b> ', alt: 7, tags: ['a', '', null, 'b '] },
      { title: 'Lake', tags: ['a', 'b'] },
    ],
    ['twelve tags', { tags: many }, { tags: many.slice(0, 12) }],
    ['forty characters of a tag', { tags: ['x'.repeat(41)] }, { tags: ['x'.repeat(40)] }],
    [
      '150 characters of the texts',
      { title: 'x'.repeat(151), alt: 'y'.repeat(151) },
      { title: 'x'.repeat(150), alt: 'y'.repeat(150) },
    ],
    ['a colour', { color: ' #ABCDEF ' }, { color: '#abcdef' }],
    ['no name of a colour', { color: 'red' }, {}],
    ['no short colour', { color: '#abc' }, {}],
    [
      'the mark of a featured image, and its language',
      { isFeatured: true, lang: 'de' },
      { isFeatured: true, lang: 'de' },
    ],
    ['no mark of others', { isFeatured: false }, {}],
  ])('is kept with %s', (_, said, kept) => expect(describedAs(1, said)).toEqual({ rank: 1, ...kept }));

  it('that is too long loses its last tags first, then the end of its text, then that of its title', () => {
    const [title, alt, tags] = ['é'.repeat(120), 'y'.repeat(60), ['first', 'second', 'x'.repeat(40), 'last']];
    expect(describedAs(1, { title, alt, tags })).toEqual({ rank: 1, title, alt, tags: ['first', 'second'] });
    const cut = describedAs(1, { title: 'é'.repeat(150), alt: 'y'.repeat(150), tags: ['first'] });
    expect(cut).toEqual({ rank: 1, title: 'é'.repeat(150), alt: expect.stringMatching(/^y{10,60}$/) });
    const longest = describedAs(1, { title: '𝒳'.repeat(150), alt: 'y'.repeat(150) });
    expect(longest).toEqual({ rank: 1, title: expect.stringMatching(/^(?:𝒳){70,90}$/u) });
  });

  it('says how well all of it matches, before any of it is cut', () => {
    const tags = [...many, 'lake'];
    expect(describedAs(1, { tags }, understand('lake')).match?.coverage).toBeGreaterThan(0);
    expect(describedAs(1, { tags })).not.toHaveProperty('match');
  });

  it('gives the values that are present', () => {
    expect(record({ a: { b: { c: 1 } } }, 'a', 'b')).toEqual({ c: 1 });
    expect(list({ x: 1, y: 2 })).toEqual([1, 2]);
    expect([text(' a '), text('  '), positive(3), positive(-1), positive(0.5)]).toEqual([
      'a',
      undefined,
      3,
      undefined,
      undefined,
    ]);
  });
});

describe('a name', () => {
  it('is truncated to 200 characters, never in the middle of one', () => {
    expect(nameText('  Runa Teig ')).toBe('Runa Teig');
    expect(nameText('x'.repeat(200))).toHaveLength(200);
    expect(nameText('𝒳'.repeat(201))).toBe(`${'𝒳'.repeat(199)}…`);
    expect([nameText(''), nameText(7)]).toEqual([undefined, undefined]);
  });
});
