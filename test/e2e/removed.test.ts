/** Images that the operator takes down, from the command to the page: stock, AI and the library's own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageRecord } from '../../lambda/images/record';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { makePng } from '../fakes/images';
import { connectLocalAccounts } from './local-account';
import { startService } from './local-service';
import { createOperator } from './operator';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);
const accounts = startFixture(() => connectLocalAccounts(service.url));
let ownKey: string;
let otherKey: string;
const runTool = (...args: string[]) => createOperator(service.url).run(...args);
const get = (path: string, key?: string) =>
  fetch(new URL(path, service.url), { redirect: 'manual', headers: key ? { 'X-API-Key': key } : {} });
const readRecord = async (search: string, key = ownKey) =>
  (await (await get(`/api/image?${search}&format=json&width=400&height=300`, key)).json()) as ImageRecord;
const remove = (id: string, ...options: string[]) =>
  runTool('images', 'remove', id, '--reason', 'a request', ...options);

beforeAll(async () => {
  [ownKey, otherKey] = [(await accounts.open('pro', 0)).key, (await accounts.open('pro', 0)).key];
});

/** Loads what a page shows that was written with a record. */
const loadPageUrls = async ({ src, pick }: ImageRecord, key?: string) => {
  const answers = [];
  for (const url of [src, `/api/image?pick=${pick}&width=240&height=200`]) {
    const answer = await get(url ?? '', url === src ? undefined : key);
    answers.push([answer.status, answer.headers.get('x-image-fallback')]);
  }
  return answers;
};
const goneCard = [302, 'gone'];

test.each([
  ['no reason', '0'.repeat(20), [], 2],
  ['a long reason', '0'.repeat(20), ['--reason', 'a'.repeat(501)], 2],
  ['an unknown pick', '0'.repeat(20), ['--reason', '\u{1f98a}'.repeat(500)], 3],
  ['an unknown AI image', '0'.repeat(32), ['--reason', 'a'], 3],
])('images remove with %s exits with the code of the fault', async (_, id, reason, exitCode) => {
  expect(await runTool('images', 'remove', id, ...reason, '--yes')).toMatchObject({ exitCode, stdout: '' });
});

test('a removed stock image is shown nowhere, while the record of its removal is kept', async () => {
  const words = 'query=lighthouse+on+a+cape';
  const recordBefore = await readRecord(words);
  const { pick, url } = recordBefore;
  expect((await get(url)).status).toBe(200);
  expect((await remove(pick as string)).exitCode).toBe(4);
  expect((await readRecord(words)).pick).toBe(pick);
  const removal = (await remove(pick as string, '--yes')).json<{ at: string }>();
  expect(removal).toMatchObject({
    id: pick,
    kind: 'stock',
    files: 1,
    reason: 'a request',
    by: expect.any(String),
  });
  // An answer that was kept before ends after five minutes; its file is gone.
  for (const key of [ownKey, otherKey])
    for (const seed of ['1', '2', '3'])
      expect((await readRecord(`${words}&seed=${seed}`, key)).pick).not.toBe(pick);
  expect(await loadPageUrls(recordBefore)).toEqual([goneCard, goneCard]);
  expect(await readRecord(`pick=${pick}`)).toMatchObject({ fallback: 'gone', placeholder: null });
  expect((await get(url)).status).toBe(404);
  const again = await remove(pick as string, '--yes');
  expect(again.json()).toEqual({ ...removal, files: 0 });
  const { removed } = (await runTool('images', 'removed')).json<{ removed: { id: string }[] }>();
  expect(removed.filter(({ id }) => id === pick)).toEqual([
    { id: pick, kind: 'stock', at: removal.at, by: expect.any(String), reason: 'a request' },
  ]);
});

test.each(['public', 'private'])('a removed %s AI image is shown nowhere', async (visibility) => {
  const words = `query=robin+in+${visibility}+snow&provider=ai&visibility=${visibility}`;
  const aiRecord = await readRecord(words);
  const { imageId, url } = aiRecord;
  const permalink = `/api/image/id/${imageId}`;
  expect((await get(url)).status).toBe(200);
  const id = visibility === 'public' ? imageId : aiRecord.pick;
  expect((await remove(id as string, '--yes')).json()).toMatchObject({
    kind: 'ai',
    files: expect.any(Number),
  });
  expect((await get(`/api/image?${words}&width=400&height=300`, ownKey)).status).toBe(410);
  expect(await (await get(permalink, ownKey)).json()).toMatchObject({ status: 410, code: 'image_removed' });
  expect((await get(permalink, otherKey)).status).toBe(visibility === 'public' ? 410 : 404);
  expect(await loadPageUrls(aiRecord, ownKey)).toEqual([goneCard, goneCard]);
  expect((await get(url)).status).toBe(404);
});

describe('the library', () => {
  const folder = makeTestFolder();
  const library = startFixture(() => startService(['--memory', '--bind', 'stock_a=library']));

  test('a removed photograph of the library is shown nowhere', async () => {
    const operate = (...args: string[]) => createOperator(library.url).run(...args);
    const key = library.keys.pro.live;
    let requests = 0;
    const show = async (search: string) => {
      const url = `${library.url}/api/image?${search}&format=json&width=400&height=${300 + requests++}`;
      return (await (await fetch(url, { headers: { 'X-API-Key': key } })).json()) as ImageRecord;
    };
    const names = ['aardwolf', 'zorilla'];
    for (const [i, name] of names.entries())
      writeFileSync(join(folder, `${name}.png`), await makePng(900 + i, 600));
    const rows = names.map((name) => `${name}.png,"${name} at a waterhole",CC0`);
    writeFileSync(join(folder, 'library.csv'), ['file,title,license', ...rows].join('\n'));
    await operate('library', 'add', folder);
    const { images } = (await operate('library', 'list')).json<{ images: { id: string; file: string }[] }>();
    const { src, pick, url, attribution } = await show('query=aardwolf+at+a+waterhole');
    expect(attribution.providerName).toBe('Library');
    const zorilla = images.find(({ file }) => file === 'zorilla.png')?.id as string;
    for (const id of [pick as string, zorilla]) {
      const removal = await operate('images', 'remove', id, '--reason', 'a request', '--yes');
      expect(removal.json()).toMatchObject({ id, kind: 'library' });
    }
    // Added again, they are not shown either.
    await operate('library', 'add', folder);
    for (const name of names)
      expect((await show(`query=${name}+at+a+waterhole`)).attribution.providerName).toBe('Sandbox');
    const byPick = `${library.url}/api/image?pick=${pick}&width=240&height=200&api_key=${key}`;
    for (const pageUrl of [src ?? '', byPick]) {
      const answer = await fetch(pageUrl, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('x-image-fallback')]).toEqual(goneCard);
    }
    expect((await fetch(url)).status).toBe(404);
  });
});
