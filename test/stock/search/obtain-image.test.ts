/** The slots of a search are asked in turn, until one has an image. */

import { dayMs } from '../../../lambda/base/window';
import { unreachedMessage } from '../../../lambda/stock/stock-services';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { failUnavailable, fetched, findNothing, makeCandidate } from '../../fakes/stock-provider';
import { lookupContext, noImage } from '../../fakes/values';
import { createStockSetup, makeCandidates, makeNewRequest, scriptLoose } from '../stock-setup';

const engine = startFixture(startEngine);

test('a fitting image of a later slot is shown before a loose one', async () => {
  const { a, b, c, clock, find } = createStockSetup(engine);
  a.script(scriptLoose('a', 0.1));
  b.script(scriptLoose('b', 0.2));
  c.script(async () => makeCandidates('c'));
  // After five minutes, the requested slot is tried again.
  const answerEndsMs = clock.nowMs() + 300_000;
  expect(await find(makeNewRequest())).toMatchObject({
    image: { source: 'stock_c', fit: 'exact', answerEndsMs },
  });
});

test('if no image fits, the loose image with the most words is shown', async () => {
  const { a, b, c, find } = createStockSetup(engine);
  a.script(scriptLoose('a', 0.1));
  b.script(scriptLoose('b', 0.2));
  c.script(findNothing);
  expect(await find(makeNewRequest())).toMatchObject({ image: { source: 'stock_b', fit: 'loose' } });
});

test('no loose image is shown to a request with onmiss=ai', async () => {
  const { a, b, c, findCreditOrCode, jobs } = createStockSetup(engine, fetched);
  for (const provider of [a, c]) provider.script(findNothing);
  b.script(scriptLoose('b'));
  expect(await findCreditOrCode(makeNewRequest({ filters: { onmiss: 'ai' } }))).toBe('no_image_found');
  expect(jobs).toEqual([]);
});

test('the image of the next slot is shown if a provider fails', async () => {
  const { a, b, c, clock, find, findCreditOrCode } = createStockSetup(engine);
  a.script(failUnavailable);
  expect(await clock.settle(find(makeNewRequest()))).toMatchObject({ image: { source: 'stock_b' } });
  for (const provider of [b, c]) provider.script(failUnavailable);
  expect(await clock.settle(findCreditOrCode(makeNewRequest()))).toBe('upstream_unavailable');
});

test('a refusal names the first moment at which a slot has budget again', async () => {
  const { a, b, c, clock, find } = createStockSetup(engine);
  await clock.advance(100 * dayMs);
  for (const [provider, quota] of [
    [a, { perHour: 1 }],
    [b, { perMinute: 1 }],
    [c, { perHour: 1 }],
  ] as const) {
    provider.readQuota = async () => quota;
    provider.script(findNothing);
  }
  await find(makeNewRequest());
  const refusal = { code: 'upstream_unavailable', retryAfterS: 60 };
  expect(await find(makeNewRequest())).toMatchObject({ refusal });
});

test('a search sends at most three requests to all slots together', async () => {
  const { a, b, c, find } = createStockSetup(engine);
  for (const provider of [a, b, c]) provider.script(findNothing);
  expect(await find(makeNewRequest())).toEqual(noImage);
  expect(a.queries.length + b.queries.length + c.queries.length).toBe(3);
});

test('only images under a wanted licence are shown', async () => {
  const { a, b, find, findCreditOrCode } = createStockSetup(engine);
  const { attribution } = makeCandidate('x');
  const license = { id: 'cc-by-4.0', name: 'CC BY 4.0' };
  a.script(async () => [
    makeCandidate('by', { attribution: { ...attribution, license } }),
    ...makeCandidates('free'),
  ]);
  const filters = { license: 'public-domain' } as const;
  expect(await findCreditOrCode(makeNewRequest({ filters }))).toBe('Image free');
  Object.assign(a.capability, { unmetLicenses: ['public-domain'] });
  expect(await find(makeNewRequest({ filters }))).toMatchObject({ image: { source: 'stock_b' } });
  expect([a.queries.length, b.queries.length]).toEqual([1, 1]);
});

test('the fallback provider is asked while no slot answers', async () => {
  const { a, b, c, clock, find, createInstance, telemetry } = createStockSetup(engine);
  for (const provider of [a, b, c]) provider.script(failUnavailable);
  const services = createInstance({ fallbackProvider: 'sandbox' });
  expect(await clock.settle(find(makeNewRequest(), lookupContext, services))).toMatchObject({
    cache: 'MISS',
    image: { attribution: { creditLine: 'Image sandbox-a' }, answerEndsMs: clock.nowMs() + 300_000 },
  });
  expect(telemetry.infos.map(({ message }) => message)).toEqual([unreachedMessage]);
});

test('the fallback provider is asked only if a slot fails', async () => {
  const { a, b, c, find, createInstance } = createStockSetup(engine);
  for (const provider of [a, b, c]) provider.script(findNothing);
  const services = createInstance({ fallbackProvider: 'sandbox' });
  expect(await find(makeNewRequest(), lookupContext, services)).toEqual(noImage);
});
