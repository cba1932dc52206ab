/** Placeholders over HTTP: those of renditions look like their image; an image that its provider crops has its colour alone. */

import sharp from 'sharp';
import { type RunningService, startService } from './local-service';

let service: RunningService;
beforeAll(async () => {
  const bindings = 'stock_a=unsplash,stock_b=pexels,stock_c=pixabay';
  service = await startService(['--memory', '--fake-providers', '--bind', bindings]);
});
afterAll(() => service.stop());

interface ImageRecord {
  readonly url: string;
  readonly color: string | null;
  readonly placeholder: { readonly dataUri: string } | null;
}

async function recordOf(provider: string, more: Readonly<Record<string, string>> = {}) {
  const parameters = {
    query: 'mountain lake',
    width: '600',
    height: '400',
    format: 'json',
    provider,
    ...more,
  };
  const response = await fetch(`${service.url}/api/image?${new URLSearchParams(parameters)}`, {
    headers: { 'X-API-Key': service.keys.business.live },
  });
  expect([response.status, response.headers.get('x-image-color')]).toEqual([
    200,
    expect.stringMatching(/^#[0-9a-f]{6}$/),
  ]);
  return (await response.json()) as ImageRecord;
}

const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Mean difference between two images, from 0 to 255, compared at 8 × 8 pixels. */
async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
  const at8 = (image: Buffer) =>
    sharp(image).removeAlpha().toColourspace('srgb').resize(8, 8, { fit: 'fill' }).raw().toBuffer();
  const [a, b] = await Promise.all([at8(one), at8(other)]);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

it.each<[string, Readonly<Record<string, string>>]>([
  ['stock_c', {}],
  ['ai', {}],
  ['ai', { visibility: 'public' }],
])('an image of %s %j has a placeholder of 16 × 11 pixels that looks like it', async (provider, more) => {
  const { url, color, placeholder } = await recordOf(provider, more);
  expect(color).toMatch(/^#[0-9a-f]{6}$/);
  const small = Buffer.from(placeholder?.dataUri.split(',')[1] ?? '', 'base64');
  expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 16, height: 11 });
  expect(await differenceOf(await bytesOf(url), small)).toBeLessThan(18);
});

it.each(['stock_a', 'stock_b'])('an image of %s has its colour and no placeholder', async (provider) => {
  const { color, placeholder } = await recordOf(provider);
  expect([color, placeholder]).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), null]);
});
