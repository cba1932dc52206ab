/** The image of the seed is delivered from a choice, or the next that can be shown. */

import { FunctionBusy } from '../../../lambda/aws/lambda';
import { dayMs } from '../../../lambda/base/window';
import { makePick, markRemoved } from '../../../lambda/images/picked-images';
import { readStoredAnswer } from '../../../lambda/stock/stored-answers';
import { startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { fetched, findNothing, makeCandidate } from '../../fakes/stock-provider';
import { lookupContext, makeStockRequest } from '../../fakes/values';
import {
  createStockSetup,
  enlarge,
  makeCandidates,
  makeDescription,
  makeNewRequest,
  makeNewWords,
} from '../stock-setup';

const engine = startFixture(startEngine);

test('an image has exactly one file for each width, height, crop and format', async () => {
  const { find, jobs } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  const changes = [{}, { widthPx: 1_901 }, { heightPx: 1_001 }, { filters: { crop: 'faces' } }] as const;
  for (const change of [...changes, {}]) await find({ ...request, ...change });
  await find(request, { ...lookupContext, format: 'avif' });
  const paths = jobs.map(({ path }) => path);
  expect(new Set(paths).size).toBe(5);
  expect(paths[4]).toBe(paths[0]);
});

test('an image of an excluded thing is not shown if there is another', async () => {
  const { a, findCreditOrCode } = createStockSetup(engine);
  const crowd = makeCandidate('crowd', { description: { ...makeDescription(1), tags: ['people'] } });
  a.script(async () => [crowd, makeCandidate('empty', { description: makeDescription(2) })]);
  expect(await findCreditOrCode(makeNewRequest())).toBe('Image crowd');
  expect(await findCreditOrCode(makeStockRequest(`${makeNewWords()} without people`))).toBe('Image empty');
});

test('an image without a file leaves the choice', async () => {
  const { setRender, failToRender, findCreditOrCode, telemetry } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  failToRender('-a.');
  expect(await findCreditOrCode(request)).toBe('Image openverse-b');
  setRender(async () => ({ outcome: 'stored' }));
  expect(await findCreditOrCode(enlarge(request))).toBe('Image openverse-b');
  expect(await findCreditOrCode({ ...request, seed: '2' })).toBe('Image openverse-c');
  expect(telemetry.infos.map(({ message }) => message)).toContain('A stock image is unusable');
});

test('if all images of a choice are gone, no image is found', async () => {
  const { a, b, c, clock, findServed, findCreditOrCode } = createStockSetup(engine, {
    capability: { urlTtlMs: dayMs },
    offerImage: ({ id, sourceUrl }) =>
      id.startsWith('without-file') ? undefined : { kind: 'hotlink', url: sourceUrl },
  });
  a.script(async () => makeCandidates('deleted'));
  b.script(async () => makeCandidates(...Array.from({ length: 6 }, (_, index) => `without-file-${index}`)));
  c.script(findNothing);
  const request = makeNewRequest();
  await findServed(request);
  a.script(findNothing);
  await clock.advance(2 * dayMs);
  expect(await findCreditOrCode(request)).toBe('no_image_found');
  expect(a.idQueries).toEqual(['deleted']);
});

test('if no image of a choice can be read, the request is refused as a failure', async () => {
  const { a, b, c, failToRender, findCreditOrCode } = createStockSetup(engine, fetched);
  a.script(async () => makeCandidates('damaged'));
  for (const provider of [b, c]) provider.script(findNothing);
  failToRender('damaged');
  expect(await findCreditOrCode(makeNewRequest())).toBe('upstream_unavailable');
});

test('an image with a silent server is replaced for five minutes', async () => {
  const { clock, findServed, setRender, failToRender, findCreditOrCode } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  failToRender('-a.', { isTemporary: true });
  expect(await findServed(request)).toMatchObject({
    attribution: { creditLine: 'Image openverse-b' },
    answerEndsMs: clock.nowMs() + 300_000,
  });
  setRender(async () => ({ outcome: 'stored' }));
  expect(await findCreditOrCode(enlarge(request))).toBe('Image openverse-a');
});

test('an image on an unknown host or without a file is skipped, and only the host is an error', async () => {
  const { a, findCreditOrCode, telemetry } = createStockSetup(engine, {
    offerImage: ({ id, sourceUrl }) => (id === 'x' ? undefined : { kind: 'hotlink', url: sourceUrl }),
  });
  const strayImage = makeCandidate('stray', { sourceUrl: 'https://evil.example/x.jpg' });
  a.script(async () => [strayImage, ...makeCandidates('x', 'y')]);
  expect(await findCreditOrCode(makeNewRequest())).toBe('Image y');
  expect([telemetry.infos.length, telemetry.errors.length]).toEqual([1, 1]);
});

test('a removed image gives its place to the next one', async () => {
  const { a, findServed, createInstance, findCreditOrCode, jobs } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  a.script(async () => makeCandidates('removed', 'next'));
  const { pick = '' } = await findServed(request);
  await markRemoved(createInstance(), pick, { id: 'x', kind: 'stock', at: '', by: 'me', reason: '' });
  for (const widthPx of [2_000, 2_001])
    expect(await findCreditOrCode({ ...request, widthPx })).toBe('Image next');
  expect(jobs).toHaveLength(3);
});

test.each([
  ['has too much to do', 'service_unavailable', new FunctionBusy('busy')],
  ['fails', 'upstream_unavailable', new Error('down')],
])('a renderer that %s ends the search after one image', async (_, code, fault) => {
  const { a, b, c, jobs, setRender, findCreditOrCode } = createStockSetup(engine, fetched);
  setRender(() => Promise.reject(fault));
  expect(await findCreditOrCode(makeNewRequest())).toBe(code);
  // The renderer would also fail for the images of the other slots.
  expect([jobs.length, a.queries.length, b.queries.length, c.queries.length]).toEqual([1, 1, 0, 0]);
});

test('after five images that do not load, the next slot is searched', async () => {
  const { a, jobs, failToRender, findCreditOrCode } = createStockSetup(engine, fetched);
  a.script(async () => makeCandidates('a1', 'a2', 'a3', 'a4', 'a5', 'a6'));
  failToRender('/a');
  expect(await findCreditOrCode(makeNewRequest())).toBe('Image wikimedia-a');
  expect(jobs).toHaveLength(6);
});

test('a page that shows the image already gets the next one', async () => {
  const { find, findServed, createInstance, jobs } = createStockSetup(engine, fetched);
  const request = makeNewRequest();
  const shownPick = makePick('openverse', 'openverse-a');
  const reserved: string[] = [];
  const reserve = async (pick: string) => pick !== shownPick && reserved.push(pick) > 0;
  const batchMember = { reserve, isDuplicate: false, charging: { free: 1, waiting: [] } };
  expect(await find(request, { ...lookupContext, batchMember })).toMatchObject({
    image: { pick: reserved[0] },
  });
  expect(jobs).toHaveLength(1);
  // The image for one page is no answer to other requests.
  const storedAnswer = await readStoredAnswer(createInstance(), request, lookupContext.format);
  expect(storedAnswer).toEqual({});
  expect((await findServed(request)).pick).toBe(shownPick);
});
