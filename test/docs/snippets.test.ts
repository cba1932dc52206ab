/** The playground's URLs are parsed to what the form says, and its snippets can be pasted and contain no key. */

import fc from 'fast-check';
import {
  publishedSnippets,
  type RequestValues,
  siteSnippet,
  snippetsOf,
  uptoUrl,
  urlOf,
} from '../../lambda/docs/page/browser/snippets';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { parseRequest } from '../../lambda/requests/parse-request';

const root = 'https://img.example/prod';

/** The request that the service reads from a URL. */
function requestAt(url: string): ImageRequest {
  const { pathname, searchParams } = new URL(url);
  const segment = /^\/prod\/api\/image\/(.+)$/.exec(pathname)?.[1];
  const values = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]),
  );
  const parsed = parseRequest({ values, ...(segment === undefined ? {} : { segment }) });
  if (parsed.outcome === 'refused') throw new Error(`${url}: ${JSON.stringify(parsed.refusal)}`);
  return parsed.request;
}

const words = fc
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
const values: fc.Arbitrary<RequestValues> = fc.record(
  {
    query: words,
    width: fc.integer({ min: 100, max: 4_000 }).map(String),
    height: fc.integer({ min: 100, max: 4_000 }).map(String),
    provider: fc.constantFrom('stock_a', 'stock_b'),
    seed: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  },
  { requiredKeys: ['query', 'width', 'height'] },
);

describe('the playground', () => {
  it('builds a URL that the service parses to what the form says', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { query, width, height, ...rest } = given;
        const optional = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, [value]]));
        const asked = parseRequest({
          values: { query: [query], width: [width], height: [height], ...optional },
        });
        expect(asked).toEqual({ outcome: 'valid', request: requestAt(urlOf(root, given)) });
      }),
      { numRuns: 500 },
    );
  });

  it('prefers the path form', () => {
    const given = { query: ' mountain  lake ', width: '1200', height: '800' };
    expect(urlOf(root, given)).toBe(`${root}/api/image/1200x800-mountain-lake`);
    expect(urlOf(root, { ...given, query: 'a-b' })).toBe(`${root}/api/image?query=a-b&width=1200&height=800`);
  });

  it('writes snippets that are intact after pasting', () => {
    fc.assert(
      fc.property(values, (given) => {
        const url = urlOf(root, given);
        const { html, markdown, curl, fetch } = snippetsOf(url, given, false);
        expect(curl).toBe(`curl -L -o image.jpg '${url}'`);
        expect(url).not.toMatch(/['"<>\s\\]/);
        expect(html).toMatch(/^<img src="[^"<>]*" width="\d+" height="\d+" alt="[^"<>]*" loading="lazy">$/);
        const unescaped = /src="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
        expect(unescaped).toBe(url);
        const target = /\]\((\S+)\)$/.exec(markdown)?.[1] ?? '';
        expect(requestAt(target)).toEqual(requestAt(url));
        expect(() => new Function(`return async () => { ${fetch} }`)).not.toThrow();
      }),
    );
  });

  it('writes words that mean something in Markdown or HTML as words', () => {
    const given = { query: ' [a] <b> "c" & \\ ', width: '100', height: '100' };
    const { markdown, html } = snippetsOf('u', given, false);
    expect(markdown).toBe('![\\[a\\] \\<b\\> "c" & \\\\](u)');
    expect(html).toContain(' alt="[a] &lt;b&gt; &quot;c&quot; &amp; \\" ');
  });

  it('writes a placeholder where a key is needed, and takes no key', () => {
    const given = { query: 'lake', width: '100', height: '100', provider: 'ai', style: 'dark' };
    const snippets = snippetsOf(urlOf(root, given), given, true);
    for (const snippet of Object.values(snippets)) expect(snippet).toContain('YOUR_API_KEY');
    // Clients drop Authorization when a redirect leaves the host, which they do not with X-API-Key.
    expect(snippets.curl).toContain("-H 'Authorization: Bearer YOUR_API_KEY'");
    expect(snippets.fetch).toContain("Authorization: 'Bearer YOUR_API_KEY'");
    expect(snippetsOf.length).toBe(3);
  });

  const given = { query: ' mountain  lake ', width: '1200', height: '800', crop: 'top' };

  it.each([
    [{}, '<img src="u?a=1&amp;b=2" width="1200" height="800" alt="mountain  lake" loading="lazy">'],
    [{ provider: 'stock_b' }, /^<img /],
    [{ provider: 'ai' }, /^A site key shows stock images only\./],
    [{ onmiss: 'ai' }, /^A site key shows stock images only\./],
  ])('writes a tag with a site key for stock images alone: %j', (more, said) => {
    expect(siteSnippet('u?a=1&b=2', { ...given, ...more })).toMatch(said);
  });

  it('has servers sign one size, or all up to it, and with the end of the URL where it has one', () => {
    const upto = uptoUrl(root, given);
    expect(upto).toBe(`${root}/api/image?query=mountain+lake&crop=top&upto=1200x800`);
    const snippets = (expires?: number) =>
      publishedSnippets({ url: 'signed', ...(expires && { expires }) }, { url: 'plain', upto }, given);
    expect(snippets()['signed-html']).toMatch(/^<img src="signed" width="1200" height="800"/);
    expect(snippets()['signed-next']).toContain(`signer.sign('${upto}');`);
    expect(snippets(1_900_000_000)['signed-next']).toContain(
      `signer.sign('${upto}', { expires: 1900000000 });`,
    );
    expect(snippets()['signed-php']).toContain(
      "sign('plain', getenv('IMAGE_SIGNER_ID'), getenv('IMAGE_SIGNER_SECRET'));",
    );
    expect(snippets(1_900_000_000)['signed-php']).toContain("getenv('IMAGE_SIGNER_SECRET'), '1900000000');");
  });
});
