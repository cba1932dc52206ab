/** The slots of a search: which of them serves the image, and why there is none. */

import { dayMs } from '../../../lambda/base/window';
import { unreachedMessage } from '../../../lambda/stock/stock-services';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { away, candidate, empty, fetched } from '../../fakes/stock-provider';
import { aSearchContext, noImage } from '../../fakes/values';
import { createBench, loose, named, newRequest } from '../stock-bench';

const engine = fixtureOf(startEngine);

test('a fitting image of a later slot is shown before a loose one', async () => {
  const { a, b, c, clock, find } = createBench(engine);
  a.script(loose('a', 0.1));
  b.script(loose('b', 0.2));
  c.script(async () => named('c'));
  // The slot that was asked for takes over again.
  const answerEndsMs = clock.nowMs() + 300_000;
  expect(await find(newRequest())).toMatchObject({
    image: { source: 'stock_c', fit: 'exact', answerEndsMs },
  });
});

test('the loose image that covers most of the words is shown where none fits', async () => {
  const { a, b, c, find } = createBench(engine);
  a.script(loose('a', 0.1));
  b.script(loose('b', 0.2));
  c.script(empty);
  expect(await find(newRequest())).toMatchObject({ image: { source: 'stock_b', fit: 'loose' } });
});

test('no loose image is shown to a request that wants an AI image instead', async () => {
  const { a, b, c, shown, jobs } = createBench(engine, fetched);
  for (const provider of [a, c]) provider.script(empty);
  b.script(loose('b'));
  expect(await shown(newRequest({ filters: { onmiss: 'ai' } }))).toBe('no_image_found');
  expect(jobs).toEqual([]);
});

test('the next slot is shown when a provider fails', async () => {
  const { a, b, c, clock, find, shown } = createBench(engine);
  a.script(away);
  expect(await clock.settle(find(newRequest()))).toMatchObject({ image: { source: 'stock_b' } });
  for (const provider of [b, c]) provider.script(away);
  expect(await clock.settle(shown(newRequest()))).toBe('upstream_unavailable');
});

test('a refusal names the earliest moment at which a used-up slot may be asked again', async () => {
  const { a, b, c, clock, find } = createBench(engine);
  await clock.advance(100 * dayMs);
  for (const [provider, quota] of [
    [a, { perHour: 1 }],
    [b, { perMinute: 1 }],
    [c, { perHour: 1 }],
  ] as const) {
    provider.readQuota = async () => quota;
    provider.script(empty);
  }
  await find(newRequest());
  const refusal = { code: 'upstream_unavailable', retryAfterS: 60 };
  expect(await find(newRequest())).toMatchObject({ refusal });
});

test('a search sends three requests at most, at all slots together', async () => {
  const { a, b, c, find } = createBench(engine);
  for (const provider of [a, b, c]) provider.script(empty);
  expect(await find(newRequest())).toEqual(noImage);
  expect(a.asked.length + b.asked.length + c.asked.length).toBe(3);
});

test('a search shows no image whose licence does not meet the condition', async () => {
  const { a, b, find, shown } = createBench(engine);
  const { attribution } = candidate('x');
  const license = { id: 'cc-by-4.0', name: 'CC BY 4.0' };
  a.script(async () => [candidate('by', { attribution: { ...attribution, license } }), ...named('free')]);
  const filters = { license: 'public-domain' } as const;
  expect(await shown(newRequest({ filters }))).toBe('Image free');
  Object.assign(a.capability, { unmetLicenses: ['public-domain'] });
  expect(await find(newRequest({ filters }))).toMatchObject({ image: { source: 'stock_b' } });
  expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
});

test('the fallback provider stands in for five minutes while no slot is reached', async () => {
  const { a, b, c, clock, find, instance, telemetry } = createBench(engine);
  for (const provider of [a, b, c]) provider.script(away);
  const by = instance({ fallbackProvider: 'sandbox' });
  expect(await clock.settle(find(newRequest(), aSearchContext, by))).toMatchObject({
    cache: 'MISS',
    image: { attribution: { creditLine: 'Image sandbox-a' }, answerEndsMs: clock.nowMs() + 300_000 },
  });
  expect(telemetry.infos.map(({ message }) => message)).toEqual([unreachedMessage]);
});

test('the fallback provider is not asked where the slots have no image', async () => {
  const { a, b, c, find, instance } = createBench(engine);
  for (const provider of [a, b, c]) provider.script(empty);
  const by = instance({ fallbackProvider: 'sandbox' });
  expect(await find(newRequest(), aSearchContext, by)).toEqual(noImage);
});
