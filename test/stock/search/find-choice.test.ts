/** The choice for words: what shares one, and how it changes over time. */

import { dayMs } from '../../../lambda/base/window';
import { pickOf, readPickedImage } from '../../../lambda/images/picked-images';
import type { StockRequest } from '../../../lambda/requests/image-request';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { away, candidate, empty, fetched } from '../../fakes/stock-provider';
import { aSearchContext } from '../../fakes/values';
import { createBench, larger, loose, named, newRequest } from '../stock-bench';

const engine = fixtureOf(startEngine);

test('a choice shows the same image at every size in every instance', async () => {
  const { a, find, findServed } = createBench(engine, fetched);
  const request = newRequest();
  const { pick } = await findServed(request);
  for (const widthPx of [320, 1_920, 3_000])
    expect(await find({ ...request, widthPx, heightPx: Math.round(widthPx / 1.6) })).toMatchObject({
      cache: 'HIT',
      image: { pick, widthPx },
    });
  expect(a.asked).toHaveLength(1);
});

test('seeds show the images of a choice in turn', async () => {
  const { shown, find } = createBench(engine);
  const request = newRequest();
  const images = [];
  for (const seed of ['', '2', '3', '4', '5']) images.push(await shown({ ...request, seed }));
  expect(new Set(images).size).toBe(5);
  expect(await shown({ ...request, seed: '1' })).toBe(images[0]);
  // Beyond the last they start over.
  expect(await find({ ...request, seed: '6' })).toMatchObject({
    image: { seedsStartOverAfter: 5, attribution: { creditLine: images[0] } },
  });
  for (const seed of ['hero', '21']) expect(images).toContain(await shown({ ...request, seed }));
  expect(await find({ ...request, seed: '21' })).not.toMatchObject({ image: { seedsStartOverAfter: 5 } });
});

test('concurrent requests in one instance share a search', async () => {
  const { a, clock, find, instance } = createBench(engine);
  const request = newRequest();
  const by = instance();
  const sizes = Array.from({ length: 20 }, (_, index) => ({ ...request, widthPx: 1_400 + (index % 4) }));
  const finding = sizes.map((sized) => find(sized, aSearchContext, by));
  const answers = await clock.settle(Promise.all(finding));
  expect(a.asked).toHaveLength(1);
  expect(answers.filter((answer) => 'cache' in answer && answer.cache === 'MISS')).toHaveLength(1);
});

test('two instances that search at once show the choice that is stored first', async () => {
  const { a, findServed } = createBench(engine);
  const request = newRequest();
  let replies = 0;
  a.script(async () => named(...(replies++ === 0 ? ['x', 'y'] : ['y', 'x'])));
  const [first, second] = await Promise.all([findServed(request), findServed(request)]);
  expect(first.pick).toBe(second.pick);
});

test('each orientation, filter and provider address has a separate choice', async () => {
  const { a, find, instance } = createBench(engine, fetched);
  const request = newRequest();
  const filters: readonly StockRequest['filters'][] = [
    {},
    { lang: 'de' },
    { license: 'public-domain' },
    { color: 'red' },
    { avoid: ['people'] },
  ];
  for (const filter of filters) await find({ ...request, filters: filter });
  await find({ ...request, widthPx: 800, heightPx: 1_600 });
  await find(request, aSearchContext, instance({ endpoints: { openverse: 'http://127.0.0.1:4010' } }));
  expect(a.asked).toHaveLength(filters.length + 2);
  expect(a.asked.slice(2, 4)).toMatchObject([{ license: 'public-domain' }, { color: 'red' }]);
  // All crops share one.
  await find({ ...request, filters: { crop: 'faces' }, widthPx: 1_201 });
  expect(a.asked).toHaveLength(filters.length + 2);
});

test('a choice that is searched again after 30 days keeps its images in their places', async () => {
  const { a, clock, shown } = createBench(engine);
  const request = newRequest();
  a.script(async () => named('x', 'y', 'z'));
  expect(await shown(request)).toBe('Image x');
  const { attribution } = candidate('x');
  const renamed = candidate('x', { attribution: { ...attribution, creditLine: 'Image x, renamed' } });
  a.script(async () => [...named('new', 'z', 'y'), renamed]);
  await clock.advance(29 * dayMs);
  expect(await shown(request)).toBe('Image x');
  await clock.advance(2 * dayMs);
  expect(await shown(request)).toBe('Image x, renamed');
  expect(a.asked).toHaveLength(2);
  // The search has said what the image is now.
  expect(a.askedById).toEqual([]);
  expect(await shown({ ...request, seed: '4' })).toBe('Image new');
});

test('a choice shows its best new image in place of one that is gone', async () => {
  const { a, clock, instance, shown } = createBench(engine);
  const request = newRequest();
  a.script(async () => named('x', 'y', 'z'));
  await shown(request);
  a.script(async () => named('new', 'z', 'y'));
  await clock.advance(31 * dayMs);
  expect(await shown(request)).toBe('Image new');
  expect(await shown({ ...request, seed: '2' })).toBe('Image y');
  expect((await readPickedImage(instance(), pickOf('openverse', 'x')))?.goneMs).toBeDefined();
});

test('a choice of any age is shown while its provider fails', async () => {
  const { a, clock, shown } = createBench(engine);
  const request = newRequest();
  const before = await shown(request);
  a.script(away);
  await clock.advance(60 * dayMs);
  expect(await clock.settle(shown(request))).toBe(before);
});

test('a choice is searched again after a day while its best image is loose', async () => {
  const { a, b, c, clock, shown } = createBench(engine);
  const request = newRequest();
  for (const provider of [a, b, c]) provider.script(loose('x'));
  await shown(request);
  a.script(async () => named('better'));
  expect(await shown(larger(request))).toBe('Image x');
  await clock.advance(dayMs + 1);
  expect(await shown(larger(request))).toBe('Image better');
});

test('an empty choice is searched again after a day', async () => {
  const { a, b, c, clock, shown } = createBench(engine);
  const request = newRequest();
  for (const provider of [a, b, c]) provider.script(empty);
  expect(await shown(request)).toBe('no_image_found');
  a.script(async () => named('late'));
  await clock.advance(dayMs - 1);
  expect(await shown(request)).toBe('no_image_found');
  await clock.advance(1);
  expect(await shown(request)).toBe('Image late');
});
