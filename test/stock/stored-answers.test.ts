/** A stored answer serves the same request for five minutes. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { dayMs } from '../../lambda/base/window';
import type { ServedImage } from '../../lambda/images/image';
import { readStoredAnswer } from '../../lambda/stock/stored-answers';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { fetched, tracked } from '../fakes/stock-provider';
import { lookupContext } from '../fakes/values';
import { bindings, createStockSetup, makeNewRequest } from './stock-setup';

const engine = startFixture(startEngine);

test('a stored answer answers its request for five minutes', async () => {
  const { find, createInstance, clock } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  // The instances that made and read the answer forget it at the same time.
  const createUnboundInstance = () => ({ ...createInstance(), deadline: createDeadline(Infinity) });
  const [finder, reader] = [createUnboundInstance(), createUnboundInstance()];
  const { image } = (await find(request, lookupContext, finder)) as { image: ServedImage };
  const storedAnswer = { image, recentPick: image.pick };
  expect(await readStoredAnswer(reader, request, 'webp')).toEqual(storedAnswer);
  await clock.advance(299_999);
  for (const instance of [finder, reader, createInstance()])
    expect(await readStoredAnswer(instance, request, 'webp')).toEqual(storedAnswer);
  await clock.advance(1);
  for (const instance of [finder, reader, createInstance()])
    expect(await readStoredAnswer(instance, request, 'webp')).toEqual({ recentPick: image.pick });
});

test('a stored answer does not answer for another format or other settings', async () => {
  const { find, createInstance } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  await find(request);
  expect(await readStoredAnswer(createInstance(), request, 'avif')).toEqual({});
  for (const settings of [
    { imageDelivery: 'own' },
    { bindings: { ...bindings, stock_c: 'pexels' } },
    { imageBaseUrl: 'https://cdn.example.org' },
  ] as const)
    expect(await readStoredAnswer(createInstance(settings), request, 'webp')).toEqual({});
});

test('a stored answer ends when its choice ends', async () => {
  const { find, createInstance, clock } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  await find(request);
  await clock.advance(30 * dayMs - 60_000);
  await find(request);
  await clock.advance(59_999);
  expect(await readStoredAnswer(createInstance(), request, 'webp')).toMatchObject({ image: {} });
  await clock.advance(1);
  expect(await readStoredAnswer(createInstance(), request, 'webp')).not.toHaveProperty('image');
});

test('the items of stock images are deleted after the times that Security names', async () => {
  const { find, clock } = createStockSetup(engine, tracked);
  // After this time, the items of all other tests have expired.
  await clock.advance(5_000 * dayMs);
  await find(makeNewRequest());
  const nowS = clock.nowMs() / 1_000;
  const lifetimes: [string, number][] = [];
  for (const TableName of [engine.tableNames.cache, engine.tableNames.images]) {
    const { Items = [] } = await engine.client.send(new ScanCommand({ TableName }));
    for (const { pk, ttl } of Items)
      if (ttl > nowS) lifetimes.push([String(pk).split('#')[0] ?? '', ttl - nowS]);
  }
  expect(Object.fromEntries(lifetimes)).toEqual({
    ANSWER: 300 + 86_400,
    USE: 43_200 + 86_400,
    CHOICE: 400 * 86_400,
    IMAGE: 401 * 86_400,
  });
});
