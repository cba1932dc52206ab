/** Tests URLs of images: an accepted size, the ratio of the page, the words of the spec. */

import fc from 'fast-check';
import { type ImageSpec, imageUrl } from '../src/image-url';
import { uptoWidthsPx } from '../src/service';
import { expectInBounds, spec } from './arbitrary-spec';

const base = 'https://img.example.com';
const parseParameters = (url: string) => Object.fromEntries(new URL(url).searchParams);

test('imageUrl writes the fields of its spec in a size that the service accepts', () => {
  fc.assert(
    fc.property(spec, (wantedSpec) => {
      const { width, height, ...parameters } = parseParameters(imageUrl(base, wantedSpec));
      expectInBounds(width, height);
      const { ratio: _ratio, width: _width, height: _height, alternative: alt, ...others } = wantedSpec;
      const texts = Object.entries({ ...others, ...(alt && { alt }) }).map(([name, value]) => [
        name,
        `${value}`,
      ]);
      expect(parameters).toEqual(Object.fromEntries(texts));
    }),
  );
});

test.each<[string, Partial<ImageSpec>, string]>([
  ['nothing', {}, '1920x1080'],
  ['a width', { width: 640 }, '640x360'],
  ['a height', { height: 360 }, '640x360'],
  ['a ratio', { ratio: '1:1' }, '1920x1920'],
  ['a width and a ratio', { width: 600, ratio: '3:2' }, '600x400'],
  ['a height and a ratio as a number', { height: 400, ratio: 1.5 }, '600x400'],
  ['a ratio with a slash', { width: 600, ratio: '3/2' }, '600x400'],
  ['an icon', { width: 32, height: 32 }, '100x100'],
  ['a banner that is too low', { width: 800, height: 40 }, '2000x100'],
  ['a poster that is too high', { width: 3000, height: 6000 }, '2000x4000'],
  ['the flattest image', { ratio: '40:1' }, '4000x100'],
  ['the narrowest image', { ratio: '1:40' }, '100x4000'],
])('imageUrl chooses the size for %s', (_name, size, expected) => {
  const { width, height } = parseParameters(imageUrl(base, { query: 'sea', ...size }));
  expect(`${width}x${height}`).toBe(expected);
});

test.each(['41:1', '1:41', '0:0', 'wide'])('imageUrl refuses the ratio %s', (ratio) => {
  const error = new RangeError('ratio must be from 1:40 to 40:1');
  expect(() => imageUrl(base, { query: 'sea', ratio } as ImageSpec)).toThrow(error);
});

test('imageUrl drops fields that are no parameters, such as keys', () => {
  const careless = { query: 'sea', api_key: 'pk_live_x', key: 'pk_live_x', format: 'json' } as ImageSpec;
  expect(imageUrl(base, careless)).toBe(`${base}/api/image?query=sea&width=1920&height=1080`);
});

test('imageUrl writes upto in place of a size', () => {
  const url = imageUrl(base, { query: 'sea', upto: '1920x1080', width: 640 });
  expect(parseParameters(url)).toEqual({ query: 'sea', upto: '1920x1080' });
});

test.each(['90x90', '5000x3000', '4000x4001', '4001x4000', '1920', '0x0', '1920x10', 'x'])(
  'imageUrl refuses upto=%s',
  (upto) => {
    const wrongSpec = { query: 'sea', upto } as ImageSpec;
    expect(() => imageUrl(base, wrongSpec)).toThrow(new RangeError('upto is out of bounds'));
  },
);

const signed = `${base}/api/image?query=sea&upto=1920x1080&signer=sg_live_7Hq2mXv9Rk3T&signature=abc`;

test('imageUrl adds only a listed width to a URL signed with upto', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6016 }), (width) => {
      const url = imageUrl(signed, { width });
      expect(url.startsWith(`${signed}&width=`)).toBe(true);
      const chosen = Number(parseParameters(url)['width']);
      expect(uptoWidthsPx).toContain(chosen);
      expect(chosen).toBeLessThanOrEqual(1920);
      expect(Math.round((chosen * 1080) / 1920)).toBeGreaterThanOrEqual(100);
      if (width >= 256 && width <= 1920) expect(chosen).toBeGreaterThanOrEqual(width);
    }),
  );
});

test('imageUrl returns a URL signed for one size unchanged', () => {
  const one = `${base}/api/image/800x600-sea?signer=sg_live_7Hq2mXv9Rk3T&signature=abc`;
  expect(imageUrl(one, { width: 400 })).toBe(one);
});

const writeInJavaScript = imageUrl as (base: string, spec: object) => string;
test.each([
  ['no query', {}, TypeError, 'query is required'],
  ['an API key as site', { query: 'a', site: 'pk_live_x' }, TypeError, 'site must be a site key, site_…'],
])('imageUrl refuses a spec with %s', (_name, spec, type, message) => {
  const call = () => writeInJavaScript('https://img.example.com', spec);
  expect(call).toThrow(type);
  expect(call).toThrow(message);
});

test('the types of imageUrl and imageProps refuse a wrong spec', () => {
  const url = 'https://img.example.com';
  const listRefused = () => [
    // @ts-expect-error A query is missing.
    imageUrl(url, {}),
    // @ts-expect-error A provider is called by its slot.
    imageUrl(url, { query: 'a', provider: 'unsplash' }),
    // @ts-expect-error There is no such style.
    imageUrl(url, { query: 'a', style: 'watercolour' }),
    // @ts-expect-error Variations end at ten.
    imageUrl(url, { query: 'a', variation: 11 }),
    // @ts-expect-error An API key is no site key.
    imageUrl(url, { query: 'a', site: 'pk_live_x' }),
  ];
  expect(listRefused).toThrow(TypeError);
});
