/** Tests that the removal of an account takes all of its own and nothing of another account. */

import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type RemoveServices, removeAccount } from '../../../cli/keys/remove-account';
import { systemClock } from '../../../lambda/base/clock';
import { defaultPlans } from '../../../lambda/contract/plans';
import { readAllKeys } from '../../../lambda/credentials/key-store';
import { issueKey } from '../../../lambda/credentials/manage-keys';
import {
  makeImageId,
  makeMastersFolder,
  makeRenditionsFolder,
} from '../../../lambda/generation/ai-image-identity';
import { acquireImage, finishImage } from '../../../lambda/generation/ai-image-store';
import { makeAiPick } from '../../../lambda/images/picked-images';
import { getQuotaLimit, listRequestLimits } from '../../../lambda/quota/caller-limits';
import { makeCounterKey } from '../../../lambda/quota/limit';
import { makeUsageKey } from '../../../lambda/quota/usage/usage';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageStore } from '../../fakes/image-store';
import { createServicesOn } from '../../fakes/services';
import { makeImageKey, makeStoredPath } from '../../fakes/values';

const engine = startFixture(startEngine);

const nowMs = Date.UTC(2026, 10, 21, 12);
const file = Buffer.from('x');

function createServices() {
  const waits: number[] = [];
  const sleep = async (delayMs: number) => void waits.push(delayMs);
  const clock = { ...systemClock, nowMs: () => nowMs, sleep };
  const imageStore = createFakeImageStore();
  const invalidated: unknown[] = [];
  const base = createServicesOn(engine, { clock, ids: createFakeIds() });
  const services: RemoveServices = {
    ...base,
    imageStore,
    readPrincipal: async () => 'a test',
    invalidate: async (folders) => void invalidated.push(folders),
    storedLateMs: 60_000,
    printRemark: () => undefined,
  };
  return { base, services, imageStore, waits, invalidated };
}

async function listFiles({ imageStore }: ReturnType<typeof createServices>, folder: string): Promise<number> {
  let files = 0;
  for await (const _ of imageStore.list(folder)) files += 1;
  return files;
}

/** An account with a key, two signers, usage, requests of its month, and a public and a private image. */
async function createAccount({ base, imageStore }: ReturnType<typeof createServices>, digit: string) {
  const keys = { ...base, tables: base.tables, readPrincipal: async () => 'a test' };
  const { key } = await issueKey(keys, { mode: 'live', plan: 'enterprise', name: 'web' });
  const { account, plan } = key;
  await issueKey(keys, { account, plan, mode: 'live', name: 'page', publishedAs: 'signer' });
  const month = getQuotaLimit(listRequestLimits({ ...key, kind: 'live' }, '', defaultPlans, nowMs));
  const usage = makeUsageKey(account, '2026-11-03', 3);
  const counted = [usage, `${makeCounterKey(month)}#5`, `requests#key#${key.keyId}#2026-11`];
  for (const pk of counted) await put(base.tables.quotaCounters, pk);
  const images = ['public', 'private'].map((visibility) =>
    makeImageKey(`G#live#${account}#${visibility}#${digit.repeat(64)}`),
  );
  for (const key of images) {
    await acquireImage(base, { key, generationId: 'x' });
    const path = makeStoredPath(`${makeMastersFolder(key)}x/master.webp`);
    await finishImage(base, { key, generationId: 'x' }, { path, model: 'm', widthPx: 8, heightPx: 8 });
    await imageStore.put(path, file);
    await imageStore.put(makeStoredPath(`${makeRenditionsFolder(key)}x/8x8.webp`), file);
    await put(base.tables.images, makePickKey(key));
  }
  return { account, counted, images };
}

const makePickKey = (key: Parameters<typeof makeImageId>[0]) => `IMAGE#${makeAiPick(makeImageId(key))}`;
const put = (TableName: string, pk: string) =>
  engine.client.send(new PutCommand({ TableName, Item: { pk, used: 2 } }));
const countRecorded = async (TableName: string) =>
  (await engine.client.send(new ScanCommand({ TableName }))).Count;
const hasItem = async (TableName: string, pk: string) =>
  (await engine.client.send(new GetCommand({ TableName, Key: { pk } }))).Item !== undefined;

test('removing an account deletes its credentials, usage and images, and nothing of others', async () => {
  const fixture = createServices();
  const removed = await createAccount(fixture, 'a');
  const kept = await createAccount(fixture, 'b');
  const { apiKeys, quotaCounters, generationIndex, images } = engine.tableNames;
  const similarKey = `work#${removed.account}0#2026-11-21T12`;
  await put(quotaCounters, similarKey);
  const counts = await removeAccount(fixture.services, removed.account);
  expect(counts).toEqual({ credentials: 3, usage: 3, images: 2, files: 4 });
  expect(await countRecorded(apiKeys)).toBe(3);
  for (const pk of removed.counted) expect(await hasItem(quotaCounters, pk)).toBe(false);
  for (const pk of [...kept.counted, similarKey]) expect(await hasItem(quotaCounters, pk)).toBe(true);
  for (const key of removed.images) expect(await hasItem(generationIndex, key)).toBe(false);
  for (const key of removed.images) expect(await hasItem(images, makePickKey(key))).toBe(false);
  for (const key of kept.images) expect(await hasItem(images, makePickKey(key))).toBe(true);
  for (const key of kept.images) expect(await hasItem(generationIndex, key)).toBe(true);
  for (const key of kept.images)
    for (const folder of [makeMastersFolder(key), makeRenditionsFolder(key)])
      expect(await listFiles(fixture, folder)).toBe(1);
  // A rendition that was being made meanwhile goes a minute later, and caches forget it each time.
  expect(fixture.waits.filter((ms) => ms > 1_000)).toEqual([60_000]);
  expect(fixture.invalidated).toHaveLength(2);
  const nothing = { credentials: 0, usage: 0, images: 0, files: 0 };
  expect(await removeAccount(fixture.services, removed.account)).toEqual(nothing);
});

test('removing an account again removes what a crash has left', async () => {
  const fixture = createServices();
  const { account, counted, images } = await createAccount(fixture, 'c');
  const invalidate = () => Promise.reject(new Error('no distribution'));
  await expect(removeAccount({ ...fixture.services, invalidate }, account)).rejects.toThrow(
    'no distribution',
  );
  for await (const key of readAllKeys(fixture.base))
    expect(key.revokedAt === undefined).toBe(key.account !== account);
  const lateFile = makeStoredPath(`${makeRenditionsFolder(images[0] as never)}x/late.webp`);
  await fixture.imageStore.put(lateFile, file);
  const counts = { credentials: 3, usage: 3, images: 2, files: 1 };
  expect(await removeAccount(fixture.services, account)).toEqual(counts);
  for (const pk of counted) expect(await hasItem(engine.tableNames.quotaCounters, pk)).toBe(false);
});
