/** AI images from the outside: their styles, their label, and what their files say of them. */

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
