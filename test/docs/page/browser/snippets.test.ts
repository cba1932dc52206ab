/** Tests the URLs and the code of the playground, which the service parses to the values of the form. */

import fc from 'fast-check';
import {
  type RequestValues,
  writeImageTag,
  writePickedTag,
  writeShortestUrl,
  writeSnippets,
} from '../../../../lambda/docs/page/browser/snippets';
import { parseAtSize, parseImageRequest } from '../../../requests/raw-request';

const root = 'https://img.example/prod';

const anyWords = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom('a', 'é', '-', '_', '+', ' ', "'", '"', '&', '<', '/', '%', '?', '#', '('),
      minLength: 1,
      maxLength: 20,
    }),
    fc.constantFrom('mountain lake', 'Café d’été', '山 湖', 'a+b', '50% off', "it's"),
  )
  .filter((text) => /[^-_\s]/.test(text.normalize('NFKC')) && !/[\p{Cc}\ufffd]/u.test(text));
const anyValues: fc.Arbitrary<RequestValues> = fc.record(
  {
    query: anyWords,
    width: fc.integer({ min: 100, max: 4_000 }).map(String),
    height: fc.integer({ min: 100, max: 4_000 }).map(String),
    provider: fc.constantFrom('stock_a', 'stock_b'),
    seed: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  },
  { requiredKeys: ['query', 'width', 'height'] },
);

test('the service parses the URL of the playground to the values of the form', () => {
  fc.assert(
    fc.property(anyValues, (formValues) => {
      const { query, width, height, ...options } = formValues;
      const optional = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, [value]]));
      const parsedRequest = parseImageRequest({
        query: { query: [query], width: [width], height: [height], ...optional },
      });
      expect(parsedRequest).toEqual(parseAtSize(writeShortestUrl(root, formValues)));
    }),
    { numRuns: 500 },
  );
});

test('words of letters and digits give a URL in the path form', () => {
  const formValues = { query: ' mountain  lake ', width: '1200', height: '800' };
  expect(writeShortestUrl(root, formValues)).toBe(`${root}/api/image/1200x800-mountain-lake`);
  expect(writeShortestUrl(root, { ...formValues, query: 'a-b' })).toBe(
    `${root}/api/image?query=a-b&width=1200&height=800`,
  );
});

test('pasted code keeps its URL', () => {
  fc.assert(
    fc.property(anyValues, (formValues) => {
      const url = writeShortestUrl(root, formValues);
      const { HTML, Markdown, React, curl, Python } = writeSnippets(url, formValues, false);
      expect(curl).toBe(`curl -L -o image.jpg '${url}'`);
      expect(url).not.toMatch(/['"<>\s\\]/);
      expect(HTML).toMatch(/^<img src="[^"<>]*" width="\d+" height="\d+" alt="[^"<>]*" loading="lazy">$/);
      const findUrl = (code: string) => /src="([^"]*)"/.exec(code)?.[1]?.replaceAll('&#38;', '&');
      expect([findUrl(HTML), findUrl(React)]).toEqual([url, url]);
      const target = /\]\((\S+)\)$/.exec(Markdown)?.[1] ?? '';
      expect(parseAtSize(target)).toEqual(parseAtSize(url));
      const jsonUrl = /Request\("([^"\\]*)"\)/.exec(Python)?.[1] ?? '';
      expect(jsonUrl).toMatch(/[?&]format=json$/);
      expect(parseAtSize(jsonUrl)).toEqual({ ...parseAtSize(url), asJson: true });
    }),
  );
});

test('the code escapes words with characters of Markdown and HTML', () => {
  const formValues = { query: ' [a] <b> "c" & \\ ', width: '100', height: '100' };
  const { Markdown, HTML } = writeSnippets('u', formValues, false);
  expect(Markdown).toBe('![\\[a\\] \\<b\\> "c" & \\\\](u)');
  const bracketUrl = writeShortestUrl(root, { ...formValues, query: 'a (b)*' });
  expect(writeSnippets(bracketUrl, formValues, false).Markdown).toMatch(/query=a\+%28b%29%2A&[^()*]*\)$/);
  expect(HTML).toContain(' alt="[a] &#60;b&#62; &#34;c&#34; &#38; \\" ');
});

const aiValues = { query: 'lake', width: '100', height: '100', provider: 'ai', style: 'dark' };
const aiUrl = writeShortestUrl(root, aiValues);

test('code that needs a key contains YOUR_API_KEY', () => {
  const { HTML, Markdown, React, curl, Python } = writeSnippets(aiUrl, aiValues, false);
  // Clients drop Authorization when a redirect leaves the host, which they do not with X-API-Key.
  expect(curl).toContain("-H 'Authorization: Bearer YOUR_API_KEY'");
  expect(Python).toContain('headers={"X-API-Key": "YOUR_API_KEY"}');
  for (const code of [HTML, Markdown, React]) expect(code).not.toMatch(/YOUR_API_KEY|http/);
  expect(HTML).toMatch(/^<!-- .* -->$/);
  for (const code of [HTML, Markdown, React, curl, Python]) expect(code).not.toContain('api_key');
});

test('after a request with a key, the code has the signed URLs of the record', () => {
  const src = `${root}/api/image?query=lake&signer=sg_live_1&signature=s`;
  const signedRecord = { src, srcset: `${src} 480w`, html: '<img src="signed">', alt: 'A lake', note: null };
  const { HTML, Markdown, React } = writeSnippets(aiUrl, aiValues, true, signedRecord);
  expect(HTML).toBe(signedRecord.html);
  expect(Markdown).toBe(`![A lake](${src})`);
  expect(React).toContain(`src="${src.replaceAll('&', '&#38;')}"`);
  expect(React).toContain('srcSet=');
  expect(React).toContain('sizes="(min-width: 100px) 100px, 100vw"');
  const unsignedRecord = { ...signedRecord, src: null, html: null, note: 'No signer.' };
  expect(writeSnippets('u', aiValues, true, unsignedRecord).HTML).toBe('<!-- No signer. -->');
});

test('the tag of one of the six images has its pick, size and crop', () => {
  const formValues = { query: 'mountain lake', width: '1200', height: '800', crop: 'top', seed: '3' };
  const record = { pick: '0123456789abcdef0123', alt: 'A lake' };
  expect(writePickedTag(root, formValues, record)).toBe(
    writeImageTag(`${root}/api/image/1200x800-mountain-lake?crop=top&pick=0123456789abcdef0123`, {
      ...formValues,
      query: 'A lake',
    }),
  );
});
