/** The images of a choice that are passed over, and the files of those that are shown. */

import { FunctionBusy } from '../../../lambda/aws/lambda';
import { markRemoved, pickOf } from '../../../lambda/images/picked-images';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { candidate, fetched } from '../../fakes/stock-provider';
import { aSearchContext, request as requestFor } from '../../fakes/values';
import { createBench, described, larger, named, newRequest, newWords } from '../stock-bench';

const engine = fixtureOf(startEngine);

test('an image has exactly one file for each width, height, crop and format', async () => {
  const { find, jobs } = createBench(engine, fetched);
  const request = newRequest();
  const changes = [{}, { widthPx: 1_901 }, { heightPx: 1_001 }, { filters: { crop: 'faces' } }] as const;
  for (const change of [...changes, {}]) await find({ ...request, ...change });
  await find(request, { ...aSearchContext, format: 'avif' });
  const paths = jobs.map(({ path }) => path);
  expect(new Set(paths).size).toBe(5);
  expect(paths[4]).toBe(paths[0]);
});

test('an image of a thing that the words exclude is not shown while there is another', async () => {
  const { a, shown } = createBench(engine);
  const crowd = candidate('crowd', { description: { ...described(1), tags: ['people'] } });
  a.script(async () => [crowd, candidate('empty', { description: described(2) })]);
  expect(await shown(newRequest())).toBe('Image crowd');
  expect(await shown(requestFor(`${newWords()} without people`))).toBe('Image empty');
});

test('an image whose file is gone leaves the choice', async () => {
  const { renders, rendersAllBut, shown, telemetry } = createBench(engine, fetched);
  const request = newRequest();
  rendersAllBut('-a.');
  expect(await shown(request)).toBe('Image openverse-b');
  renders(async () => ({ outcome: 'stored' }));
  expect(await shown(larger(request))).toBe('Image openverse-b');
  expect(await shown({ ...request, seed: '2' })).toBe('Image openverse-c');
  expect(telemetry.infos.map(({ message }) => message)).toContain('A stock image is unusable');
});

test('an image whose server does not answer is replaced for five minutes', async () => {
  const { clock, findServed, renders, rendersAllBut, shown } = createBench(engine, fetched);
  const request = newRequest();
  rendersAllBut('-a.', { isTemporary: true });
  expect(await findServed(request)).toMatchObject({
    attribution: { creditLine: 'Image openverse-b' },
    answerEndsMs: clock.nowMs() + 300_000,
  });
  renders(async () => ({ outcome: 'stored' }));
  expect(await shown(larger(request))).toBe('Image openverse-a');
});

test('an image on a host that its provider does not name is passed over', async () => {
  const { a, shown } = createBench(engine);
  a.script(async () => [candidate('x', { sourceUrl: 'https://evil.example/x.jpg' }), ...named('y')]);
  expect(await shown(newRequest())).toBe('Image y');
});

test('a removed image gives its place to the next one', async () => {
  const { a, findServed, instance, shown, jobs } = createBench(engine, fetched);
  const request = newRequest();
  a.script(async () => named('removed', 'next'));
  const { pick = '' } = await findServed(request);
  await markRemoved(instance(), pick, {
    id: 'x',
    kind: 'stock',
    files: 0,
    at: '',
    by: 'me',
    reason: 'asked',
  });
  for (const widthPx of [2_000, 2_001]) expect(await shown({ ...request, widthPx })).toBe('Image next');
  expect(jobs).toHaveLength(3);
});

test.each([
  ['has too much to do', 'service_unavailable', new FunctionBusy('busy')],
  ['fails', 'upstream_unavailable', new Error('down')],
])('a renderer that %s ends the search after one image', async (_, code, fault) => {
  const { a, b, c, jobs, renders, shown } = createBench(engine, fetched);
  renders(() => Promise.reject(fault));
  expect(await shown(newRequest())).toBe(code);
  // The renderer would fail for the images of the other slots, too.
  expect([jobs.length, a.asked.length, b.asked.length, c.asked.length]).toEqual([1, 1, 0, 0]);
});

test('a page that shows an image already is given the next one', async () => {
  const { find, findServed, jobs } = createBench(engine, fetched);
  const request = newRequest();
  const shownPick = pickOf('openverse', 'openverse-a');
  const reserved: string[] = [];
  const reserve = async (pick: string) => pick !== shownPick && reserved.push(pick) > 0;
  const batchSlot = { reserve };
  expect(await find(request, { ...aSearchContext, batchSlot })).toMatchObject({
    image: { pick: reserved[0] },
  });
  expect(jobs).toHaveLength(1);
  // What one page shows is no answer for others.
  expect((await findServed(request)).pick).toBe(shownPick);
});
