/** The local service as a process while what it depends on is down, hangs or answers nonsense, and after kills under load. */

import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { generationLeaseMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import { draftsFolder } from '../../lambda/images/s3/filesystem-library';
import { type Listening, listen } from '../../local/http';
import { ask, imageBehind } from './ask';
import { type OwnFakeProviders, startOwnFakeProviders } from './fake-providers';
import { type LocalAccounts, localAccounts } from './local-account';
import { type RunningService, sharedGenerator, startService } from './local-service';
import { readUntil } from './read-until';

/** Beyond which a request is late: its budget, and what a busy machine adds. */
const lateMs = requestBudgetMs + 2_000;

describe('what the service depends on', () => {
  let server: Listening;
  let service: RunningService;
  let accounts: LocalAccounts;
  let providers: OwnFakeProviders;
  let data: string;
  let drawn: string;
  let broken: readonly [what: string, how: string] | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, what = '', ...path] = (request.url ?? '').split('/');
    const how = broken?.[0] === what ? broken[1] : 'well';
    if (how === 'down') return void request.socket.destroy();
    // Whoever waits for it gives up.
    if (how === 'hanging') return;
    if (how === 'failing') return void response.writeHead(500).end();
    if (how === 'talking nonsense') return void response.end('{}');
    if (what === 'generator') return void response.end(JSON.stringify({ data: [{ b64_json: drawn }] }));
    const { pexels } = JSON.parse(providers.endpoints);
    const forwarded = await fetch(`${pexels}/${path.join('/')}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    response.writeHead(forwarded.status).end(await forwarded.text());
  };

  beforeAll(async () => {
    const canvas = { width: 320, height: 240, channels: 3, background: '#6a7b8c' } as const;
    drawn = (await sharp({ create: canvas }).png().toBuffer()).toString('base64');
    data = mkdtempSync(join(tmpdir(), 'chaos-'));
    providers = await startOwnFakeProviders(['pexels']);
    server = await listen(0, answer);
    service = await startService(['--data', data, '--bind', 'stock_a=pexels'], {
      PATIENCE: '1',
      PEXELS_API_KEY: 'key',
      PROVIDER_ENDPOINTS: JSON.stringify({ pexels: `${server.url}/provider` }),
      GENERATOR: JSON.stringify({
        kind: 'openai-compatible',
        baseUrl: `${server.url}/generator`,
        model: 'm',
      }),
    });
    accounts = await localAccounts(service.url);
  });
  afterAll(async () => {
    accounts?.close();
    await service?.stop();
    await server.stop();
    await providers.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test.each([
    ['provider', 'hanging'],
    ['provider', 'down'],
    ['provider', 'failing'],
    ['provider', 'talking nonsense'],
    ['generator', 'down'],
    ['generator', 'hanging'],
    ['generator', 'failing'],
    ['generator', 'talking nonsense'],
    ['store', 'down'],
  ])(
    'while the %s is %s, every request is answered in time, and none is charged without an image',
    async (what, how) => {
      const account = await accounts.open('business', 0);
      const words = `${what} ${how}`.replaceAll(' ', '-');
      const get = (path: string) =>
        ask(service.url, { path: `/api/image/200x200-${path}`, headers: { 'X-API-Key': account.key } });
      const images = join(data, 'images');
      const away = `${images}-away`;
      broken = [what, how];
      if (what === 'store' && existsSync(images)) {
        renameSync(images, away);
        writeFileSync(images, '');
      }
      const beganMs = performance.now();
      const wanted = ['mountain', `lake-${words}`, `sea-${words}?provider=stock_b`, `${words}?provider=ai`];
      const answers = await Promise.all(wanted.map(get));
      expect(performance.now() - beganMs).toBeLessThan(lateMs);
      broken = undefined;
      if (what === 'store') {
        rmSync(images);
        renameSync(away, images);
      }
      const statuses = answers.map(({ status }) => status);
      const served = statuses.filter((status) => status === 302).length;
      expect(statuses.filter((status) => ![302, 404, 502, 503].includes(status))).toEqual([]);
      expect(answers.filter(({ status, headers }) => status >= 500 && !headers.has('retry-after'))).toEqual(
        [],
      );
      // Whoever depends on something else is served.
      if (what !== 'store') expect(served).toBeGreaterThanOrEqual(1);
      // What is still being made on a slow machine is paid for, and delivered to whoever asks next.
      const inProgress = answers.filter(({ body }) => body.includes('generation_in_progress')).length;
      const taken = await account.taken();
      expect(taken).toBeGreaterThanOrEqual(served);
      expect(taken).toBeLessThanOrEqual(served + inProgress);
    },
  );
});

/** Starts a process whose clock is ahead, for leases of a killed one to be over. @param ms milliseconds */
const clockAhead = (ms: number) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms};`)}`,
});

/** Kills in a row. */
const kills = 2;

test('after kills under load an AI image has cost one unit, a stock image no more than its requests, and no draft is left', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kills-'));
  const generator = { PATIENCE: '1', GENERATOR: JSON.stringify({ ...sharedGenerator, delayMs: 200 }) };
  const start = (environment = {}) => startService(['--data', data], { ...generator, ...environment });
  let service = await start();
  const headers = { 'X-API-Key': service.keys.business.live };
  const load = (round: number) =>
    Array.from({ length: 12 }, (_, number) => {
      const path = `/api/image/200x200-load-${round}-${number}${number % 2 === 0 ? '?provider=ai' : ''}`;
      return ask(service.url, { path, headers }).then(
        ({ status }) => ({ path, isServed: status === 302 }),
        () => ({ path, isServed: false }),
      );
    });
  const all: { readonly path: string; readonly isServed: boolean }[] = [];
  for (let round = 0; round < kills; round++) {
    const loaded = load(round);
    await setTimeout(200 + 300 * round);
    await service.stop('SIGKILL');
    all.push(...(await Promise.all(loaded)));
    service = await start(round === kills - 1 ? clockAhead(generationLeaseMs) : {});
  }
  const remaining = async () => {
    const { headers: of } = await ask(service.url, { path: '/api/image/200x200-known', headers });
    return Number(of.get('x-ratelimit-remaining'));
  };
  // What was cut off is requested again: an image that was made and paid for is delivered, any other is made now.
  for (const { path } of all.filter(({ isServed }) => !isServed)) {
    const get = () => ask(service.url, { path, headers });
    await imageBehind(
      await readUntil(get, ({ status }) => status === 302, { withinMs: 30_000, pauseMs: 500 }),
    );
  }
  const spent = 500_000 - (await remaining()) - 1;
  // A stock image may be charged by a request that was cut off, and by the next one.
  const cutOff = all.filter(({ isServed, path }) => !isServed && !path.includes('provider=ai')).length;
  expect(spent).toBeGreaterThanOrEqual(all.length - cutOff);
  expect(spent).toBeLessThanOrEqual(all.length + cutOff);
  expect(await service.stop()).toBe(0);
  const left = readdirSync(data, { recursive: true }).map(String);
  expect(left.filter((name) => name.endsWith('.tmp') || name.includes(`${draftsFolder}/`))).toEqual([]);
  rmSync(data, { recursive: true, force: true });
});
