/** Images that the operator takes down, from the command to the page: stock, AI and the library's own. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageRecord } from '../../lambda/images/record';
import { fixtureOf } from '../fakes/fixture';
import { localAccounts } from './local-account';
import { startService } from './local-service';
import { operatorAt } from './operator';
import { sharedService } from './shared-service';

const service = fixtureOf(sharedService);
const accounts = fixtureOf(() => localAccounts(service.url));
let mine: string;
let other: string;
const tool = (...args: string[]) => operatorAt(service.url).run(...args);
const get = (path: string, key?: string) =>
  fetch(new URL(path, service.url), { redirect: 'manual', headers: key ? { 'X-API-Key': key } : {} });
const record = async (search: string, key = mine) =>
  (await (await get(`/api/image?${search}&format=json&width=400&height=300`, key)).json()) as ImageRecord;
const remove = (id: string, ...more: string[]) =>
  tool('images', 'remove', id, '--reason', 'a request', ...more);

beforeAll(async () => {
  [mine, other] = [(await accounts.open('pro', 0)).key, (await accounts.open('pro', 0)).key];
});

/** Loads what a page shows that was written with a record. */
const onPage = async ({ src, pick }: ImageRecord, key?: string) => {
  const seen = [];
  for (const url of [src, `/api/image?pick=${pick}&width=240&height=200`]) {
    const answer = await get(url ?? '', url === src ? undefined : key);
    seen.push([answer.status, answer.headers.get('x-image-fallback')]);
  }
  return seen;
};
const card = [302, 'gone'];

describe('the command that removes an image', () => {
  test.each<[string, string[], number]>([
    ['without a reason', ['images', 'remove', '0'.repeat(20), '--yes'], 2],
    ['with an empty one', ['images', 'remove', '0'.repeat(20), '--reason', ' ', '--yes'], 2],
    ['with a long one', ['images', 'remove', '0'.repeat(20), '--reason', 'a'.repeat(501), '--yes'], 2],
    [
      'for an unknown pick',
      ['images', 'remove', '0'.repeat(20), '--reason', '\u{1f98a}'.repeat(500), '--yes'],
      3,
    ],
    ['for an unknown AI image', ['images', 'remove', '0'.repeat(32), '--reason', 'a', '--yes'], 3],
  ])('images remove %s exits with the code of the fault', async (_, args, code) => {
    expect(await tool(...args)).toMatchObject({ exitCode: code, stdout: '' });
  });
});

test('a removed stock image is shown nowhere, while the record of its removal is kept', async () => {
  const words = 'query=lighthouse+on+a+cape';
  const before = await record(words);
  const { pick, url } = before;
  expect((await get(url)).status).toBe(200);
  expect((await remove(pick as string)).exitCode).toBe(4);
  expect((await record(words)).pick).toBe(pick);
  const removal = (await remove(pick as string, '--yes')).json<{ at: string }>();
  expect(removal).toMatchObject({
    id: pick,
    kind: 'stock',
    files: 1,
    reason: 'a request',
    by: expect.any(String),
  });
  // An answer that was kept before ends after five minutes; its file is gone.
  for (const key of [mine, other])
    for (const seed of ['1', '2', '3'])
      expect((await record(`${words}&seed=${seed}`, key)).pick).not.toBe(pick);
  expect(await onPage(before)).toEqual([card, card]);
  expect(await record(`pick=${pick}`)).toMatchObject({ fallback: 'gone', placeholder: null });
  expect((await get(url)).status).toBe(404);
  const again = await remove(pick as string, '--yes');
  expect(again.json()).toEqual({ ...removal });
  const { removed } = (await tool('images', 'removed')).json<{ removed: { id: string }[] }>();
  expect(removed.filter(({ id }) => id === pick)).toEqual([
    { id: pick, kind: 'stock', at: removal.at, by: expect.any(String), reason: 'a request' },
  ]);
});

test.each(['public', 'private'])('a removed %s AI image is shown nowhere', async (visibility) => {
  const words = `query=robin+in+${visibility}+snow&provider=ai&visibility=${visibility}`;
  const before = await record(words);
  const { imageId, url } = before;
  const permalink = `/api/image/id/${imageId}`;
  expect((await get(url)).status).toBe(200);
  const id = visibility === 'public' ? imageId : before.pick;
  expect((await remove(id as string, '--yes')).json()).toMatchObject({
    kind: 'ai',
    files: expect.any(Number),
  });
  expect((await get(`/api/image?${words}&width=400&height=300`, mine)).status).toBe(410);
  expect(await (await get(permalink, mine)).json()).toMatchObject({ status: 410, code: 'image_removed' });
  expect((await get(permalink, other)).status).toBe(visibility === 'public' ? 410 : 404);
  expect(await onPage(before, mine)).toEqual([card, card]);
  expect((await get(url)).status).toBe(404);
  // Another one of the account, which was only redirected to, is known by its pick too.
  const owl = words.replace('robin', 'owl');
  const shown = await get(`/api/image?${owl}&width=400&height=300`, mine);
  const redirectedTo = shown.headers.get('x-image-id')?.slice(0, 20);
  expect((await remove(redirectedTo as string, '--yes')).json()).toMatchObject({ kind: 'ai' });
  // Its words are free for other accounts, whose image is another one.
  const theirs = await record(`${words}&alt=1`, other);
  expect(theirs.imageId).not.toBe(imageId);
});

test('a removed photograph of the library is shown nowhere', async () => {
  const withLibrary = await startService(['--memory', '--bind', 'stock_a=library']);
  const folder = mkdtempSync(join(tmpdir(), 'photos-'));
  try {
    const operate = (...args: string[]) => operatorAt(withLibrary.url).run(...args);
    const key = withLibrary.keys.pro.live;
    let requests = 0;
    const show = async (search: string) => {
      const url = `${withLibrary.url}/api/image?${search}&format=json&width=400&height=${300 + requests++}`;
      return (await (await fetch(url, { headers: { 'X-API-Key': key } })).json()) as ImageRecord;
    };
    const rows = ['aardwolf', 'zorilla'].map((name) => `${name}.jpg,"${name} at a waterhole",CC0`);
    for (const [i, name] of ['aardwolf', 'zorilla'].entries())
      writeFileSync(
        join(folder, `${name}.jpg`),
        await sharp({ create: { width: 900, height: 600, channels: 3, background: `#a${i}3` } })
          .jpeg()
          .toBuffer(),
      );
    writeFileSync(join(folder, 'library.csv'), ['file,title,license', ...rows].join('\n'));
    expect((await operate('library', 'add', folder)).json()).toMatchObject({ added: 2 });
    const { images } = (await operate('library', 'list')).json<{ images: { id: string; file: string }[] }>();
    const before = await show('query=aardwolf+at+a+waterhole');
    expect(before.attribution.providerName).toBe('Library');
    const zorilla = images.find(({ file }) => file === 'zorilla.jpg')?.id as string;
    for (const id of [before.pick as string, zorilla]) {
      const removal = await operate('images', 'remove', id, '--reason', 'a request', '--yes');
      expect(removal.json()).toMatchObject({ id, kind: 'library' });
    }
    // Added again, they are not shown either.
    await operate('library', 'add', folder);
    for (const name of ['aardwolf', 'zorilla'])
      expect((await show(`query=${name}+at+a+waterhole`)).attribution.providerName).toBe('Sandbox');
    const { src, pick, url } = before;
    for (const asked of [
      src ?? '',
      `${withLibrary.url}/api/image?pick=${pick}&width=240&height=200&api_key=${key}`,
    ]) {
      const answer = await fetch(asked, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('x-image-fallback')]).toEqual(card);
    }
    expect((await fetch(url)).status).toBe(404);
  } finally {
    rmSync(folder, { recursive: true });
    await withLibrary.stop();
  }
});
