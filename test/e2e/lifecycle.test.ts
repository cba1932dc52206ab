/** The local service as a process: what it answers while it starts, what outlives it, and how it ends. */

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draftsFolder } from '../../lambda/images/stores/folder-store';
import { openServer } from '../../local/http';
import { makeTestFolder } from '../fakes/fixture';
import { type Answer, ask, getHeader, loadImage } from './ask';
import { connectLocalAccounts } from './local-account';
import { type RunningService, sharedGenerator, startService } from './local-service';
import { readUntil } from './read-until';

const stock = '/api/image/320x240-mountain-lake';
const writeAiPath = (words: string) => `/api/image/320x240-${words}?provider=ai`;
const parseRemaining = (answer: Answer) => Number(getHeader(answer, 'x-ratelimit-remaining'));

const dataFolder = makeTestFolder();
let service: RunningService;
afterAll(() => service?.stop());

const start = async (generator: object, ...options: readonly string[]) => {
  service = await startService(['--data', dataFolder, ...options], { GENERATOR: JSON.stringify(generator) });
};
const makeKeyHeaders = () => ({ 'X-API-Key': service.keys.free.live });
const get = (path: string) => ask(service.url, { path, headers: makeKeyHeaders() });

/** A generation that has begun. Gives what has its caller go. */
async function begin(words: string): Promise<() => Promise<void>> {
  const abort = new AbortController();
  const lostRequest = fetch(service.url + writeAiPath(words), {
    headers: makeKeyHeaders(),
    signal: abort.signal,
  });
  lostRequest.catch(() => undefined);
  const accounts = await connectLocalAccounts(service.url);
  await accounts.awaitMaking();
  accounts.close();
  return async () => {
    abort.abort();
    await lostRequest.catch(() => undefined);
  };
}

test('a service that starts responds 503 with Retry-After of one second', async () => {
  const freeServer = await openServer(0, () => undefined);
  await freeServer.stop();
  const watcher = watch(dataFolder);
  // It makes the folder of its tables once it listens, and is not ready before they are open.
  const listens = once(watcher, 'change');
  const starting = start({ ...sharedGenerator, delayMs: 600 }, '--port', new URL(freeServer.url).port);
  await Promise.race([listens, starting]);
  watcher.close();
  const early = await fetch(freeServer.url);
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await early.json()).toMatchObject({ status: 503, detail: expect.stringContaining('starting') });
  await starting;
});

test('no other user of the machine can read the data folder', async () => {
  await loadImage(await get(stock));
  const names = ['.', ...readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })];
  expect(names.filter((name) => (statSync(join(dataFolder, name)).mode & 0o077) !== 0)).toEqual([]);
});

let image: Buffer;
test('after two SIGTERM, a generation without a caller is finished before the service ends', async () => {
  // This loads the generator, so that a slow machine too draws the next image within the grace of 5 seconds.
  const answer = await get(writeAiPath('mountain-lake'));
  expect(parseRemaining(answer)).toBe(998);
  image = (await loadImage(answer)).bytes;
  const leave = await begin('second');
  await leave();
  const ended = service.stop();
  const isRefused = () =>
    fetch(service.url).then(
      () => false,
      () => true,
    );
  await readUntil(isRefused, Boolean, { withinMs: 10_000, pauseMs: 1 });
  service.process.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(service.stderr()).not.toContain('the generator was still at work');
});

test('a restart keeps keys, counters and images but no half-written file', async () => {
  const stopped = service;
  const draft = join(dataFolder, 'images', draftsFolder, 'left');
  mkdirSync(dirname(draft), { recursive: true });
  writeFileSync(draft, '');
  await start({ ...sharedGenerator, delayMs: 20_000 });
  expect([service.keys, service.accounts]).toEqual([stopped.keys, stopped.accounts]);
  expect(existsSync(draft)).toBe(false);
  const answerAfterwards = await get(writeAiPath('mountain-lake'));
  // A stock image, two that were drawn, and this delivery.
  expect([getHeader(answerAfterwards, 'x-cache'), parseRemaining(answerAfterwards)]).toEqual(['HIT', 996]);
  expect((await loadImage(answerAfterwards)).bytes).toEqual(image);
  expect(getHeader(await get(writeAiPath('second')), 'x-cache')).toBe('HIT');
  // The answer that was kept named the address of the service before.
  expect(await loadImage(await get(stock))).toMatchObject({ width: 320, height: 240 });
});

test('after a kill during a generation, only the interrupted request may be charged', async () => {
  const remainingBefore = parseRemaining(await get(stock));
  const leave = await begin('slow-image');
  const { port } = new URL(service.url);
  await service.stop('SIGKILL');
  await leave();
  rmSync(join(dataFolder, 'images'), { recursive: true });
  await start(sharedGenerator, '--port', port);
  for (const path of [stock, writeAiPath('mountain-lake')])
    expect(await loadImage(await get(path))).toMatchObject({ width: 320, height: 240 });
  // And while it runs.
  rmSync(join(dataFolder, 'images'), { recursive: true });
  const answer = await get(writeAiPath('mountain-lake'));
  expect(await loadImage(answer)).toMatchObject({ width: 320, height: 240 });
  expect(parseRemaining(answer)).toBe(remainingBefore - 4);
  expect(await service.stop('SIGINT')).toBe(0);
});

test('a service with --memory removes its images when it ends', async () => {
  const temporary = join(dataFolder, 'temporary');
  mkdirSync(temporary);
  // Beside the folder of tokens, which stays.
  const listFolders = () => readdirSync(temporary).filter((name) => /^image-redirect-(?!\d+$)/.test(name));
  service = await startService(['--memory'], { TMPDIR: temporary });
  expect(listFolders()).toHaveLength(1);
  // As when its terminal is closed.
  expect(await service.stop('SIGHUP')).toBe(0);
  expect(listFolders()).toEqual([]);
});
