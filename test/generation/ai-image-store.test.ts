/** The item of an AI image and its five conditional writes, on a real engine. */

import type { TableServices } from '../../lambda/aws/dynamodb';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import {
  acquireImage,
  beginRun,
  type FailureReason,
  failGeneration,
  findAiImageById,
  finishImage,
  listPublicImages,
  type Master,
  readAiImage,
  removeImage,
} from '../../lambda/generation/ai-image-store';

import { createVirtualClock, type VirtualClock } from '../fakes/clock';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { createServicesOn } from '../fakes/services';
import { aiCaller, aiRequest, makeStoredPath } from '../fakes/values';

const leaseMs = 210_000;
const engine = startFixture(startEngine);
let clock: VirtualClock;
let services: TableServices<'generationIndex'>;
let images = 0;

beforeEach(() => {
  clock = createVirtualClock();
  services = createServicesOn(engine, { clock });
});

const makeMaster = (generationId: string): Master => ({
  path: makeStoredPath(`masters/${generationId}/master.png`),
  model: 'a model',
  widthPx: 1_536,
  heightPx: 1_024,
});

/** An image without an item. Its functions write as the generation of an id. */
function createImage(visibility: 'private' | 'public' = 'private') {
  const request = { ...aiRequest, query: `image ${images++}`, visibility };
  const { key, imageId, wordsAndStyleHash } = identifyAiImage(request, aiCaller, undefined);
  const makeGeneration = (generationId: string) => ({ key, generationId });
  return {
    key,
    imageId,
    read: () => readAiImage(services, key),
    acquire: (id: string, goneId?: string) => acquireImage(services, makeGeneration(id), goneId),
    begin: (id: string, run = 'run') => beginRun(services, makeGeneration(id), run),
    finish: (id: string, hash = wordsAndStyleHash) =>
      finishImage(services, makeGeneration(id), makeMaster(id), hash),
    fail: (id: string, reason: FailureReason = 'upstream_unavailable', failingServices = services) =>
      failGeneration(failingServices, makeGeneration(id), reason),
    remove: () => removeImage(services, key),
  };
}

test('of several simultaneous generations, one acquires the image', async () => {
  const image = createImage();
  expect(await image.read()).toBeUndefined();
  const outcomes = await Promise.all(['x1', 'x2', 'x3'].map((id) => image.acquire(id)));
  expect(outcomes.filter((isHeld) => isHeld)).toHaveLength(1);
  const generationId = `x${outcomes.indexOf(true) + 1}`;
  const untilMs = clock.nowMs() + leaseMs;
  const { key, imageId } = image;
  expect(await image.read()).toMatchObject({ key, imageId, state: 'making', generationId, untilMs });
});

test('the item of a finished image has its master and never expires', async () => {
  const image = createImage();
  const { key, imageId } = image;
  await image.acquire('x1');
  await image.begin('x1');
  await image.finish('x1');
  const ready = { key, imageId, state: 'ready', generationId: 'x1', master: makeMaster('x1') };
  expect(await image.read()).toMatchObject(ready);
  expect(await image.read()).not.toHaveProperty('ttl');
});

test('an image is found by its public id', async () => {
  const image = createImage();
  await image.acquire('x1');
  expect(await findAiImageById(services, image.imageId)).toEqual(await image.read());
  expect(await findAiImageById(services, 'f'.repeat(32))).toBeUndefined();
});

test('a repeated write after a lost answer counts as applied', async () => {
  const [image, failed] = [createImage(), createImage()];
  for (const _ of ['sent', 'sent again']) {
    expect(await image.acquire('x1')).toBe(true);
    expect(await image.begin('x1')).toBe(true);
  }
  expect(await image.begin('x1', 'another run')).toBe(false);
  for (const _ of ['sent', 'sent again']) expect(await image.finish('x1')).toBe(true);
  expect(await image.finish('x2')).toBe(false);
  await failed.acquire('x1');
  for (const _ of ['sent', 'sent again']) expect(await failed.fail('x1')).toBe(true);
  expect(await failed.fail('x1', 'not_started')).toBe(false);
});

test('after its lease was taken over, a generation writes nothing', async () => {
  const image = createImage();
  await image.acquire('x1');
  await clock.advance(leaseMs - 1);
  expect(await image.acquire('x2')).toBe(false);
  await clock.advance(1);
  expect(await image.acquire('x2')).toBe(true);
  expect([await image.begin('x1'), await image.finish('x1'), await image.fail('x1')]).not.toContain(true);
  expect(await image.read()).toMatchObject({ state: 'making', generationId: 'x2' });
});

test('a generation begins although the run of an earlier generation has died', async () => {
  const image = createImage();
  await image.acquire('x1');
  await image.begin('x1', 'dead run');
  await clock.advance(leaseMs);
  await image.acquire('x2');
  expect(await image.begin('x2', 'next run')).toBe(true);
});

test('a late copy of an acquisition does not revive a failed generation if a clock is behind', async () => {
  const image = createImage();
  await image.acquire('x1');
  await image.begin('x1');
  const lateClock = createVirtualClock(clock.nowMs() - 300_000);
  await image.fail('x1', 'upstream_unavailable', createServicesOn(engine, { clock: lateClock }));
  expect(await image.acquire('x1')).toBe(false);
  expect(await image.begin('x1', 'another run')).toBe(false);
});

test.each([
  ['upstream_unavailable', 30_000],
  ['content_refused', 3_600_000],
  ['not_started', 0],
] as const)('after the failure %s an image is not acquired for %d ms', async (reason, ms) => {
  const image = createImage();
  await image.acquire('x1');
  await image.fail('x1', reason);
  expect(await image.read()).toMatchObject({ state: 'failed', reason, untilMs: clock.nowMs() + ms });
  if (ms > 0) {
    await clock.advance(ms - 1);
    expect(await image.acquire('x2')).toBe(false);
    await clock.advance(1);
  }
  expect(await image.acquire('x2')).toBe(true);
});

test.each([
  ['a week while it is made', 'making', 7 * 86_400],
  ['a week after a failure', 'upstream_unavailable', 7 * 86_400],
  ['an hour if no run has begun', 'not_started', 3_600],
  ['for good after a removal', 'removed', undefined],
] as const)('an item is kept %s', async (_, ending, seconds) => {
  const image = createImage();
  await image.acquire('x1');
  if (ending === 'removed') await image.remove();
  else if (ending !== 'making') await image.fail('x1', ending);
  const ttl = seconds && clock.nowMs() / 1_000 + seconds;
  expect({ ttl: undefined, ...(await image.read()) }).toMatchObject({ ttl });
});

test('an image without its master is acquired once, by the id of its generation', async () => {
  const image = createImage('public');
  await image.acquire('x1');
  await image.finish('x1', 'hash of a gone master');
  expect([await image.acquire('x2'), await image.acquire('x2', 'x0')]).toEqual([false, false]);
  expect([await image.acquire('x2', 'x1'), await image.acquire('x3', 'x1')]).toEqual([true, false]);
  expect(await listPublicImages(services, 'hash of a gone master', 10)).toEqual([]);
});

test('public images are listed from the oldest, without private ones', async () => {
  const listed = [createImage('public'), createImage('public')];
  for (const [index, image] of listed.entries()) {
    await image.acquire(`x${9 - index}`);
    await image.finish(`x${9 - index}`, 'a hash');
  }
  const unlisted = createImage();
  await unlisted.acquire('x1');
  await unlisted.finish('x1');
  const oldestFirst = listed.map(({ key }) => key).reverse();
  expect(await listPublicImages(services, 'a hash', 10)).toEqual(oldestFirst);
  expect(await listPublicImages(services, 'a hash', 1)).toEqual(oldestFirst.slice(0, 1));
});

test.each(['making', 'ready', 'failed'])('an image that is %s is removed for good', async (state) => {
  const image = createImage('public');
  const hash = `hash of ${state}`;
  await image.acquire('x1');
  if (state === 'ready') await image.finish('x1', hash);
  if (state === 'failed') await image.fail('x1');
  await image.remove();
  expect(await image.read()).toMatchObject({ key: image.key, imageId: image.imageId, state: 'removed' });
  await clock.advance(leaseMs * 10);
  expect([await image.acquire('x2', 'x1'), await image.finish('x1', hash)]).toEqual([false, false]);
  expect(await listPublicImages(services, hash, 10)).toEqual([]);
});

test('the removal of an unknown image writes nothing', async () => {
  const image = createImage();
  await image.remove();
  expect(await image.read()).toBeUndefined();
});
