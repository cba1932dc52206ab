/** The CloudFront Function of the edge, run from the bundle that is deployed. */

import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { edgeHeaders } from '../../../lambda/contract/edge';
import { parameterNames } from '../../../lambda/contract/parameters';
import { formatFor } from '../../../lambda/http/accept';
import { edgeFunctionBytesMax, viewerRequestCode } from '../../../lib/edge/viewer-request-code';
import { runnerOf } from './run-function';

const code = viewerRequestCode();
const shape = runnerOf(code);

function shaped(url: string, headers: readonly (readonly [string, string])[] = [], requestId = 'request-1') {
  return shape({ method: 'GET', url, rawHeaders: headers.flat() }, '203.0.113.9', requestId);
}

describe('the query string', () => {
  it.each([
    ['/api/image?width=300&query=sea', '/api/image?query=sea&width=300'],
    ['/api/image?query=sea&utm_source=x&v=2', '/api/image?query=sea'],
    ['/api/image?query=a%26b%3Dc%20d+e', '/api/image?query=a%26b%3Dc%20d%20e'],
    ['/api/image?query=a&width=1&query=b', '/api/image?query=a&query=b&width=1'],
    ['/api/image?query', '/api/image?query='],
    ['/api/image?qu%65ry=sea', '/api/image?query=sea'],
    ['/api/image?%E0%A4%A=1&query=sea', '/api/image?query=sea'],
    ['/api/image?__proto__=1&constructor=2&query=sea', '/api/image?query=sea'],
    ['/api/image?Query=sea', '/api/image'],
    ['/api/image?q=sea&h=200&w=300', '/api/image?height=200&query=sea&width=300'],
    ['/api/image?query=sea&amp;width=300&amp;amp;h=200', '/api/image?height=200&query=sea&width=300'],
    ['/api/image?query=sea&amp%3Bwidth=300', '/api/image?query=sea&width=300'],
    ['/api/image?query=sea&q=lake', '/api/image?query=sea&query=lake'],
    ['/api/image/300x200-caf%C3%A9%2Fnight.webp?x=1', '/api/image/300x200-caf%C3%A9%2Fnight.webp'],
    ['/api/image?query=%73ea%c3%A9%21&seed=%zz', '/api/image?query=sea%C3%A9!&seed=%zz'],
    ['/api/image/300x200-%73ea%2fside+1', '/api/image/300x200-sea%2Fside%2B1'],
    ['/api/image/%2e%2E/300x200-%E0', '/api/image/%2e%2E/300x200-%E0'],
    ['/api/image/%2E/300x200-sea', '/api/image/%2E/300x200-sea'],
    ['/', '/'],
  ])('of %s becomes %s', (given, expected) => {
    expect(shaped(given).target).toBe(expected);
  });

  it('has one form for every order of the parameters, and every recognised one is kept', () => {
    const pairs = parameterNames.map((name, i) => `${name}=${i}`);
    const all = shaped(`/api/image?${pairs.join('&')}`).target;
    for (const pair of pairs) expect(`${all}&`.replace('?', '&')).toContain(`&${pair}&`);
    fc.assert(
      fc.property(fc.shuffledSubarray(pairs, { minLength: pairs.length }), (shuffled) => {
        expect(shaped(`/api/image?${shuffled.join('&')}&_=1`).target).toBe(all);
      }),
    );
  });
});

describe('the names that are dropped', () => {
  const dropped = (url: string, headers: readonly (readonly [string, string])[] = []) =>
    shaped(url, headers).headers[edgeHeaders.dropped];

  it.each([
    ['/api/image?query=sea', undefined],
    ['/api/image?size=1&query=sea&qur%C3%A9y=2&a,b', 'size,qur%C3%A9y,a%2Cb'],
    [
      `/api/image?${Array.from({ length: 12 }, (_, i) => `x${i}`).join('&')}`,
      'x0,x1,x2,x3,x4,x5,x6,x7,x8,x9',
    ],
    [`/api/image?${'é'.repeat(300)}`, encodeURIComponent('é'.repeat(300)).slice(0, 100)],
  ])('of %s reach the origin', (url, names) => expect(dropped(url)).toBe(names));

  it('are those of the URL, whatever the viewer says', () =>
    expect(dropped('/api/image?query=sea', [[edgeHeaders.dropped, 'forged']])).toBeUndefined());
});

describe('the headers', () => {
  it('hold the format that the origin chooses, for every Accept header', () => {
    const type = fc.constantFrom(
      'image/webp',
      'image/avif',
      'image/jpeg',
      'image/*',
      '*/*',
      'IMAGE/WEBP',
      'x',
    );
    const weight = fc.constantFrom(
      '',
      ';q=0',
      ';q=0.5',
      '; Q=0.9',
      ';q=1',
      ';q=2',
      ';q=',
      ';q=x',
      ';v=1;q=.3',
    );
    const range = fc.tuple(type, weight).map((parts) => parts.join(''));
    const accept = fc.oneof(
      fc.array(range, { maxLength: 6 }).map((ranges) => ranges.join(', ')),
      fc.string(),
    );
    fc.assert(
      fc.property(accept, (text) => {
        const { headers } = shaped('/', [['Accept', text]]);
        expect(headers[edgeHeaders.format]).toBe(formatFor(text));
      }),
      { numRuns: 1_000 },
    );
    expect(shaped('/').headers[edgeHeaders.format]).toBe('jpeg');
  });

  it('reads an Accept header that came in two parts as the origin does', () => {
    const parts = [
      ['Accept', 'image/jpeg;q=0.5'],
      ['Accept', 'image/webp'],
    ] as const;
    expect(shaped('/', parts).headers[edgeHeaders.format]).toBe('webp');
  });

  const audience = (headers: readonly (readonly [string, string])[], url = '/', id = 'a') =>
    shaped(url, headers, id).headers[edgeHeaders.audience];

  it.each([
    ['X-API-Key', 'k'],
    ['x-api-key', ' k'],
    ['Authorization', 'Bearer k'],
    ['authorization', ' bearer  k '],
    // Whatever is present and not understood is refused, to its sender alone.
    ['Authorization', 'x'],
    ['Authorization', 'Bearer a b'],
    ['Authorization', 'Basic YTpi'],
  ])('give a request with the key in %s: %s a cache key that no other request has', (name, value) => {
    for (const id of ['a', 'b']) expect(audience([[name, value]], '/', id)).toBe(id);
    expect(audience([[name, value]], '/?site=s')).toBe('a');
  });

  it.each([
    ['X-API-Key', ' '],
    ['Authorization', ' '],
    ['Authorization', 'Bearer'],
    ['Authorization', 'Bearer '],
    ['Origin', 'https://a.example'],
  ])('share an answer with a request whose %s is %j, which is no key', (name, value) => {
    expect(audience([[name, value]])).toBe(audience([]));
  });

  it('share what a site key shows among the requests of one origin, and with no other page', () => {
    const of = (...headers: (readonly [string, string])[]) => audience(headers, '/?site=s');
    const page = of(['Origin', 'https://a.example']);
    expect(of(['Referer', 'https://a.example/page?1'])).toBe(page);
    expect(of(['Referer', 'https://a.example/'], ['Origin', ''])).toBe(page);
    expect(audience([['Origin', 'https://a.example']], '/?query=sea&amp;site=s')).toBe(page);
    const others = [
      of(['Origin', 'https://b.example']),
      of(['Origin', 'null'], ['Referer', 'https://a.example/']),
      of(['Referer', 'https://c.example/https://a.example']),
      of(['Referer', 'https:///b.example/']),
      of(['Referer', 'https:///a.example/']),
      of(['Sec-Fetch-Dest', 'image'], ['Sec-Fetch-Site', 'cross-site']),
      of(['Sec-Fetch-Dest', 'image'], ['Sec-Fetch-Site', 'none']),
      of(),
      audience([]),
    ];
    expect(new Set([page, ...others]).size).toBe(others.length + 1);
  });

  it('hold the IP address of the viewer and nothing that it may claim for itself', () => {
    const claimed = Object.values(edgeHeaders).map((name) => [name, 'claimed'] as const);
    const { headers } = shaped('/', claimed);
    expect(headers).toEqual({
      [edgeHeaders.viewerIp]: '203.0.113.9',
      [edgeHeaders.format]: 'jpeg',
      [edgeHeaders.audience]: 'all',
    });
  });

  it('are left as they came otherwise', () => {
    const sent = [
      ['Origin', 'https://example.org'],
      ['Referer', 'https://example.org/page'],
      ['Sec-Fetch-Dest', 'image'],
      ['Authorization', 'Bearer k'],
      ['Accept', 'image/webp,*/*'],
    ] as const;
    const { headers } = shaped('/', sent);
    for (const [name, value] of sent) expect(headers[name.toLowerCase()]).toBe(value);
  });
});

describe('the code', () => {
  it('fits into a CloudFront Function and is ASCII', () => {
    expect(Buffer.byteLength(code)).toBeLessThan(edgeFunctionBytesMax);
    expect(code).toMatch(/^[ -~\n]*$/);
  });

  it('uses no syntax that the runtime may lack', () => {
    const unused = Object.fromEntries(
      'array-spread async-await async-generator bigint class class-field default-argument destructuring exponent-operator for-await for-of generator logical-assignment nested-rest-binding new-target nullish-coalescing object-accessors object-extensions object-rest-spread optional-catch-binding optional-chain regexp-dot-all-flag regexp-lookbehind-assertions regexp-named-capture-groups regexp-sticky-and-unicode-flags regexp-unicode-property-escapes rest-argument top-level-await'
        .split(' ')
        .map((feature) => [feature, false]),
    );
    // What esbuild would have to rewrite, or cannot, is there.
    const isPlain = (text: string) => {
      const options = { target: 'es2022', logLevel: 'silent' } as const;
      try {
        const rewritten = transformSync(text, { ...options, supported: unused }).code;
        return rewritten === transformSync(text, options).code;
      } catch {
        return false;
      }
    };
    expect(isPlain(code)).toBe(true);
    const others = [
      'class A {}',
      'x(a?.b)',
      'x(a ?? b)',
      'x({ ...a })',
      'x(...a)',
      'const [a] = b',
      'for (const a of b) x(a)',
      'async function f() {}',
      'function f(a = 1) {}',
      'try { x() } catch { y() }',
    ];
    for (const text of others) expect([text, isPlain(text)]).toEqual([text, false]);
  });
});
