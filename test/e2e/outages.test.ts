/** The answers over HTTP while tables, the model or the image store fail. The functions are wired as for Lambda. */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dynamoDbTimes, requestBudgetMs } from '../../lambda/contract/timeouts';
import { startFixture } from '../fakes/fixture';
import { makePng } from '../fakes/images';
import { listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, getHeader, postJson } from './ask';
import { startCountedService } from './counted-service';

// Each wait takes a fifth of its time in a deployment, because the test waits for a table that hangs.
jest.mock('../../lambda/contract/timeouts', () => {
  process.env['PATIENCE'] = '0.2';
  return jest.requireActual('../../lambda/contract/timeouts');
});

/** Time that a busy machine may add to a request, in milliseconds. */
const busyMs = 10_000;

/** The tests need more time on a busy machine. No promise depends on it. */
jest.setTimeout(300_000);

/** The responses that a hanging model has not ended. */
const unendedResponses: ServerResponse[] = [];
/** The behaviour of the model. A `hanging` model never answers. */
let modelBehaviour: 'well' | 'hanging' | 'failing' | 'talking nonsense' = 'well';
const hourMs = 3_600_000;
/** Milliseconds that the clock is ahead. It begins at half past an hour, so that no hour ends during a test. */
let aheadMs = (1.5 * hourMs - (Date.now() % hourMs)) % hourMs;
const model = startFixture(async () => {
  const b64_json = (await makePng(64, 64)).toString('base64');
  return listenOnLoopback((_, response) => {
    if (modelBehaviour === 'hanging') return void unendedResponses.push(response);
    if (modelBehaviour === 'failing') response.writeHead(500);
    else response.setHeader('content-type', 'application/json');
    response.end(modelBehaviour === 'well' ? JSON.stringify({ data: [{ b64_json }] }) : '{}');
  });
});
const service = startFixture(() => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  return startCountedService({ kind: 'openai-compatible', baseUrl: `${model.address}/v1`, model: 'm' });
});
afterAll(() => jest.restoreAllMocks());

// A test that fails must not make the next one fail.
afterEach(() => {
  mend();
  endSilence();
});

/** Moves the clock on, so that a table which has just not answered is asked again. */
function endSilence(): void {
  aheadMs += dynamoDbTimes.silenceMs;
}

/** Asks again while the answer is an outage, because a busy machine may need more than a fifth of the time. */
async function askUntilServed(get: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await get();
    // A charge without time is refused with 429, like a charge that its table throttles.
    if (attempt === 40 || ![429, 503].includes(answer.status)) return answer;
    endSilence();
  }
}

/** Returns true for a refusal that may be charged: it does not say "not charged". */
const isUnknown = ({ status, body }: Answer) => status !== 302 && !body.includes('not charged');

const makeBatch = (query: string) => ({ images: [{ slot: 'a', query, width: 200, height: 200 }] });
/** Every kind of request. @param words not used by another request */
const makeRequests = (
  words: string,
  imageId: string,
): Readonly<Record<string, readonly [string, object?]>> => ({
  'known stock': ['/api/image/200x200-lighthouse'],
  'new stock': [`/api/image/200x200-${words}`],
  'known AI': ['/api/image/200x200-lighthouse?provider=ai'],
  'new AI': [`/api/image/200x200-${words}?provider=ai`],
  permalink: [`/api/image/id/${imageId}`],
  batch: ['/api/images', makeBatch(`batch ${words}`)],
  page: ['/api/pages', { html: `<img data-image-query="page ${words}" width="200" height="200">` }],
  order: ['/v1/images/generations', { prompt: `order ${words}`, model: 'stock', size: '200x200' }],
  tool: ['/mcp', makeToolCall(words)],
  usage: ['/api/usage'],
});
const makeToolCall = (words: string) => {
  const call = { name: 'find_images', arguments: makeBatch(`tool ${words}`) };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
};

const searchingRequests = ['new stock', 'batch', 'page', 'order', 'tool'];
const aiRequests = ['known AI', 'new AI', 'permalink'];
const imageRequests = [...searchingRequests, ...aiRequests, 'known stock'];
const tableCode = 'service_unavailable';
const upstreamCode = 'upstream_unavailable';
const breakTables =
  (...tables: string[]) =>
  () =>
    service.break('down', tables);
const breakCalls = (call: string) => () => service.breakAws(call);
const breakModel = (behaviour: typeof modelBehaviour) => () => {
  modelBehaviour = behaviour;
};
const breakImageStore = () => {
  renameSync(service.folder, `${service.folder}-away`);
  writeFileSync(service.folder, '');
};
/** Ends every fault. */
function mend(): void {
  service.break(undefined);
  service.breakAws(undefined);
  modelBehaviour = 'well';
  for (const response of unendedResponses.splice(0)) response.destroy();
  if (!existsSync(`${service.folder}-away`)) return;
  rmSync(service.folder);
  renameSync(`${service.folder}-away`, service.folder);
}

const refuse = (code: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, code]));

/** Each dependency, and the codes of the requests that need it; the others are served. */
test.each<[dependency: string, fail: () => void, refused: Readonly<Record<string, string>>]>([
  ['every table', () => service.break('down'), refuse(tableCode, ...imageRequests, 'usage')],
  ['the table of keys', breakTables('apiKeys'), refuse(tableCode, ...imageRequests, 'usage')],
  ['the table of counters', breakTables('quotaCounters'), refuse(tableCode, 'new AI', 'usage')],
  ['the table of AI images', breakTables('generationIndex'), refuse(tableCode, ...aiRequests)],
  ['the table of images', breakTables('images'), refuse(tableCode, ...searchingRequests)],
  ['the cache', breakTables('cache'), refuse(tableCode, ...aiRequests)],
  [
    'Secrets Manager',
    breakCalls('GetSecretValue'),
    refuse(tableCode, ...aiRequests, 'batch', 'page', 'order', 'tool'),
  ],
  ['the renderer', breakCalls('functions/renderer'), refuse(upstreamCode, 'new AI', ...searchingRequests)],
  ['the generator', breakCalls('functions/generator'), refuse(tableCode, 'new AI')],
  ['the failing model', breakModel('failing'), refuse(upstreamCode, 'new AI')],
  ['the model of nonsense', breakModel('talking nonsense'), refuse(upstreamCode, 'new AI')],
  ['the hanging model', breakModel('hanging'), refuse('generation_in_progress', 'new AI')],
  // An AI image without its file is `not_found`.
  [
    'the image store',
    breakImageStore,
    { ...refuse(upstreamCode, 'known AI', 'new AI', ...searchingRequests), permalink: 'not_found' },
  ],
])(
  'while %s is down, the requests that need it are refused without a charge',
  async (dependency, fail, refused) => {
    const key = service.keys.free.live;
    const headers = { 'X-API-Key': key };
    const get = (path: string) => ask(service.url, { path, headers });
    const aiImage = await askUntilServed(() => get('/api/image/200x200-lighthouse?provider=ai'));
    await askUntilServed(() => get('/api/image/200x200-lighthouse'));
    const requests = makeRequests(dependency.replaceAll(' ', '-'), getHeader(aiImage, 'x-image-id'));
    const takenBefore = await service.readTaken(key);
    fail();
    await service.startCold();
    const codes: [name: string, code: string | undefined][] = [];
    for (const [name, [path, body]] of Object.entries(requests)) {
      const answer = body
        ? await postJson(service.url, path, key, body)
        : await fetch(service.url + path, { headers, redirect: 'manual' });
      const text = await answer.text();
      const statedCode = /"code":"(\w+)"/.exec(text)?.[1];
      // The answers of a page and of an MCP tool have no code.
      codes.push([name, statedCode ?? (/"pick":null|not charged/.test(text) ? refused[name] : undefined)]);
      if (answer.status > 404) expect([name, answer.headers.has('retry-after')]).toEqual([name, true]);
    }
    mend();
    expect(codes).toEqual(Object.keys(requests).map((name) => [name, refused[name]]));
    const served = imageRequests.filter((name) => refused[name] === undefined);
    // When the counters hang up, the outcome of a charge is unknown. The request is served then.
    const units = dependency === 'the table of counters' ? 0 : served.length;
    expect((await service.readTaken(key)) - takenBefore).toBe(units);
    // By then, leases and pauses are over.
    aheadMs += 6 * 60_000;
    expect((await askUntilServed(() => get(requests['new AI']?.[0] ?? ''))).status).toBe(302);
  },
);

// The test above has each table down.
const faults = ['hanging', 'failing', 'throttled', 'losing its answers'] as const;
const imageTables = ['apiKeys', 'quotaCounters', 'generationIndex', 'images', 'cache'];
const outages = [
  ...([...faults, 'slow'] as const).map((fault) => ['every table', fault, imageTables] as const),
  ...imageTables.flatMap((table) => faults.map((fault) => [table, fault, [table]] as const)),
];

test.each(outages)('while %s is %s, no request is charged without an image', async (name, fault, tables) => {
  const headers = { 'X-API-Key': service.keys.business.live };
  const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
  const words = `${name}-${fault}`.replaceAll(' ', '-');
  const paths = ['lighthouse', `harbour-${words}`, 'known?provider=ai', `new-${words}?provider=ai`];
  for (const path of ['lighthouse', 'known?provider=ai']) await askUntilServed(() => get(path));
  const takenBefore = await service.readTaken(service.keys.business.live);
  service.break(fault, tables);
  await service.startCold();
  const beganMs = performance.now();
  const during = await Promise.all(paths.map(get));
  expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs + busyMs);
  service.break(undefined);
  for (const { status, headers } of during)
    expect([302, 429, 503]).toContain(headers.has('retry-after') || status === 302 ? status : 'no pause');
  endSilence();
  // The next requests get each image, so an image that was paid during the fault is not lost.
  const afterwards: Answer[] = [];
  const getAfterwards = async (path: string) => {
    const answer = await get(path);
    afterwards.push(answer);
    return answer;
  };
  const after = await Promise.all(paths.map((path) => askUntilServed(() => getAfterwards(path))));
  expect(after.map(({ status }) => status)).toEqual(paths.map(() => 302));
  const deliveredCount = [...during, ...afterwards].filter(({ status }) => status === 302).length;
  // With every fault the refusal may leave open whether it was charged: on a busy machine, the time for its
  // charge or refund can end before the counters answer. Counters that hang have taken no charge.
  const isNeverCharged = fault === 'hanging' && tables.includes('quotaCounters');
  const unknownCount = [...(isNeverCharged ? [] : during), ...afterwards].filter(isUnknown).length;
  const spent = (await service.readTaken(service.keys.business.live)) - takenBefore;
  expect(spent).toBeLessThanOrEqual(deliveredCount + unknownCount);
});
