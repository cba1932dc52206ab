/** What callers meet while tables, the model or the bucket fail, over HTTP through the functions as wired for Lambda. */

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { png } from '../fakes/images';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header, postJson } from './ask';
import { type CountedService, startCountedService } from './counted-service';

// A fifth of the time that everything takes in a deployment: a table that hangs is waited for by the clock.
jest.mock('../../lambda/contract/timeouts', () => {
  process.env['PATIENCE'] = '0.2';
  return jest.requireActual('../../lambda/contract/timeouts');
});

/** What a busy machine may add to a request, in milliseconds. */
const busyMs = 2_000;

/** What a machine needs that does something else as well: no promise depends on it. */
jest.setTimeout(300_000);

let service: CountedService;
let model: Loopback;
/** What the model does; `hanging`: it never answers. */
const hung: ServerResponse[] = [];
let modelIs: 'well' | 'hanging' | 'failing' | 'talking nonsense' = 'well';
const hourMs = 3_600_000;
/** How far the clock has been moved, in milliseconds: at first until half past an hour, so that none ends within a test. */
let aheadMs = (1.5 * hourMs - (Date.now() % hourMs)) % hourMs;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  const b64_json = (await png(64, 64)).toString('base64');
  model = await listenOnLoopback((_, response) => {
    if (modelIs === 'hanging') return void hung.push(response);
    if (modelIs === 'failing') response.writeHead(500);
    else response.setHeader('content-type', 'application/json');
    response.end(modelIs === 'well' ? JSON.stringify({ data: [{ b64_json }] }) : '{}');
  });
  const generator = { kind: 'openai-compatible', baseUrl: `${model.address}/v1`, model: 'm' };
  service = await startCountedService(generator);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service?.stop();
  await model?.stop();
});

/** Asks again while the answer is an outage: a busy machine may miss a fifth of the time. */
async function untilServed(get: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 1; ; asked++) {
    const answer = await get();
    if (asked === 40 || answer.status !== 503) return answer;
    aheadMs += 2_000;
  }
}

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
  service.break(undefined);
  aheadMs += 2_000;
});

const faults = ['hanging', 'down', 'failing', 'slow', 'throttled', 'losing its answers'] as const;
const alone = ['apiKeys', 'quotaCounters', 'generationIndex', 'images', 'cache'];
/** All tables by each fault; those of money alone by the faults that leave open what has happened. */
const broken = [
  ...faults.map((fault) => ['every table', fault, alone] as const),
  ...['quotaCounters', 'generationIndex'].flatMap((table) =>
    (['hanging', 'losing its answers'] as const).map((fault) => [table, fault, [table]] as const),
  ),
];

test.each(broken)(
  'while %s is %s, every request is answered in time, and none is charged without an image',
  async (name, fault, tables) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const remaining = async () => Number(header(await get('lighthouse'), 'x-ratelimit-remaining'));
    const words = `${name}-${fault}`.replaceAll(' ', '-');
    const wanted = ['lighthouse', `harbour-${words}`, 'known?provider=ai', `new-${words}?provider=ai`];
    await get('known?provider=ai');
    const before = await remaining();
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
    // A charge whose answer is lost, or comes too late, is neither sent again nor given back, and its refusal does not say "not charged".
    const isUnknown = ({ status, body }: Answer) => status !== 302 && !body.includes('not charged');
    // A table that hangs takes no write: none is lost where the counters are among them.
    const isNeverWritten = fault === 'hanging' && tables.includes('quotaCounters');
    const mayBeLost =
      !isNeverWritten && ['hanging', 'slow', 'losing its answers'].includes(fault) ? during : [];
    const unknown = [...mayBeLost, ...afterwards].filter(isUnknown).length;
    expect(before - (await remaining()) - 1).toBeLessThanOrEqual(delivered + unknown);
  },
);

test('while no table answers, every route is 503 service_unavailable with Retry-After, and nothing is charged', async () => {
  const key = service.keys.pro.live;
  const headers = { 'X-API-Key': key };
  const get = (path: string) => ask(service.url, { path, headers });
  const post = async (path: string, body: object): Promise<Answer> => {
    const response = await postJson(service.url, path, key, body);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const used = async () => JSON.parse((await get('/api/usage')).body).used;
  const imageId = header(await get('/api/image/200x200-lighthouse?provider=ai'), 'x-image-id');
  const before = await used();
  service.break('down');
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
  aheadMs += 2_000;
  expect(tool.body).toContain('Retry in a few seconds; the request was not charged.');
  expect(await used()).toBe(before);
});

test.each(['hanging', 'failing', 'talking nonsense', 'without its bucket'] as const)(
  'while the model is %s, whoever needs it is told in time, others are served, and none is charged without an image',
  async (fault) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const remaining = async () => Number(header(await get('lighthouse'), 'x-ratelimit-remaining'));
    const words = fault.replaceAll(' ', '-');
    await get('known?provider=ai');
    const before = await remaining();
    const away = `${service.folder}-away`;
    if (fault === 'without its bucket') {
      renameSync(service.folder, away);
      writeFileSync(service.folder, '');
    } else modelIs = fault;
    const beganMs = performance.now();
    const answers = await Promise.all(['lighthouse', 'known?provider=ai', `${words}?provider=ai`].map(get));
    expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs + busyMs);
    modelIs = 'well';
    for (const response of hung) response.destroy();
    if (fault === 'without its bucket') {
      rmSync(service.folder);
      renameSync(away, service.folder);
    }
    const [known, drawn, made] = answers.map(({ status }) => status);
    // An image whose file is gone is made again.
    expect([known, drawn]).toEqual([302, fault === 'without its bucket' ? 502 : 302]);
    expect([502, 503]).toContain(made);
    expect(answers[2]?.headers.has('retry-after')).toBe(true);
    expect(before - (await remaining()) - 1).toBe(answers.filter(({ status }) => status === 302).length);
    // Leases and pauses are over.
    aheadMs += 6 * 60_000;
    expect((await untilServed(() => get(`${words}?provider=ai`))).status).toBe(302);
  },
);
