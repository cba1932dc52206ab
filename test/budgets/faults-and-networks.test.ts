/** What callers of another network and callers beside failing tables meet, over HTTP through the functions as wired for Lambda. */

import { requestBudgetMs } from '../../lambda/contract/timeouts';
import { ask, header } from '../e2e/ask';
import { type CountedService, clientIpHeader, startCountedService } from './counted-service';

let service: CountedService;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  service = await startCountedService();
}, 60_000);
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
});

test('without a key, one IPv6 /48 network has 100 new searches an hour, however many addresses it has', async () => {
  const search = async (client: string, words: string) => {
    const path = `/api/image/200x200-${words}`;
    const { status, body } = await ask(service.url, { path, headers: { [clientIpHeader]: client } });
    return { status, body };
  };
  const answers = [];
  for (let i = 0; i < 110; i++)
    answers.push(await search(`2001:db8:1:${Math.floor(i / 10)}::${i + 1}`, `network-${i}`));
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(100);
  const refused = answers.slice(100);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  expect(JSON.parse(refused[0]?.body ?? '').detail).toContain('100 searches for new images of this network');
  expect((await search('2001:db8:2::1', 'another-network')).status).toBe(302);
}, 60_000);

test.each([
  ['the cache', ['cache']],
  ['the stock memory', ['stockMemory']],
  ['both', ['cache', 'stockMemory']],
])(
  'while %s fails, a request for a stock image is served or refused as an outage, never a fault of the service',
  async (_, tables) => {
    const headers = { 'X-API-Key': service.keys.pro.live };
    const known = '/api/image/200x200-lighthouse';
    expect((await ask(service.url, { path: known, headers })).status).toBe(302);
    await service.coldStart();
    service.break('failing', tables);
    for (const path of [known, `/api/image/300x200-new-${tables.join('-')}`]) {
      const { status, body } = await ask(service.url, { path, headers });
      if (status !== 302) expect([status, JSON.parse(body).code]).toEqual([502, 'upstream_unavailable']);
    }
    service.break(undefined);
  },
  60_000,
);

test.each(['failing', 'down', 'slow', 'throttled'] as const)(
  'while the database is %s, every request is answered in time, and none is charged without an image',
  async (fault) => {
    const headers = { 'X-API-Key': service.keys.business.live };
    const get = (path: string) => ask(service.url, { path: `/api/image/200x200-${path}`, headers });
    const remaining = async () => Number(header(await get('lighthouse'), 'x-ratelimit-remaining'));
    const wanted = [
      'lighthouse',
      `harbour-${fault}`,
      'known?provider=ai',
      `new-${fault}?provider=ai`,
      `lake-${fault}?provider=ai`,
    ];
    await get('known?provider=ai');
    const before = await remaining();
    service.break(fault);
    const beganMs = performance.now();
    const during = await Promise.all(wanted.map(get));
    expect(performance.now() - beganMs).toBeLessThan(requestBudgetMs);
    service.break(undefined);
    // An AI image that was paid for is delivered to whoever asks for it next.
    const after = await Promise.all(wanted.map(get));
    expect(after.map(({ status }) => status)).toEqual(wanted.map(() => 302));
    const delivered = [...during, ...after].filter(({ status }) => status === 302).length;
    expect(before - (await remaining()) - 1).toBeLessThanOrEqual(delivered);
  },
  90_000,
);
