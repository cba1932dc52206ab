/** Answers while tables, the model or the image store fail, over HTTP, wired as for Lambda. */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { fixtureOf } from '../fakes/fixture';
import { png } from '../fakes/images';
import { listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header, postJson } from './ask';
import { startCountedService } from './counted-service';

// A fifth of the time that everything takes in a deployment: a table that hangs is waited for by the clock.
jest.mock('../../lambda/contract/timeouts', () => {
  process.env['PATIENCE'] = '0.2';
  return jest.requireActual('../../lambda/contract/timeouts');
});

/** Time that a busy machine may add to a request, in milliseconds. */
const busyMs = 10_000;

/** Time for a machine that does something else as well: no promise depends on it. */
jest.setTimeout(300_000);

/** The behaviour of the model; `hanging`: it never answers. */
const hung: ServerResponse[] = [];
let modelIs: 'well' | 'hanging' | 'failing' | 'talking nonsense' = 'well';
const hourMs = 3_600_000;
/** Time by which the clock was moved, in milliseconds: to half past an hour, so that none ends meanwhile. */
let aheadMs = (1.5 * hourMs - (Date.now() % hourMs)) % hourMs;
const model = fixtureOf(async () => {
  const b64_json = (await png(64, 64)).toString('base64');
  return listenOnLoopback((_, response) => {
    if (modelIs === 'hanging') return void hung.push(response);
    if (modelIs === 'failing') response.writeHead(500);
    else response.setHeader('content-type', 'application/json');
    response.end(modelIs === 'well' ? JSON.stringify({ data: [{ b64_json }] }) : '{}');
  });
});
const service = fixtureOf(() => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  return startCountedService({ kind: 'openai-compatible', baseUrl: `${model.address}/v1`, model: 'm' });
});
afterAll(() => jest.restoreAllMocks());

// A test that fails leaves the others alone.
afterEach(() => {
  service.break(undefined);
  modelIs = 'well';
  // A table that has just not answered is asked again after a moment.
  aheadMs += 2_000;
});

/** Asks again while the answer is an outage: a busy machine may miss a fifth of the time. */
async function untilServed(get: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 1; ; asked++) {
    const answer = await get();
    // On a busy machine a charge that had no time left is 429, as one that its table throttles.
    if (asked === 40 || ![429, 503].includes(answer.status)) return answer;
    aheadMs += 2_000;
  }
}

/**
 * A charge whose answer is lost, or comes too late, is neither sent again nor given back, and its refusal
 * does not say "not charged".
 */
const isUnknown = ({ status, body }: Answer) => status !== 302 && !body.includes('not charged');

const outage = [503, '5', 'service_unavailable'];
const served = [302, null, undefined];
test.each([
  ['the cache', 'a known stock image and a new one are served', 'cache', [served, served]],
  [
    'the table of images',
    'a known stock image is served, and a new one is an outage',
    'images',
    [served, outage],
  ],
] as const)('while %s fails, %s', async (_, __, table, expected) => {
  const headers = { 'X-API-Key': service.keys.pro.live };
  const known = '/api/image/200x200-lighthouse';
  expect((await untilServed(() => ask(service.url, { path: known, headers }))).status).toBe(302);
  await service.coldStart();
  service.break('failing', [table]);
  for (const [index, path] of [known, `/api/image/300x200-new-${table}`].entries()) {
    const { status, headers: answered, body } = await ask(service.url, { path, headers });
    expect([status, answered.get('retry-after'), JSON.parse(body).code]).toEqual(expected[index]);
  }
});

const faults = ['hanging', 'down', 'failing', 'slow', 'throttled', 'losing its answers'] as const;
const alone = ['apiKeys', 'quotaCounters', 'generationIndex', 'images', 'cache'];
const broken = [
  ...faults.map((fault) => ['every table', fault, alone] as const),
  ...alone.flatMap((table) => faults.map((fault) => [table, fault, [table]] as const)),
];

test.each(broken)(
  'while %s is %s, every request is answered in time, and none is charged without an image',
  async (name, fault, tables) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const words = `${name}-${fault}`.replaceAll(' ', '-');
    const wanted = ['lighthouse', `harbour-${words}`, 'known?provider=ai', `new-${words}?provider=ai`];
    for (const known of ['lighthouse', 'known?provider=ai']) await untilServed(() => get(known));
    const before = await service.taken(service.keys.business.live);
    service.break(fault, tables);
    await service.coldStart();
    const beganMs = performance.now();
    const during = await Promise.all(wanted.map(get));
    expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs + busyMs);
    service.break(undefined);
    for (const { status, headers } of during)
      expect([302, 429, 503]).toContain(headers.has('retry-after') || status === 302 ? status : 'no pause');
    // A table that has just not answered is asked again after a moment.
    aheadMs += 2_000;
    // An AI image that was paid for is delivered to whoever asks for it once it is made.
    const afterwards: Answer[] = [];
    const getAfterwards = async (path: string) => {
      const answer = await get(path);
      afterwards.push(answer);
      return answer;
    };
    const after = await Promise.all(wanted.map((path) => untilServed(() => getAfterwards(path))));
    expect(after.map(({ status }) => status)).toEqual(wanted.map(() => 302));
    const delivered = [...during, ...afterwards].filter(({ status }) => status === 302).length;
    // A table that hangs takes no write: none is lost where the counters are among them.
    const isNeverWritten = fault === 'hanging' && tables.includes('quotaCounters');
    const mayBeLost =
      !isNeverWritten && ['hanging', 'slow', 'losing its answers'].includes(fault) ? during : [];
    const unknown = [...mayBeLost, ...afterwards].filter(isUnknown).length;
    const spent = (await service.taken(service.keys.business.live)) - before;
    expect(spent).toBeLessThanOrEqual(delivered + unknown);
  },
);

test.each([
  ['of functions that know the caller', false],
  ['of new functions', true],
])('while no table answers, every route %s is an uncharged 503 with Retry-After', async (_, isCold) => {
  const key = service.keys.pro.live;
  const headers = { 'X-API-Key': key };
  const get = (path: string) => ask(service.url, { path, headers });
  const post = async (path: string, body: object): Promise<Answer> => {
    const response = await postJson(service.url, path, key, body);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const drawn = await untilServed(() => get('/api/image/200x200-lighthouse?provider=ai'));
  const imageId = header(drawn, 'x-image-id');
  const before = await service.taken(key);
  service.break('down');
  if (isCold) await service.coldStart();
  const images = [{ slot: 'hero', query: 'harbour', width: 200, height: 200 }];
  const call = { name: 'find_images', arguments: { images } };
  const [tool, ...answers] = await Promise.all([
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    get('/api/image/200x200-unseen-lighthouse'),
    get('/api/image/200x200-unseen?provider=ai'),
    get(`/api/image/id/${imageId}`),
    get('/api/usage'),
    post('/api/images', { images }),
  ]);
  service.break(undefined);
  for (const { status, headers, body } of answers)
    expect([status, headers.get('retry-after'), JSON.parse(body).code]).toEqual([
      503,
      '5',
      'service_unavailable',
    ]);
  expect(tool.body).toContain('Retry in a few seconds; the request was not charged.');
  expect(await service.taken(key)).toBe(before);
});

test.each(['hanging', 'failing', 'talking nonsense', 'without its image store'] as const)(
  'while the model is %s, requests for it fail in time without a charge',
  async (fault) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const words = fault.replaceAll(' ', '-');
    for (const known of ['lighthouse', 'known?provider=ai']) await untilServed(() => get(known));
    const before = await service.taken(service.keys.business.live);
    const away = `${service.folder}-away`;
    const isOfImageStore = fault === 'without its image store';
    if (isOfImageStore) {
      renameSync(service.folder, away);
      writeFileSync(service.folder, '');
    } else modelIs = fault;
    const beganMs = performance.now();
    const answers: Answer[] = [];
    const note = async (path: string) => {
      const answer = await get(path);
      answers.push(answer);
      return answer;
    };
    const [known, drawn, newImage] = await Promise.all([
      untilServed(() => note('lighthouse')),
      untilServed(() => note('known?provider=ai')),
      note(`${words}?provider=ai`),
    ]);
    expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs + busyMs);
    modelIs = 'well';
    for (const response of hung) response.destroy();
    if (isOfImageStore) {
      rmSync(service.folder);
      renameSync(away, service.folder);
    }
    // An image whose file is gone is made again.
    expect([known.status, drawn.status]).toEqual([302, isOfImageStore ? 502 : 302]);
    expect([502, 503]).toContain(newImage.status);
    expect(newImage.headers.has('retry-after')).toBe(true);
    const spent = (await service.taken(service.keys.business.live)) - before;
    const served = answers.filter(({ status }) => status === 302).length;
    expect(spent).toBeGreaterThanOrEqual(served);
    expect(spent).toBeLessThanOrEqual(served + answers.filter(isUnknown).length);
    // Leases and pauses are over.
    aheadMs += 6 * 60_000;
    expect((await untilServed(() => get(`${words}?provider=ai`))).status).toBe(302);
  },
);
