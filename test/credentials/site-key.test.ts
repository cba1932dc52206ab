/** A site key is allowed on pages that match its origins. */

import {
  type AllowedOrigin,
  checkOrigin,
  getRequestingPage,
  parseAllowedOrigin,
} from '../../lambda/credentials/site-key';
import { makeAllowedOrigin } from '../fakes/values';

describe('parseAllowedOrigin', () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    ['https://Example.COM', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://*.example.co.uk:8443', 'https://*.example.co.uk:8443'],
    ['https://example.com/', 'https://example.com'],
    ['https://*.example.com/', 'https://*.example.com'],
    ['https://*.München.example:443', 'https://*.xn--mnchen-3ya.example'],
    ['http://LOCALHOST:80/', 'http://localhost'],
    ['https://a.example.com', 'https://a.example.com'],
    ['https://a-b.1.example.xn--p1ai', 'https://a-b.1.example.xn--p1ai'],
  ])('the allowed origin %s is kept as %s', (text, normalised) =>
    expect(parseAllowedOrigin(text, 'live')).toBe(normalised),
  );

  // `URL.canParse` fails this after some thousand calls on Node 20 and 22.
  test('an origin with an umlaut is parsed each time', () => {
    const origins = Array.from({ length: 50_000 }, () =>
      parseAllowedOrigin('https://münchen.example', 'live'),
    );
    expect([...new Set(origins)]).toEqual(['https://xn--mnchen-3ya.example']);
  });

  test.each([
    '',
    '*',
    'null',
    'example.com',
    'ftp://example.com',
    'https://*',
    'https://a.*.example.com',
    'https://*example.com',
    'http://*.example.com',
    'https://*.com',
    'https://example',
    'https://localhost',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://localhost:*',
    'https://example.com/path',
    'https://example.com//',
    'https://example.com?x',
    'https://example.com#x',
    'https://user@example.com',
    'https://example.com,https://evil.example',
    'https://example.com,evil.example',
    'https://exa mple.com',
    'xhttps://example.com',
    'https://-example.com',
    'https://example-.com',
    'https://example.com-',
    'https://example.1om',
    'https://exa_mple.com',
    'https://_.example.com',
    'http://xlocalhost',
    'http://localhost.example',
    'https://example.com:99999',
  ])('the origin %j is refused for a live key', (text) =>
    expect(parseAllowedOrigin(text, 'live')).toBeUndefined(),
  );

  test('http://localhost:* is allowed for test keys only', () => {
    expect(parseAllowedOrigin('http://localhost:*', 'test')).toBe('http://localhost:*');
    expect(parseAllowedOrigin('https://example.com', 'test')).toBe('https://example.com');
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080'])(
    'the allowed origin %s covers only its own pages',
    (origin) => {
      const allowed = [parseAllowedOrigin(origin, 'live') as AllowedOrigin];
      expect(checkOrigin(allowed, { origin, isImageLoad: false }, 'live')).toBe('allowed');
      expect(checkOrigin(allowed, { origin: 'http://localhost:3001', isImageLoad: false }, 'live')).toBe(
        'refused',
      );
    },
  );
});

describe('getRequestingPage', () => {
  const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' };
  test.each<[string, Record<string, string>, string | undefined]>([
    ['no header', {}, undefined],
    ['Origin', { origin: 'https://a.example' }, 'https://a.example'],
    ['Referer', { referer: 'https://a.example/b?c' }, 'https://a.example'],
    ['a concealed Origin', { origin: 'null', referer: 'https://a.example/' }, 'null'],
    ['a damaged Referer', { referer: 'nonsense' }, 'null'],
    ['an empty Referer', { referer: '' }, 'null'],
    ['an empty Origin beside Referer', { origin: '', referer: 'https://a.example/' }, 'https://a.example'],
    ['capitals and a port', { origin: 'HTTPS://A.example:443' }, 'https://a.example'],
    ['an Origin with a path', { origin: 'https://a.example/b' }, 'null'],
  ])('the page that sends a request is read from %s', (_, headers, origin) =>
    expect(getRequestingPage((name) => headers[name]).origin).toBe(origin),
  );

  test.each<[string, Record<string, string>, boolean]>([
    ['no header', {}, false],
    ['an image of another site', image, true],
    ['an image of the same site', { ...image, 'sec-fetch-site': 'same-site' }, true],
    ['an image that a person opens', { ...image, 'sec-fetch-site': 'none' }, false],
    ['an image of an unknown site', { 'sec-fetch-dest': 'image' }, false],
    ['a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }, false],
  ])('a request is an image load or not: %s', (_, headers, isImageLoad) =>
    expect(getRequestingPage((name) => headers[name])).toEqual({ isImageLoad }),
  );
});

describe('checkOrigin', () => {
  test.each([
    ['https://example.com', 'https://example.com', 'allowed'],
    ['https://example.com', 'https://example.com:8443', 'refused'],
    ['https://example.com', 'http://example.com', 'refused'],
    ['https://example.com', 'https://www.example.com', 'refused'],
    ['https://example.com', 'https://example.com.evil.example', 'refused'],
    ['https://*.example.com', 'https://www.example.com', 'allowed'],
    ['https://*.example.com', 'https://a.b.example.com', 'allowed'],
    ['https://*.example.com', 'https://example.com', 'refused'],
    ['https://*.example.com', 'https://.example.com', 'refused'],
    ['https://*.example.com', 'https://evilexample.com', 'refused'],
    ['https://*.example.com', 'https://evil.example/.example.com', 'refused'],
    ['https://*.example.com', 'https://evil.example?.example.com', 'refused'],
    ['https://*.example.com', 'https://evil.example#.example.com', 'refused'],
    ['https://example.com', 'https://EXAMPLE.com:443', 'allowed'],
    ['https://*.example.com', 'http://www.example.com', 'refused'],
    ['https://*.example.com', 'https://www.example.com:8443', 'refused'],
    ['https://*.example.com:8443', 'https://www.example.com:8443', 'allowed'],
    ['http://localhost:*', 'http://localhost', 'allowed'],
    ['http://localhost:*', 'http://localhost:3000', 'allowed'],
    ['http://localhost:*', 'https://localhost:3000', 'refused'],
    ['http://localhost:*', 'http://localhost:3000.evil.example', 'refused'],
    ['http://localhost:*', 'http://localhost.evil.example', 'refused'],
    ['https://example.com', 'null', 'refused'],
    ['https://example.com', 'https://example.com, https://example.com', 'refused'],
  ])('a key of the origins %s meets the page %s, which is %s', (allowed, origin, expected) => {
    const origins = [makeAllowedOrigin('https://other.example'), makeAllowedOrigin(allowed)];
    const page = getRequestingPage((name) => (name === 'origin' ? origin : undefined));
    for (const isImageLoad of [true, false])
      expect(checkOrigin(origins, { ...page, isImageLoad }, 'test')).toBe(expected);
  });

  test.each([
    ['http://localhost:3000', 'http://127.0.0.1:8080', 'allowed', 'refused'],
    ['http://127.0.0.1:3000', 'http://localhost', 'allowed', 'refused'],
    ['http://localhost:3000', 'http://localhost:3000', 'allowed', 'allowed'],
    ['https://example.com', 'http://localhost:3000', 'refused', 'refused'],
    ['http://localhost:3000', 'http://127.0.0.1:3000.evil.example', 'refused', 'refused'],
    ['http://localhost:3000', 'http://127.0.0.2:3000', 'refused', 'refused'],
  ])(
    'with the origins %s, the page %s is %s for a test key and %s for a live key',
    (allowed, origin, test, live) => {
      const check = (mode: 'test' | 'live') =>
        checkOrigin([makeAllowedOrigin(allowed)], { origin, isImageLoad: false }, mode);
      expect([check('test'), check('live')]).toEqual([test, live]);
    },
  );

  test('an image load without Origin and Referer is unproven', () => {
    const allowed = [makeAllowedOrigin('https://example.com')];
    expect(checkOrigin(allowed, { isImageLoad: true }, 'live')).toBe('unproven');
    expect(checkOrigin(allowed, { isImageLoad: false }, 'live')).toBe('refused');
  });

  test('a site key with an empty list of origins refuses every page', () =>
    expect(checkOrigin([], { origin: 'https://example.com', isImageLoad: true }, 'live')).toBe('refused'));
});
