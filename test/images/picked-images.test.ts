/** The items of images under their picks: given out, gone, and removed. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import {
  listRemovals,
  markGone,
  markRemoved,
  type PickedStockImage,
  readPickedImage,
  storePickedAiImage,
  storePickedImage,
} from '../../lambda/images/picked-images';
import { createVirtualClock } from '../fakes/clock';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { createServicesOn } from '../fakes/services';
import { makeCandidate } from '../fakes/stock-provider';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { servedImage, webpPlaceholder } from '../fakes/values';

const engine = startFixture(startEngine);
let picks = 0;

const photo: PickedStockImage = {
  provider: 'openverse',
  source: 'stock_a',
  candidate: makeCandidate('x'),
  fit: 'exact',
  checkedMs: 1,
};
const removal = { id: 'x', kind: 'stock', at: '2026-11-21', by: 'me', reason: 'asked' } as const;

function createServices() {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const services = {
    ...makeParts(clock),
    telemetry,
    stockMemory: { writtenLately: createExpiringCache<true>(100) },
  };
  return { clock, services, telemetry, pick: `pick-${++picks}` };
}
const makeParts = (clock: ReturnType<typeof createVirtualClock>) => {
  const { database, random, deadline, tables } = createServicesOn(engine, { clock });
  return { database, random, deadline, tables, clock };
};

test('an image is stored under its pick as it was last delivered', async () => {
  const { services, pick } = createServices();
  expect(await readPickedImage(services, pick)).toBeUndefined();
  await storePickedImage(services, pick, photo, '#112233');
  expect(await readPickedImage(services, pick)).toEqual({ image: photo, color: '#112233' });
  const checked = { ...photo, checkedMs: 2 };
  await storePickedImage(services, pick, checked, undefined);
  expect(await readPickedImage(services, pick)).toEqual({ image: checked, color: '#112233' });
});

test('the card of an AI image is not stored under a pick', async () => {
  const { services, pick } = createServices();
  await storePickedAiImage(services, { ...servedImage, pick });
  expect(await readPickedImage(services, pick)).toBeUndefined();
  await storePickedAiImage(services, { ...servedImage, pick, imageId: 'i1', placeholder: webpPlaceholder });
  expect(await readPickedImage(services, pick)).toEqual({
    image: { imageId: 'i1' },
    color: webpPlaceholder.color,
  });
});

test('an image stays marked as gone until it is delivered again', async () => {
  const { services, pick, clock } = createServices();
  await markGone(services, pick);
  expect(await readPickedImage(services, pick)).toBeUndefined();
  await storePickedImage(services, pick, photo, undefined);
  await markGone(services, pick);
  expect(await readPickedImage(services, pick)).toEqual({ image: photo, goneMs: clock.nowMs() });
  await storePickedImage(services, pick, { ...photo, checkedMs: 3 }, undefined);
  expect(await readPickedImage(services, pick)).not.toHaveProperty('goneMs');
});

test('a removed image keeps only its colour and removal', async () => {
  const { services, pick } = createServices();
  await storePickedImage(services, pick, photo, '#112233');
  await markRemoved(services, pick, removal);
  await storePickedImage(services, pick, { ...photo, checkedMs: 2 }, '#445566');
  expect(await readPickedImage(services, pick)).toEqual({ color: '#112233', removal });
  await markRemoved(services, `${pick}-earlier`, { ...removal, at: '2026-11-20' });
  const dates = (await listRemovals(services)).map(({ at }) => at);
  expect(dates).toEqual(['2026-11-20', '2026-11-21']);
});

test('an image is kept for 401 days after its last use unless it was removed', async () => {
  const { services, pick, clock } = createServices();
  const { images: TableName } = engine.tableNames;
  const readTtl = async () => {
    const item = new GetCommand({ TableName, Key: { pk: `IMAGE#${pick}` } });
    return (await engine.client.send(item)).Item?.['ttl'];
  };
  await storePickedAiImage(services, { ...servedImage, pick, imageId: 'i1' });
  expect(await readTtl()).toBe(clock.nowMs() / 1_000 + 401 * 86_400);
  await markRemoved(services, pick, { ...removal, kind: 'ai' });
  // An AI image keeps its id, because only its account gets the card.
  expect([await readTtl(), (await readPickedImage(services, pick))?.image]).toEqual([
    undefined,
    { imageId: 'i1' },
  ]);
});

test('after a failure to store an image, its next use stores it', async () => {
  const { services, telemetry, pick, clock } = createServices();
  let writes = 0;
  const client = Object.create(engine.database.client) as typeof engine.database.client;
  client.send = (async (...command: [never]) => {
    if (writes++ === 0) throw Object.assign(new Error('no'), { $metadata: { httpStatusCode: 400 } });
    return engine.database.client.send(...command);
  }) as typeof client.send;
  const countingServices = { ...services, database: { ...engine.database, client } };
  const storePhoto = () => storePickedImage(countingServices, pick, photo, undefined);
  await storePhoto();
  expect(telemetry.errors).toMatchObject([{ message: 'An image was not stored under its pick' }]);
  for (const passedMs of [0, 3_600_000, 86_400_000]) {
    await clock.advance(passedMs);
    await storePhoto();
  }
  expect(writes).toBe(3);
});
