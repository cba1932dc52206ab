/** Requests share the choice for their words. A choice changes when it is searched again. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { dayMs } from '../../../lambda/base/window';
import { makePick, readPickedImage } from '../../../lambda/images/picked-images';
import type { StockRequest } from '../../../lambda/requests/image-request';
import { createFaultyDatabase, startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { failUnavailable, fetched, findNothing, makeCandidate } from '../../fakes/stock-provider';
import { lookupContext } from '../../fakes/values';
import { createStockSetup, enlarge, makeCandidates, makeNewRequest, scriptLoose } from '../stock-setup';

const engine = startFixture(startEngine);

test('the same words show the same image at every size in every instance', async () => {
  const { a, find, findServed } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  const { pick } = await findServed(request);
  for (const widthPx of [320, 1_920, 3_000])
    expect(await find({ ...request, widthPx, heightPx: Math.round(widthPx / 1.6) })).toMatchObject({
      cache: 'HIT',
      image: { pick, widthPx },
    });
  expect(a.queries).toHaveLength(1);
});

test('seeds show the images of a choice in turn', async () => {
  const { findCreditOrCode, find } = createStockSetup(engine);
  const request = makeNewRequest();
  const images = [];
  for (const seed of ['', '2', '3', '4', '5']) images.push(await findCreditOrCode({ ...request, seed }));
  expect(new Set(images).size).toBe(5);
  expect(await findCreditOrCode({ ...request, seed: '1' })).toBe(images[0]);
  // After the last image, seeds start over.
  expect(await find({ ...request, seed: '6' })).toMatchObject({
    image: { seedsStartOverAfter: 5, attribution: { creditLine: images[0] } },
  });
  for (const seed of ['hero', '21']) expect(images).toContain(await findCreditOrCode({ ...request, seed }));
  expect(await find({ ...request, seed: '21' })).not.toMatchObject({ image: { seedsStartOverAfter: 5 } });
});

test('concurrent requests in one instance share a search', async () => {
  const { a, clock, find, createInstance } = createStockSetup(engine);
  const request = makeNewRequest();
  const services = createInstance();
  const sizes = Array.from({ length: 20 }, (_, index) => ({ ...request, widthPx: 1_400 + (index % 4) }));
  const finding = sizes.map((sized) => find(sized, lookupContext, services));
  const answers = await clock.settle(Promise.all(finding));
  expect(a.queries).toHaveLength(1);
  expect(answers.filter((answer) => 'cache' in answer && answer.cache === 'MISS')).toHaveLength(1);
});

test('two instances that search at once show the same image', async () => {
  const { a, findServed } = createStockSetup(engine);
  const request = makeNewRequest();
  let replies = 0;
  a.script(async () => makeCandidates(...(replies++ === 0 ? ['x', 'y'] : ['y', 'x'])));
  const [first, second] = await Promise.all([findServed(request), findServed(request)]);
  expect(first.pick).toBe(second.pick);
});

test('each orientation, filter and provider address has a separate choice', async () => {
  const { a, find, createInstance } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  const filters: readonly StockRequest['filters'][] = [
    {},
    { lang: 'de' },
    { license: 'public-domain' },
    { color: 'red' },
    { avoid: ['people'] },
  ];
  for (const filter of filters) await find({ ...request, filters: filter });
  await find({ ...request, widthPx: 800, heightPx: 1_600 });
  await find(request, lookupContext, createInstance({ endpoints: { openverse: 'http://127.0.0.1:4010' } }));
  expect(a.queries).toHaveLength(filters.length + 2);
  expect(a.queries.slice(2, 4)).toMatchObject([{ license: 'public-domain' }, { color: 'red' }]);
  // All crops share a choice.
  await find({ ...request, filters: { crop: 'faces' }, widthPx: 1_201 });
  expect(a.queries).toHaveLength(filters.length + 2);
});

test('a search after 30 days keeps the images of a choice in their places', async () => {
  const { a, clock, findCreditOrCode } = createStockSetup(engine);
  const request = makeNewRequest();
  a.script(async () => makeCandidates('x', 'y', 'z'));
  expect(await findCreditOrCode(request)).toBe('Image x');
  const { attribution } = makeCandidate('x');
  const renamed = makeCandidate('x', { attribution: { ...attribution, creditLine: 'Image x, renamed' } });
  a.script(async () => [...makeCandidates('new', 'z', 'y'), renamed]);
  await clock.advance(29 * dayMs);
  expect(await findCreditOrCode(request)).toBe('Image x');
  await clock.advance(2 * dayMs);
  expect(await findCreditOrCode(request)).toBe('Image x, renamed');
  expect(a.queries).toHaveLength(2);
  // The search has described the image, so no request by its id is sent.
  expect(a.idQueries).toEqual([]);
  expect(await findCreditOrCode({ ...request, seed: '4' })).toBe('Image new');
});

test('the best new image takes the place of an image that is gone', async () => {
  const { a, clock, createInstance, findCreditOrCode } = createStockSetup(engine);
  const request = makeNewRequest();
  a.script(async () => makeCandidates('x', 'y', 'z'));
  await findCreditOrCode(request);
  a.script(async () => makeCandidates('new', 'z', 'y'));
  await clock.advance(31 * dayMs);
  expect(await findCreditOrCode(request)).toBe('Image new');
  expect(await findCreditOrCode({ ...request, seed: '2' })).toBe('Image y');
  expect((await readPickedImage(createInstance(), makePick('openverse', 'x')))?.goneMs).toBeDefined();
});

test('a choice of any age is shown while its provider fails', async () => {
  const { a, clock, findServed } = createStockSetup(engine);
  const request = makeNewRequest();
  const { pick } = await findServed(request);
  a.script(failUnavailable);
  await clock.advance(60 * dayMs);
  const image = await clock.settle(findServed(request));
  expect(image.pick).toBe(pick);
  expect(image.answerEndsMs).toBeGreaterThan(clock.nowMs());
});

test.each([
  { best: 'a loose image', script: scriptLoose('x'), shown: 'Image x' },
  { best: 'no image', script: findNothing, shown: 'no_image_found' },
])('a choice with $best is searched again after a day', async ({ script, shown }) => {
  const { a, b, c, clock, findCreditOrCode } = createStockSetup(engine);
  const request = makeNewRequest();
  for (const provider of [a, b, c]) provider.script(script);
  expect(await findCreditOrCode(request)).toBe(shown);
  a.script(async () => makeCandidates('better'));
  await clock.advance(dayMs - 1);
  expect(await findCreditOrCode(enlarge(request))).toBe(shown);
  await clock.advance(1);
  expect(await findCreditOrCode({ ...request, widthPx: 2_001 })).toBe('Image better');
});

test('while the table of choices is busy, a search is refused as an outage', async () => {
  const { clock, find, createInstance } = createStockSetup(engine);
  const services = createInstance();
  const slow = new ThrottlingException({ $metadata: {}, message: 'slow' });
  const database = createFaultyDatabase(engine, () => Promise.reject(slow));
  const outcome = await clock.settle(find(makeNewRequest(), lookupContext, { ...services, database }));
  expect(outcome).toMatchObject({ refusal: { code: 'service_unavailable' } });
});
