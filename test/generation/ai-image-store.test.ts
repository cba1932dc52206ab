/** The item of an AI image and its five conditional writes, on a real engine. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { TableServices } from '../../lambda/aws/dynamodb';
import { deadlineAt } from '../../lambda/base/deadline';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import {
  acquireImage,
  beginRun,
  failGeneration,
  findAiImageById,
  finishImage,
  listPublicImages,
  type Master,
  readAiImage,
  removeImage,
} from '../../lambda/generation/ai-image-store';
import { toStoredPath } from '../../lambda/images/stored-path';
import { createVirtualClock, type VirtualClock } from '../fakes/clock';
import { startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';
import { servicesOn } from '../fakes/services';
import { aiCaller, aiRequest } from '../fakes/values';

const leaseMs = 210_000;
const engine = fixtureOf(startEngine);
let clock: VirtualClock;
let services: TableServices<'generationIndex'>;
let images = 0;

beforeEach(() => {
  clock = createVirtualClock();
  services = servicesOn(engine, { clock });
});

function newImage(visibility: 'private' | 'public' = 'private') {
  return identifyAiImage({ ...aiRequest, query: `image ${images++}`, visibility }, aiCaller, undefined);
}
const masterOf = (generationId: string): Master => ({
  path: toStoredPath(`masters/${generationId}/master.png`),
  model: 'a model',
  widthPx: 1_536,
  heightPx: 1_024,
});
const upstream = 'upstream_unavailable';

describe('items of AI images', () => {
  it('an AI image is made by the one generation that has acquired it', async () => {
    const { key, imageId } = newImage();
    expect(await readAiImage(services, key)).toBeUndefined();
    const outcomes = await Promise.all(
      ['x1', 'x2', 'x3'].map((generationId) => acquireImage(services, { key, generationId })),
    );
    expect(outcomes.filter((isHeld) => isHeld)).toHaveLength(1);
    const generationId = `x${outcomes.indexOf(true) + 1}`;
    expect(await readAiImage(services, key)).toMatchObject({
      state: 'making',
      generationId,
      imageId,
      untilMs: clock.nowMs() + leaseMs,
    });
    expect(await beginRun(services, { key, generationId }, 'run')).toBe(true);
    expect(await finishImage(services, { key, generationId }, masterOf(generationId))).toBe('ready');
    expect(await readAiImage(services, key)).toEqual({
      key,
      imageId,
      state: 'ready',
      generationId,
      master: masterOf(generationId),
    });
    // A finished image has no end.
    const { generationIndex: TableName } = engine.tableNames;
    const { Item } = await engine.client.send(new GetCommand({ TableName, Key: { pk: key } }));
    expect(Item).not.toHaveProperty('ttl');
    expect(await findAiImageById(services, imageId)).toMatchObject({ key, state: 'ready' });
    expect(await findAiImageById(services, 'f'.repeat(32))).toBeUndefined();
  });

  it('a generation knows its own writes again after a lost answer, and those of nobody else', async () => {
    const { key } = newImage();
    expect(await acquireImage(services, { key, generationId: 'x1' })).toBe(true);
    expect(await acquireImage(services, { key, generationId: 'x1' })).toBe(true);
    expect(await beginRun(services, { key, generationId: 'x1' }, 'run1')).toBe(true);
    expect(await beginRun(services, { key, generationId: 'x1' }, 'run1')).toBe(true);
    expect(await beginRun(services, { key, generationId: 'x1' }, 'run2')).toBe(false);
    expect(await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'))).toBe('ready');
    expect(await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'))).toBe('ready');
    expect(await finishImage(services, { key, generationId: 'x2' }, masterOf('x2'))).toBe('lost');
    const failed = newImage();
    await acquireImage(services, { key: failed.key, generationId: 'x1' });
    expect(await failGeneration(services, { key: failed.key, generationId: 'x1' }, upstream)).toBe(true);
    expect(await failGeneration(services, { key: failed.key, generationId: 'x1' }, upstream)).toBe(true);
    expect(await failGeneration(services, { key: failed.key, generationId: 'x1' }, 'not_started')).toBe(
      false,
    );
  });

  it('a generation whose image is taken over after its lease can finish nothing', async () => {
    const { key } = newImage();
    await acquireImage(services, { key, generationId: 'x1' });
    await clock.advance(leaseMs - 1);
    expect(await acquireImage(services, { key, generationId: 'x2' })).toBe(false);
    await clock.advance(1);
    expect(await acquireImage(services, { key, generationId: 'x2' })).toBe(true);
    expect(await beginRun(services, { key, generationId: 'x1' }, 'run')).toBe(false);
    expect(await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'))).toBe('lost');
    expect(await failGeneration(services, { key, generationId: 'x1' }, upstream)).toBe(false);
    expect(await readAiImage(services, key)).toMatchObject({ state: 'making', generationId: 'x2' });
  });

  it('a late copy of an acquiring write begins nothing again, however clocks are apart', async () => {
    const { key } = newImage();
    await acquireImage(services, { key, generationId: 'x1' });
    await beginRun(services, { key, generationId: 'x1' }, 'run1');
    const behind = createVirtualClock(clock.nowMs() - 300_000);
    await failGeneration(servicesOn(engine, { clock: behind }), { key, generationId: 'x1' }, upstream);
    expect(await acquireImage(services, { key, generationId: 'x1' })).toBe(false);
    expect(await beginRun(services, { key, generationId: 'x1' }, 'run2')).toBe(false);
  });

  it.each([
    ['upstream_unavailable', 30_000],
    ['content_refused', 3_600_000],
    ['not_started', 0],
  ] as const)('an AI image is left alone after %s for %d ms', async (reason, ms) => {
    const { key } = newImage();
    await acquireImage(services, { key, generationId: 'x1' });
    await failGeneration(services, { key, generationId: 'x1' }, reason);
    expect(await readAiImage(services, key)).toMatchObject({
      state: 'failed',
      reason,
      untilMs: clock.nowMs() + ms,
    });
    if (ms > 0) {
      await clock.advance(ms - 1);
      expect(await acquireImage(services, { key, generationId: 'x2' })).toBe(false);
      await clock.advance(1);
    }
    expect(await acquireImage(services, { key, generationId: 'x2' })).toBe(true);
  });

  it.each<[string, 'making' | 'removed' | 'upstream_unavailable' | 'not_started', number | undefined]>([
    ['a week while it is made', 'making', 7 * 86_400],
    ['a week where it was not made', 'upstream_unavailable', 7 * 86_400],
    ['an hour where nothing was begun', 'not_started', 3_600],
    ['for good where it was taken down', 'removed', undefined],
  ])('an AI image is kept %s', async (_, what, seconds) => {
    const { key } = newImage();
    await acquireImage(services, { key, generationId: 'x1' });
    if (what === 'removed') await removeImage(services, key);
    else if (what !== 'making') await failGeneration(services, { key, generationId: 'x1' }, what);
    const { generationIndex: TableName } = engine.tableNames;
    const { Item } = await engine.client.send(new GetCommand({ TableName, Key: { pk: key } }));
    expect(Item?.['ttl']).toBe(seconds && clock.nowMs() / 1_000 + seconds);
  });

  it('an AI image is ended by a request only before a run has begun it', async () => {
    const { key } = newImage();
    await acquireImage(services, { key, generationId: 'x1' });
    await beginRun(services, { key, generationId: 'x1' }, 'run');
    expect(await failGeneration(services, { key, generationId: 'x1' }, 'not_started')).toBe(false);
    expect(await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'))).toBe('ready');
  });

  it('an AI image whose master is gone is made again for a caller who names its generation', async () => {
    const { key, wordsAndStyleHash: look = '' } = newImage('public');
    await acquireImage(services, { key, generationId: 'x1' });
    await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'), look);
    expect(await acquireImage(services, { key, generationId: 'x2' })).toBe(false);
    expect(await acquireImage(services, { key, generationId: 'x2' }, 'x0')).toBe(false);
    expect(await acquireImage(services, { key, generationId: 'x2' }, 'x1')).toBe(true);
    expect(await acquireImage(services, { key, generationId: 'x3' }, 'x1')).toBe(false);
    expect(await listPublicImages(services, look, 10)).toEqual([]);
  });

  it('an AI image is listed oldest first when it is public, and never when it is private', async () => {
    const one = newImage('public');
    const { wordsAndStyleHash: look = '' } = one;
    const newerImages = [newImage('public'), newImage()];
    for (const [i, { key, wordsAndStyleHash: each }] of [one, ...newerImages].entries()) {
      const generationId = `x${9 - i}`;
      await acquireImage(services, { key, generationId });
      await finishImage(services, { key, generationId }, masterOf(generationId), each && look);
    }
    expect(await listPublicImages(services, look, 10)).toEqual([newerImages[0]?.key, one.key]);
    expect(await listPublicImages(services, look, 1)).toEqual([newerImages[0]?.key]);
  });

  it.each(['making', 'ready', 'failed'])('an image that is %s is taken down for good', async (state) => {
    const { key, wordsAndStyleHash: look = '', imageId } = newImage('public');
    await acquireImage(services, { key, generationId: 'x1' });
    if (state === 'ready') await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'), look);
    if (state === 'failed') await failGeneration(services, { key, generationId: 'x1' }, upstream);
    expect(await removeImage(services, key)).toBe('removed');
    expect(await readAiImage(services, key)).toEqual({ key, imageId, state: 'removed' });
    await clock.advance(leaseMs * 10);
    expect(await acquireImage(services, { key, generationId: 'x2' }, 'x1')).toBe(false);
    expect(await finishImage(services, { key, generationId: 'x1' }, masterOf('x1'), look)).toBe('lost');
    expect(await listPublicImages(services, look, 10)).toEqual([]);
  });

  it('a removal leaves an image without an item as it is', async () => {
    const { key } = newImage();
    expect(await removeImage(services, key)).toBe('none');
    expect(await acquireImage(services, { key, generationId: 'x1' })).toBe(true);
  });

  it('no call is sent when the request has no time left', async () => {
    const { key } = newImage();
    const late = servicesOn(engine, { clock, deadline: deadlineAt(clock.nowMs()) });
    await expect(acquireImage(late, { key, generationId: 'x1' })).rejects.toThrow();
    expect(await readAiImage(services, key)).toBeUndefined();
  });
});
