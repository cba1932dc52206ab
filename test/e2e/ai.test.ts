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
