/** Tests the attributes of an `<img>`, and the tag as text. */

import fc from 'fast-check';
import { cssText, imageHtml, imageProps } from '../src/image-props';
import { expectInBounds, spec } from './arbitrary-spec';

const base = 'https://img.example.com';
const layout = fc.constantFrom('constrained', 'fixed', 'fullWidth');

const parseSrcSet = (srcSet: string) =>
  srcSet.split(', ').map((entry) => {
    const [url = '', descriptor = ''] = entry.split(' ');
    const { width, height } = Object.fromEntries(new URL(url).searchParams);
    return { url, descriptor: Number.parseInt(descriptor, 10), width: Number(width), height: Number(height) };
  });

/** Returns a URL without its size. Equal results show one image. */
function removeSize(url: string): string {
  const { searchParams } = new URL(url);
  searchParams.delete('width');
  searchParams.delete('height');
  return searchParams.toString();
}

test('imageProps offers one image at rising widths of the same ratio', () => {
  fc.assert(
    fc.property(spec, layout, (wantedSpec, wantedLayout) => {
      const { src, srcSet, width, height } = imageProps(base, { ...wantedSpec, layout: wantedLayout });
      const entries = parseSrcSet(srcSet);
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of [...entries, ...parseSrcSet(`${src} 1w`)]) {
        expect(removeSize(entry.url)).toBe(removeSize(src));
        expectInBounds(entry.width, entry.height);
        // Both are rounded to whole pixels.
        const ratio = entry.width / entry.height;
        expect(ratio).toBeGreaterThan((width - 0.51) / (height + 0.51) - ratio * 0.02);
        expect(ratio).toBeLessThan((width + 0.51) / (height - 0.501) + ratio * 0.02);
      }
      const widths = entries.map(({ descriptor }) => descriptor);
      expect(widths).toEqual(entries.map((entry) => entry.width));
      expect(widths).toEqual([...new Set(widths)].sort((a, b) => a - b));
    }),
  );
});

test.each([
  [
    'keep an image within its width by default',
    { width: 600, height: 400, seed: 2 },
    [150, 256, 384, 480, 600, 640, 750, 828, 960, 1080, 1200],
    { src: 600, sizes: '(min-width: 600px) 600px, 100vw', width: 600, height: 400 },
    { width: '100%', maxWidth: '600px', height: 'auto', aspectRatio: '600 / 400' },
  ],
  [
    'keep a fixed size, with twice the pixels for dense screens',
    { width: 300, ratio: '1:1', layout: 'fixed' },
    [300, 600],
    { src: 300, sizes: '300px', width: 300, height: 300 },
    { width: '300px', height: '300px' },
  ],
  [
    'fill the width of the container',
    { ratio: '21:9', layout: 'fullWidth' },
    [384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600, 1668, 1920, 2048, 2560, 3200, 3840],
    { src: 1920, sizes: '100vw', width: 1920, height: 823 },
    { width: '100%', height: 'auto', aspectRatio: '1920 / 823' },
  ],
] as const)(
  'imageProps returns attributes that %s',
  (_about, layoutOptions, widths, { src, ...size }, style) => {
    const props = imageProps(base, { query: 'sea', ...layoutOptions });
    expect(parseSrcSet(props.srcSet).map(({ width }) => width)).toEqual(widths);
    expect(new URL(props.src).searchParams.get('width')).toBe(`${src}`);
    expect(props).toEqual({
      ...{ src: expect.any(String), srcSet: expect.any(String), ...size, alt: 'sea' },
      ...{ loading: 'lazy', decoding: 'async', style: { ...style, objectFit: 'cover' } },
    });
  },
);

test('imageProps takes widths, sizes and alt from the spec', () => {
  const ownLayout = { widths: [1200, 300, 8000], sizes: '50vw', alt: '' };
  const props = imageProps(base, { query: 'sea', width: 600, height: 400, ...ownLayout });
  expect(parseSrcSet(props.srcSet).map(({ width }) => width)).toEqual([300, 1200, 4000]);
  expect(props).toMatchObject({ sizes: '50vw', alt: '' });
});

test('imageProps adds only listed widths to a URL signed with upto', () => {
  const signed = `${base}/api/image?query=sea&upto=1600x900&signer=sg_live_7Hq2mXv9Rk3T&signature=abc`;
  const props = imageProps(signed, { width: 800, alt: 'The sea' });
  expect(props.srcSet.split(', ')).toEqual(
    [256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600].map((w) => `${signed}&width=${w} ${w}w`),
  );
  expect(props).toMatchObject({ src: `${signed}&width=828`, width: 800, height: 450, alt: 'The sea' });
});

test('imageHtml escapes texts in its attributes', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('"', "'", '<', '>', '&', 'x', ' ', '='),
    minLength: 1,
  });
  fc.assert(
    fc.property(hostile, hostile, (query, alt) => {
      const html = imageHtml(base, { query, alt, width: 600, height: 400 });
      expect(html.match(/[<>]/g)).toEqual(['<', '>']);
      const attributes = [...html.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code)).replaceAll('&amp;', '&'),
      ]);
      const { style, srcSet, ...props } = imageProps(base, { query, alt, width: 600, height: 400 });
      expect(Object.fromEntries(attributes)).toEqual({
        ...Object.fromEntries(Object.entries(props).map(([name, value]) => [name, String(value)])),
        srcset: srcSet,
        style: cssText(style),
      });
    }),
  );
});

test('cssText writes a style as CSS', () => {
  expect(cssText({ maxWidth: '600px', aspectRatio: '3 / 2' })).toBe('max-width:600px;aspect-ratio:3 / 2');
});
