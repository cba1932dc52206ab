/** Functions that were frozen meet a table that has closed their connections meanwhile: nothing fails, and nothing is free. */

import { ask } from '../e2e/ask';
import { type CountedService, startCountedService } from './counted-service';

let service: CountedService;
/** How long the functions have been frozen by now, in milliseconds. */
let frozenMs = 0;

beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + frozenMs);
  service = await startCountedService();
}, 60_000);
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
});

test('each image that is delivered after a freeze is charged, and no request fails', async () => {
  const headers = { 'X-API-Key': service.keys.pro.live };
  const paths = ['/api/image/200x200-lake', '/api/image/200x200-sea', '/api/image/256x256-gate?provider=ai'];
  let delivered = 0;
  const deliver = async (count: number) => {
    const wanted = paths.slice(0, count);
    const answers = await Promise.all(wanted.map((path) => ask(service.url, { path, headers })));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 302));
    delivered += count;
  };
  // Some connections rest while others are used, through freezes that are short by themselves.
  for (const [pauseMs, count] of [
    [0, 3],
    [60_000, 3],
    [4_000, 1],
    [4_000, 1],
    [4_000, 3],
    [6_000, 3],
  ] as const) {
    frozenMs += pauseMs;
    await deliver(count);
  }
  frozenMs += 60_000;
  const { status, body } = await ask(service.url, { path: '/api/usage', headers });
  expect([status, JSON.parse(body).used]).toEqual([200, delivered]);
}, 60_000);
