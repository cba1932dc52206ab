/** AI images from the outside: generated once, charged once, private when private. */

import sharp from 'sharp';
import { type Answer, ask, header, imageBehind } from './ask';
import { type LocalAccounts, localAccounts, type TestAccount } from './local-account';
import { type SharedService, sharedGenerator, sharedService } from './shared-service';

const { longSidePx } = sharedGenerator;

let service: SharedService;
let accounts: LocalAccounts;
let account: TestAccount;
beforeAll(async () => {
  service = await sharedService();
  accounts = await localAccounts(service.url);
}, 60_000);
afterAll(() => accounts?.close());
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

test('the four styles of one query are four clearly different images', async () => {
  const looks = await Promise.all(
    ['photo', 'minimal', 'dark', 'illustration'].map(async (style) => {
      const { bytes } = await imageBehind(await draw('mountain-lake', { style }));
      return sharp(bytes).resize(16, 10).removeAlpha().raw().toBuffer();
    }),
  );
  for (const [i, one] of looks.entries()) {
    for (const other of looks.slice(i + 1)) {
      const distance =
        one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] as number)), 0) / one.length;
      // The least of a hundred accounts, whose images differ, was 18.
      expect(distance).toBeGreaterThan(12);
    }
  }
  expect(await account.taken()).toBe(4);
}, 60_000);

test('the same request again returns the same URL, is a HIT and costs one request', async () => {
  const first = await draw('lighthouse');
  const again = await draw('lighthouse');
  expect([header(first, 'x-cache'), header(again, 'x-cache')]).toEqual(['MISS', 'HIT']);
  expect(header(again, 'location')).toBe(header(first, 'location'));
  expect(await account.taken()).toBe(2);
}, 30_000);

test('another size of it is a rendition, not another generation', async () => {
  const first = await draw('lighthouse');
  const path = '/api/image/640x400-lighthouse?provider=ai';
  const larger = await ask(service.url, { path, headers: { 'X-API-Key': account.key } });
  expect(header(larger, 'x-image-id')).toBe(header(first, 'x-image-id'));
  expect(header(larger, 'x-cache')).toBe('HIT');
  expect(await imageBehind(larger)).toMatchObject({ width: 640, height: 400 });
}, 30_000);

test('a variation is deterministic, another image than its base, and free once there is a base', async () => {
  const first = await draw('lighthouse', { variation: '3' });
  expect(await account.taken()).toBe(1);
  const again = await draw('lighthouse', { variation: '3' });
  const base = await draw('lighthouse');
  const other = await draw('lighthouse', { variation: '4' });
  // The base was paid for by the first variation, which was its one paid delivery.
  expect(await account.taken()).toBe(2);
  const [one, two, three, four] = await Promise.all([first, again, base, other].map(imageBehind));
  expect(two?.bytes).toEqual(one?.bytes);
  expect(three?.bytes).not.toEqual(one?.bytes);
  expect(four?.bytes).not.toEqual(one?.bytes);
}, 60_000);

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
}, 30_000);

test('two accounts never share a private image, and only its owner has the permalink', async () => {
  const other = await accounts.open('free', 0);
  const own = await draw('diary');
  const theirs = await draw('diary', {}, other.key);
  expect(header(theirs, 'x-cache')).toBe('MISS');
  expect(header(theirs, 'x-image-id')).not.toBe(header(own, 'x-image-id'));
  const path = `/api/image/id/${header(own, 'x-image-id')}?width=200&height=100`;
  const mine = await ask(service.url, { path, headers: { 'X-API-Key': account.key } });
  expect(await imageBehind(mine)).toMatchObject({ width: 200, height: 100 });
  for (const headers of [{ 'X-API-Key': other.key }, {}] as const)
    expect((await ask(service.url, { path, headers: { ...headers } })).status).toBe(404);
}, 30_000);

test('a public image has a permanent URL that every caller may use', async () => {
  const id = header(await draw('fair', { visibility: 'public' }), 'x-image-id');
  const answer = await ask(service.url, { path: `/api/image/id/${id}?width=200&height=100` });
  expect(answer.status).toBe(302);
  expect(header(answer, 'location')).not.toContain('Signature');
}, 30_000);

test('a permalink without a size has the size in which the image was generated', async () => {
  const id = header(await draw('orchard'), 'x-image-id');
  const get = (query: string) =>
    ask(service.url, { path: `/api/image/id/${id}${query}`, headers: { 'X-API-Key': account.key } });
  expect(await imageBehind(await get(''))).toMatchObject({ width: longSidePx, height: (longSidePx * 2) / 3 });
  expect(await imageBehind(await get('?width=300'))).toMatchObject({ width: 300, height: 200 });
}, 30_000);

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
}, 30_000);

test('an image states in its metadata that it was generated by AI', async () => {
  const { bytes } = await imageBehind(await draw('lighthouse'));
  expect(bytes.toString('latin1')).toContain('trainedAlgorithmicMedia');
}, 30_000);
