/** What AI images cost, over HTTP through the functions as wired for Lambda, by a model and a clock that the test decides. */

import sharp from 'sharp';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { type Answer, ask, header } from './ask';
import { type CountedService, startCountedService } from './counted-service';

jest.setTimeout(300_000);

const minuteMs = 60_000;
let service: CountedService;
let model: Loopback;
/** The status that the model answers with, how long it takes, and how often it was asked. */
const says = { status: 200, tookMs: 0, asked: 0 };
/** How far the clock has been moved, in milliseconds: at first to the middle of a month, so that none ends within a test. */
let aheadMs = 0;

beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  const date = new Date();
  aheadMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 15, 12, 30) - now();
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  model = await listenOnLoopback(async (request, response) => {
    await request.toArray();
    says.asked += 1;
    response.setHeader('content-type', 'application/json');
    if (says.status !== 200) return void response.writeHead(says.status).end('{"error":{"message":"out"}}');
    if (says.tookMs > 0) await new Promise((resolve) => setTimeout(resolve, says.tookMs));
    response.end(JSON.stringify({ data: [{ b64_json: image.toString('base64') }] }));
  });
  service = await startCountedService({
    kind: 'openai-compatible',
    baseUrl: `${model.address}/v1`,
    model: 'm',
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
  await model.stop();
});

const get = (path: string): Promise<Answer> =>
  ask(service.url, { path, headers: { 'X-API-Key': service.keys.pro.live } });
const draw = (words: string) => get(`/api/image/320x200-${words}?provider=ai`);
const codeOf = (answer: Answer) => (answer.status === 302 ? 'served' : String(JSON.parse(answer.body).code));
interface Used {
  readonly used: number;
  readonly generations: { readonly used: number };
}
const used = async (): Promise<Used> => JSON.parse((await get('/api/usage')).body);
/** What was used meanwhile. */
const spentBy = async (work: () => Promise<unknown>) => {
  const before = await used();
  await work();
  const after = await used();
  return [after.used - before.used, after.generations.used - before.generations.used];
};

test('200 requests at once for one new AI image ask the model once, and each that is served pays one unit', async () => {
  says.tookMs = 500;
  let served: Answer[] = [];
  const [units, generations] = await spentBy(async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => draw('crowd')));
    served = answers.filter(({ status }) => status === 302);
  });
  says.tookMs = 0;
  expect(served.length).toBeGreaterThan(0);
  expect([units, generations, says.asked]).toEqual([served.length, 1, 1]);
  expect(served.filter((answer) => header(answer, 'x-cache') === 'MISS').length).toBeLessThanOrEqual(1);
  expect(new Set(served.map((answer) => new URL(header(answer, 'location')).pathname)).size).toBe(1);
});

test('a model that is out for an hour, its page reloaded all the time, leaves the month’s AI images', async () => {
  says.status = 503;
  says.asked = 0;
  const codes = new Set<string>();
  const spent = await spentBy(async () => {
    for (let minute = 0; minute < 60; minute += 3) {
      codes.add(codeOf(await draw('storm')));
      aheadMs += 3 * minuteMs;
    }
  });
  expect([spent, [...codes]]).toEqual([[0, 0], ['upstream_unavailable']]);
  // Three attempts each time, and pauses that grow to five minutes.
  expect(says.asked).toBeLessThanOrEqual(3 * 20);
  says.status = 200;
  aheadMs += 6 * minuteMs;
  expect(codeOf(await draw('storm'))).toBe('served');
});

test('a unit and an AI image are those of the month in which they are asked for', async () => {
  const now = new Date(Date.now());
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  aheadMs += endMs - Date.now() - 20_000;
  expect(codeOf(await draw('evening'))).toBe('served');
  const before = await used();
  aheadMs += endMs - Date.now() + 1_000;
  expect(await used()).toMatchObject({ used: 0, generations: { used: 0 } });
  expect(codeOf(await draw('evening'))).toBe('served');
  expect(codeOf(await draw('morning'))).toBe('served');
  expect(await used()).toMatchObject({ used: 2, generations: { used: 1 } });
  expect(before.used).toBeGreaterThan(2);
});
