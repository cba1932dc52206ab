import { parseUrl } from '../../lambda/base/parse';
import { readAllowedOrigin } from '../../lambda/credentials/site-key';

it('a URL is parsed, also one that is relative to another', () => {
  expect(parseUrl('https://a.example/b')?.href).toBe('https://a.example/b');
  expect(parseUrl('../c', 'https://a.example/b/d')?.href).toBe('https://a.example/c');
});

it.each(['', 'a', '//a.example', 'https://', 'https://a b'])('no URL is parsed from %j', (text) =>
  expect(parseUrl(text)).toBeUndefined(),
);

// `URL.canParse` fails this after some thousand calls on Node 20 and 22.
it('an origin with an umlaut is parsed again each time', () => {
  const wrong = Array.from({ length: 50_000 }, () =>
    readAllowedOrigin('https://münchen.example', 'live'),
  ).filter((origin) => origin !== 'https://xn--mnchen-3ya.example');
  expect(wrong).toHaveLength(0);
});
