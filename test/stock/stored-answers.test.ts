/** The stored answer to a request: for how long, and for whom. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { dayMs } from '../../lambda/base/window';
import { readStoredAnswer } from '../../lambda/stock/stored-answers';
import { startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';
import { fetched, tracked } from '../fakes/stock-provider';
import { aSearchContext } from '../fakes/values';
import { bindings, createBench, newRequest } from './stock-bench';

const engine = fixtureOf(startEngine);
/** No answer, although the rendition of an earlier one was counted. */
const ended = { isRenditionCounted: true };
const none = { isRenditionCounted: false };

test('a stored answer answers its request for five minutes', async () => {
  const { find, instance, clock } = createBench(engine, fetched);
  const request = newRequest();
  // Neither who has made the answer nor who has read it remembers it for longer.
  const lasting = () => ({ ...instance(), deadline: createDeadline(Infinity) });
  const [finder, reader] = [lasting(), lasting()];
  const { image } = (await find(request, aSearchContext, finder)) as { image: object };
  const stored = { image, isRenditionCounted: true };
  expect(await readStoredAnswer(reader, request, 'webp')).toEqual(stored);
  await clock.advance(299_999);
  for (const by of [finder, reader, instance()])
    expect(await readStoredAnswer(by, request, 'webp')).toEqual(stored);
  await clock.advance(1);
  for (const by of [finder, reader, instance()])
    expect(await readStoredAnswer(by, request, 'webp')).toEqual(ended);
});

test('a stored answer is of the format and settings that it was made with', async () => {
  const { find, instance } = createBench(engine, fetched);
  const request = newRequest();
  await find(request);
  expect(await readStoredAnswer(instance(), request, 'avif')).toEqual(none);
  for (const settings of [
    { imageDelivery: 'own' },
    { bindings: { ...bindings, stock_c: 'pexels' } },
    // A base URL ends where a path begins.
    { imageBaseUrl: 'https://cdn.exam' },
  ] as const)
    expect(await readStoredAnswer(instance(settings), request, 'webp')).toEqual(none);
});

test('a stored answer ends with the choice that it is from', async () => {
  const { find, instance, clock } = createBench(engine, fetched);
  const request = newRequest();
  await find(request);
  await clock.advance(30 * dayMs - 60_000);
  await find(request);
  await clock.advance(59_999);
  expect(await readStoredAnswer(instance(), request, 'webp')).toMatchObject({ image: {} });
  await clock.advance(1);
  expect(await readStoredAnswer(instance(), request, 'webp')).toEqual(ended);
});

test('a stored answer whose URL is on no host of its provider is ignored', async () => {
  const { find, instance, telemetry } = createBench(engine);
  const request = newRequest();
  await find(request);
  expect(await readStoredAnswer(instance(), request, 'webp')).toEqual(none);
  expect(telemetry.errors.at(-1)?.message).toMatch(/names a host/);
});

test('the items of stock images are deleted after the times that Security names', async () => {
  const { find, clock } = createBench(engine, tracked);
  // Later than all that other tests keep.
  await clock.advance(5_000 * dayMs);
  await find(newRequest());
  const nowS = clock.nowMs() / 1_000;
  const kept: [string, number][] = [];
  for (const TableName of [engine.tableNames.cache, engine.tableNames.images]) {
    const { Items = [] } = await engine.client.send(new ScanCommand({ TableName }));
    for (const { pk, ttl } of Items) if (ttl > nowS) kept.push([String(pk).split('#')[0] ?? '', ttl - nowS]);
  }
  expect(Object.fromEntries(kept)).toEqual({
    ANSWER: 300 + 86_400,
    USE: 43_200 + 86_400,
    CHOICE: 400 * 86_400,
    IMAGE: 401 * 86_400,
  });
});
