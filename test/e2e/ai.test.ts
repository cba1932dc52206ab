/** AI images from the outside: generated once, charged once, private when private. */

import sharp from 'sharp';
import { fixtureOf } from '../fakes/fixture';
import { type Answer, ask, header, imageBehind } from './ask';
import { localAccounts, type TestAccount } from './local-account';
import { sharedService } from './shared-service';

const service = fixtureOf(sharedService);
const accounts = fixtureOf(() => localAccounts(service.url));
let account: TestAccount;
beforeEach(async () => {
  account = await accounts.open('free', 0);
});

/** Requests an AI image with the account's key, or another one. */
const draw = (
  words: string,
  options: Readonly<Record<string, string>> = {},
  key = account.key,
): Promise<Answer> => {
  const query = new URLSearchParams({ provider: 'ai', ...options });
  return ask(service.url, { path: `/api/image/320x200-${words}?${query}`, headers: { 'X-API-Key': key } });
};

/** Mean difference between two images, from 0 to 255, compared at 16 × 10 pixels. */
async function distanceOf(one: Buffer, other: Buffer): Promise<number> {
  const small = (image: Buffer) =>
    sharp(image).resize(16, 10).removeAlpha().toColourspace('srgb').raw().toBuffer();
  const [a, b] = await Promise.all([small(one), small(other)]);
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

test('the four styles of one query are four clearly different images', async () => {
  const looks = await Promise.all(
    ['photo', 'minimal', 'dark', 'illustration'].map(
      async (style) => (await imageBehind(await draw('mountain-lake', { style }))).bytes,
    ),
  );
  // The least of a hundred accounts, whose images differ, was 18.
  for (const [i, one] of looks.entries())
    for (const other of looks.slice(i + 1)) expect(await distanceOf(one, other)).toBeGreaterThan(12);
  expect(await account.taken()).toBe(4);
});

test('an answer states what is left of the AI images beside the quota, which the X- headers state alone', async () => {
  const answer = await draw('lighthouse');
  expect(header(answer, 'ratelimit-policy')).toMatch(/^"month";q=1000;w=\d+, "generations";q=25;w=\d+$/);
  expect(header(answer, 'ratelimit')).toMatch(/^"month";r=999;t=\d+, "generations";r=24;t=\d+$/);
  expect(header(answer, 'x-ratelimit-remaining')).toBe('999');
  const again = await draw('lighthouse');
  expect(header(again, 'ratelimit')).toMatch(/^"month";r=998;t=\d+, "generations";r=24;t=\d+$/);
  const stock = await draw('lighthouse', { provider: 'stock_a' });
  expect(header(stock, 'ratelimit')).toMatch(/^"month";r=997;t=\d+$/);
});

test('a signed URL with one character changed is refused, and so is a path without a signature', async () => {
  const location = header(await draw('secret-garden'), 'location');
  expect((await fetch(location)).status).toBe(200);
  expect((await fetch(location.split('?')[0] as string)).status).toBe(403);
  for (const at of [
    location.indexOf('Expires=') + 8,
    location.indexOf('Signature=') + 15,
    location.indexOf('/private/') + 12,
  ]) {
    const changed = location[at] === 'a' || location[at] === '1' ? '2' : '1';
    expect((await fetch(location.slice(0, at) + changed + location.slice(at + 1))).status).toBe(403);
  }
});

test('two accounts never share a private image, and only its owner has the permalink', async () => {
  const other = await accounts.open('free', 0);
  const own = await draw('diary');
  const theirs = await draw('diary', {}, other.key);
  expect(header(theirs, 'x-cache')).toBe('MISS');
  expect(header(theirs, 'x-image-id')).not.toBe(header(own, 'x-image-id'));
  const path = `/api/image/id/${header(own, 'x-image-id')}?width=200&height=100`;
  const mine = await ask(service.url, { path, headers: { 'X-API-Key': account.key } });
  expect(await imageBehind(mine)).toMatchObject({ width: 200, height: 100 });
  const pick = `/api/image?pick=${header(own, 'x-image-id').slice(0, 20)}&width=240`;
  expect((await ask(service.url, { path: pick, headers: { 'X-API-Key': account.key } })).status).toBe(302);
  for (const headers of [{ 'X-API-Key': other.key }, {}] as const)
    for (const each of [path, pick])
      expect((await ask(service.url, { path: each, headers: { ...headers } })).status).toBe(404);
});

test('label=corner draws a mark into the image, for all of its URLs; not into a stock image', async () => {
  const plain = await imageBehind(await draw('lighthouse'));
  const record = JSON.parse((await draw('lighthouse', { label: 'corner', format: 'json' })).body);
  expect(new URL(record.src).searchParams.get('label')).toBe('corner');
  const marked = await imageBehind(await draw('lighthouse', { label: 'corner' }));
  expect(marked).toMatchObject({ width: 320, height: 200 });
  expect(marked.bytes.equals(plain.bytes)).toBe(false);
  const stock = await Promise.all(
    ['', 'corner'].map((label) => draw('lighthouse', { provider: 'stock_a', ...(label && { label }) })),
  );
  expect(header(stock[1] as Answer, 'location')).toBe(header(stock[0] as Answer, 'location'));
});

test('an AI image says so in its metadata, and has a placeholder that looks like it', async () => {
  const { bytes } = await imageBehind(await draw('lighthouse'));
  expect(bytes.toString('latin1')).toContain('trainedAlgorithmicMedia');
  const { color, placeholder } = JSON.parse((await draw('lighthouse', { format: 'json' })).body);
  expect(color).toMatch(/^#[0-9a-f]{6}$/);
  const small = Buffer.from(placeholder.dataUri.split(',')[1], 'base64');
  expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 16, height: 10 });
  expect(await distanceOf(bytes, small)).toBeLessThan(18);
});
