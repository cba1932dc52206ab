/** Placeholders over HTTP, of each kind of source: the right ratio, like the image, free once it is known, kept by caches. */

import sharp from 'sharp';
import { usedBy } from './ask';
import { type RunningService, startService } from './local-service';
import { readUntil } from './read-until';

let service: RunningService;
beforeAll(async () => {
  const bindings = 'stock_a=unsplash,stock_b=pexels,stock_c=pixabay';
  service = await startService(['--memory', '--fake-providers', '--bind', bindings]);
  // Its rendition loads the renderer; on a busy machine that takes longer than a search waits for a placeholder.
  expect((await ask('stock_c', { query: 'tall ship' })).status).toBe(302);
}, 60_000);
afterAll(() => service.stop());

interface ImageRecord {
  readonly url: string;
  readonly color: string | null;
  readonly placeholder: { readonly dataUri: string; readonly thumbhash: string } | null;
}

const key = () => ({ 'X-API-Key': service.keys.business.live });
const ask = (provider: string, more: Readonly<Record<string, string>> = {}) => {
  const parameters = { query: 'mountain lake', width: '600', height: '400', provider, ...more };
  return fetch(`${service.url}/api/image?${new URLSearchParams(parameters)}`, {
    headers: key(),
    redirect: 'manual',
  });
};

/** The record, once it has a placeholder: of Pexels it is made in the background. */
async function completeRecord(provider: string, more: Readonly<Record<string, string>> = {}) {
  const record = async () => (await (await ask(provider, { ...more, format: 'json' })).json()) as ImageRecord;
  return readUntil(record, ({ placeholder }) => Boolean(placeholder), { withinMs: 20_000 });
}

const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const used = () => usedBy(service.url, service.keys.business.live);

/** Mean difference between two images, from 0 to 255, compared at 8 × 8 pixels. */
async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
  const at8 = (image: Buffer) =>
    sharp(image).removeAlpha().toColourspace('srgb').resize(8, 8, { fit: 'fill' }).raw().toBuffer();
  const [a, b] = await Promise.all([at8(one), at8(other)]);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

it.each([
  ['stock_a', {}],
  ['stock_b', {}],
  ['stock_c', {}],
  ['ai', {}],
  ['ai', { visibility: 'public' }],
])(
  'an image of %s %j has a placeholder of 16 × 11 pixels that looks like it',
  async (provider, more) => {
    const record = await completeRecord(provider, more as Readonly<Record<string, string>>);
    expect(record.color).toMatch(/^#[0-9a-f]{6}$/);
    expect(record.placeholder?.thumbhash).toMatch(/^[\w+/]{20,40}={0,2}$/);
    const small = Buffer.from(record.placeholder?.dataUri.split(',')[1] ?? '', 'base64');
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 16, height: 11 });
    // The fake provider of Unsplash sends the BlurHash of another photo, so there is nothing to compare.
    if (provider !== 'stock_a') expect(await differenceOf(await bytesOf(record.url), small)).toBeLessThan(18);

    const before = await used();
    const alone = await ask(provider, { ...(more as object), format: 'placeholder' });
    expect([alone.status, alone.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(Buffer.from(await alone.arrayBuffer()).equals(small)).toBe(true);
    expect(alone.headers.get('x-image-thumbhash')).toBe(record.placeholder?.thumbhash);
    expect(alone.headers.get('x-image-color')).toBe(record.color);
    // It is kept as long as the redirect of its image, by the caller alone.
    expect(alone.headers.get('cache-control')).toBe('private, max-age=3600');
    expect((await used()) - before).toBe(0);
  },
  60_000,
);

it('an image of Pexels has its colour in its first answer', async () => {
  const first = await ask('stock_b', { query: 'old harbour', format: 'json' });
  expect(((await first.json()) as ImageRecord).color).toMatch(/^#[0-9a-f]{6}$/);
  expect(first.headers.get('x-image-color')).toMatch(/^#[0-9a-f]{6}$/);
}, 30_000);

it.each(['stock_a', 'stock_b', 'stock_c'])(
  'a placeholder of %s that is asked for before its image costs one request and is there at once',
  async (provider) => {
    const before = await used();
    const first = await ask(provider, { query: 'red fox', format: 'placeholder' });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(await sharp(Buffer.from(await first.arrayBuffer())).metadata()).toMatchObject({ width: 16 });
    expect((await used()) - before).toBe(1);
  },
  30_000,
);
