/** The local service as a process: its output, exit codes, persistent data and start errors. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { draftsFolder } from '../../lambda/images/s3/filesystem-library';
import { startFakeProviders } from '../../local/fake-providers/start';
import { listen } from '../../local/http';
import { expectRefusal, runTool } from '../cli/run-tool';
import { createDeferred } from '../fakes/deferred';
import { type Answer, ask, header, imageBehind } from './ask';
import { localAccounts } from './local-account';
import { type RunningService, runLocal, sharedGenerator, startService } from './local-service';
import { operatorAt } from './operator';

/** What a machine needs that does something else as well: no promise depends on it. */
jest.setTimeout(300_000);

/** Exit code and stderr of a process that ends by itself. */
async function endOf(
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const child = await runLocal(args, environment);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: stderr.trim().split('\n') };
}

describe('a folder that three services use one after the other', () => {
  const path = (words: string) => `/api/image/320x240-${words}?provider=ai`;
  const stock = { path: '/api/image/320x240-mountain-lake' };
  let data: string;
  let service: RunningService;
  let stopped: RunningService;
  let image: Buffer;
  const remaining = (answer: Answer) => Number(header(answer, 'x-ratelimit-remaining'));
  const draw = (words: string, signal?: AbortSignal) =>
    fetch(service.url + path(words), { headers: keyed(), redirect: 'manual', ...(signal && { signal }) });
  const keyed = () => ({ 'X-API-Key': service.keys.free.live });
  const get = (words: string) => ask(service.url, { path: path(words), headers: keyed() });
  /** A generation that has begun, whose caller goes. */
  const abandon = async (words: string) => {
    const gone = new AbortController();
    const lost = draw(words, gone.signal).catch(() => undefined);
    const accounts = await localAccounts(service.url);
    await accounts.untilMaking();
    accounts.close();
    return async () => {
      gone.abort();
      await lost;
    };
  };
  const start = async (generator: object, environment = {}) => {
    stopped = service;
    service = await startService(['--data', data], { GENERATOR: JSON.stringify(generator), ...environment });
  };
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('SIGTERM lets a generation end whose caller has gone, and ends the service with code 0', async () => {
    await start({ ...sharedGenerator, delayMs: 300 });
    // The generator is loaded by then, so that a slow machine too draws the next image within the grace of 5 seconds.
    const answer = await get('mountain-lake');
    expect(remaining(answer)).toBe(999);
    image = (await imageBehind(answer)).bytes;
    await ask(service.url, stock);
    const leave = await abandon('second');
    await leave();
    expect(await service.stop()).toBe(0);
    expect(service.stderr()).not.toContain('the generator was still at work');
  });

  test('keys, counters and images outlive a restart, cached addresses do not', async () => {
    // What a process was writing when it was killed.
    const leftDraft = join(data, 'images', draftsFolder, 'left');
    mkdirSync(dirname(leftDraft), { recursive: true });
    writeFileSync(leftDraft, '');
    await start({ ...sharedGenerator, delayMs: 20_000 });
    expect([service.keys, service.accounts]).toEqual([stopped.keys, stopped.accounts]);
    expect(existsSync(leftDraft)).toBe(false);
    const after = await get('mountain-lake');
    // Two generations, and this delivery.
    expect([header(after, 'x-cache'), remaining(after)]).toEqual(['HIT', 997]);
    expect((await imageBehind(after)).bytes).toEqual(image);
    expect(header(await get('second'), 'x-cache')).toBe('HIT');
    // The cached answer names the address of the first service, at which nothing answers any more.
    expect(await imageBehind(await ask(service.url, stock))).toMatchObject({ width: 320, height: 240 });
  });

  test('a kill in mid-generation costs what was under way at most; SIGINT ends the service with code 0', async () => {
    const before = remaining(await get('mountain-lake'));
    const leave = await abandon('slow-image');
    await service.stop('SIGKILL');
    await leave();
    // The wait for an image that nobody makes takes its time.
    await start(sharedGenerator, { PATIENCE: '1' });
    // The unit of the request that died with its process; the image is begun anew when the lease of its run is over.
    const answer = await get('slow-image');
    expect([answer.status, remaining(answer)]).toEqual([503, before - 1]);
    expect(await imageBehind(await get('mountain-lake'))).toMatchObject({ bytes: image });
    expect(await service.stop('SIGINT')).toBe(0);
  });
});

test('a provider that is reached elsewhere than before is searched anew, and what was removed stays so', async () => {
  const data = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  const picks: string[] = [];
  for (const isFirst of [true, false]) {
    const fake = await startFakeProviders(['unsplash']);
    const environment = { PROVIDER_ENDPOINTS: JSON.stringify(fake.endpoints), UNSPLASH_KEY: 'k' };
    const service = await startService(['--data', data, '--bind', 'stock_a=unsplash'], environment);
    const answer = await ask(service.url, { path: '/api/image/320x240-lake' });
    expect(header(answer, 'location')).toContain(fake.endpoints['unsplash']);
    const { body } = await ask(service.url, { path: '/api/image/320x240-lake?format=json' });
    const { pick } = JSON.parse(body);
    picks.push(pick);
    if (isFirst) await operatorAt(service.url).run('images', 'remove', pick, '--reason', 'a test', '--yes');
    await service.stop();
    await fake.stop();
  }
  // The fakes have the same images.
  expect(new Set(picks).size).toBe(2);
  rmSync(data, { recursive: true, force: true });
});

test('SIGTERM lets work end that was handed over, though its request has been answered', async () => {
  const fake = await startFakeProviders(['unsplash']);
  const fakeUrl = fake.endpoints['unsplash'] as string;
  const reported = createDeferred<ServerResponse>();
  const provider = await listen(0, async ({ url = '', headers }, response) => {
    if (url.includes('/download')) return reported.resolve(response);
    const answer = await fetch(fakeUrl + url, { headers: { authorization: String(headers.authorization) } });
    response.end((await answer.text()).replaceAll(fakeUrl, provider.url));
  });
  const temporary = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  const service = await startService(['--memory', '--bind', 'stock_a=unsplash'], {
    PROVIDER_ENDPOINTS: JSON.stringify({ unsplash: provider.url }),
    UNSPLASH_KEY: 'k',
    TMPDIR: temporary,
  });
  // Beside the folder of tokens, which stays.
  const imageFolders = () =>
    readdirSync(temporary).filter(
      (name) => name.startsWith('image-redirect-') && name !== `image-redirect-${userInfo().uid}`,
    );
  expect(imageFolders()).toHaveLength(1);
  expect((await ask(service.url, { path: '/api/image/320x240-lake' })).status).toBe(302);
  const report = await reported.promise;
  const stopped = service.stop();
  // Long after it takes no request any more.
  for (let refusals = 0; refusals < 50; )
    await fetch(service.url).then(
      (answer) => answer.text(),
      () => refusals++,
    );
  // A second signal cuts nothing short.
  service.process.kill('SIGTERM');
  for (let turns = 0; turns < 50; turns++) await fetch(service.url).catch(() => undefined);
  expect(service.process.exitCode).toBeNull();
  report.end('{}');
  expect(await stopped).toBe(0);
  expect(service.stderr()).not.toContain('still at work');
  expect(imageFolders()).toEqual([]);
  rmSync(temporary, { recursive: true, force: true });
  await provider.stop();
  await fake.stop();
});

describe('of one service', () => {
  let data: string;
  let service: RunningService;
  /** What was answered while it started. */
  const early: Response[] = [];
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'lifecycle-'));
    const free = await listen(0, () => undefined);
    await free.stop();
    const starting = startService(['--data', data, '--port', new URL(free.url).port]);
    let isReady = false;
    void starting.finally(() => {
      isReady = true;
    });
    while (!isReady) {
      const answer = await fetch(free.url).catch(() => undefined);
      if (answer?.status === 503) early.push(answer);
      await answer?.clone().text();
    }
    service = await starting;
  });
  afterAll(async () => {
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('whoever comes before it is ready is told to come back in a second', async () => {
    expect(early.length).toBeGreaterThan(0);
    expect(early[0]?.headers.get('retry-after')).toBe('1');
    const problem = { status: 503, detail: expect.stringContaining('starting') };
    expect(await early[0]?.json()).toMatchObject(problem);
  });

  test('nobody else may read its folder, nor what commands write there', async () => {
    const photos = mkdtempSync(join(tmpdir(), 'photos-'));
    const plain = sharp({ create: { width: 120, height: 100, channels: 3, background: 'teal' } });
    await plain.png().toFile(join(photos, 'lake.png'));
    writeFileSync(join(photos, 'library.csv'), 'file,title,license\nlake.png,Lake,CC0\n');
    const added = await operatorAt(service.url).run('library', 'add', photos);
    rmSync(photos, { recursive: true });
    expect(added.json()).toMatchObject({ added: 1 });
    const names = ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })];
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(1);
    expect(names.filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('AI images that are deleted while it runs are made anew', async () => {
    const headers = { 'X-API-Key': service.keys.pro.live };
    const wanted = ['private', 'public'].map((visibility) => ({
      path: `/api/image/320x240-mountain-lake?provider=ai&visibility=${visibility}`,
      headers,
    }));
    for (const each of wanted) await imageBehind(await ask(service.url, each));
    rmSync(join(data, 'images'), { recursive: true });
    for (const each of wanted) {
      const { width, height } = await imageBehind(await ask(service.url, each));
      expect([width, height]).toEqual([320, 240]);
    }
  });

  test('images that are deleted while it is stopped are found anew', async () => {
    const path = '/api/image/320x240-old-harbour';
    await imageBehind(await ask(service.url, { path }));
    const { port } = new URL(service.url);
    expect(await service.stop()).toBe(0);
    rmSync(join(data, 'images'), { recursive: true });
    service = await startService(['--data', data, '--port', port]);
    expect(await imageBehind(await ask(service.url, { path }))).toMatchObject({ width: 320, height: 240 });
  });

  test('its port and its folder are taken: one clear line each, with code 1', async () => {
    const { port } = new URL(service.url);
    const taken = await endOf(['--port', port, '--memory']);
    expect(taken).toEqual({ code: 1, lines: [expect.stringContaining(`Port ${port} is in use`)] });
    const locked = await endOf(['--port', '0', '--data', data]);
    expect(locked).toEqual({ code: 1, lines: [expect.stringContaining('in use by another process')] });
  });

  test('a damaged table is one clear line, with code 1', async () => {
    // As when its terminal is closed.
    expect(await service.stop('SIGHUP')).toBe(0);
    const [manifest = ''] = readdirSync(join(data, 'tables')).filter((name) => name.startsWith('MANIFEST'));
    writeFileSync(join(data, 'tables', manifest), 'damaged');
    const end = await endOf(['--port', '0', '--data', data]);
    expect(end).toEqual({ code: 1, lines: [expect.stringMatching(/are damaged.*delete it/)] });
  });
});

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix('tables that cannot grow any more end it with one clear line and code 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  // Beyond this size each write fails, in place of a full disk.
  const limited = `trap '' XFSZ; ulimit -f 128; exec "$0" --no-warnings --import tsx bin/image-redirect.ts start --port 0 --json --data "$1"`;
  const child = spawn('sh', ['-c', limited, process.execPath, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'close');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, keys } = JSON.parse(line) as RunningService;
  const headers = { 'X-API-Key': keys.enterprise.live };
  for (let i = 0; child.exitCode === null && i < 2_000; i++)
    await fetch(`${url}/api/image/200x200-lake-${i}`, { headers, redirect: 'manual' }).catch(() => undefined);
  // One that went on would never end.
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000);
  expect(await ended).toEqual([1, null]);
  clearTimeout(giveUp);
  rmSync(folder, { recursive: true, force: true });
  expect(stderr).toMatch(/^The tables in \S+ cannot be used: .*File too large/m);
});

test('a variable that cannot be read is named, with code 1', async () => {
  const end = await endOf(['--port', '0', '--memory'], { PROVIDER_ENDPOINTS: 'nonsense' });
  const lines = ['The function is misconfigured:', '  PROVIDER_ENDPOINTS must be JSON'];
  expect(end).toEqual({ code: 1, lines });
});

test('a file as its folder is one clear line, with code 1', async () => {
  const end = await endOf(['--port', '0', '--data', __filename]);
  expect(end).toEqual({ code: 1, lines: [expect.stringContaining('is not a folder')] });
});

test.each([
  ['an unknown flag', ['--frobnicate'], '--frobnicate'],
  ['a slot that there is not', ['--bind', 'stock_z=sandbox'], 'stock_z'],
  ['a folder without a name', ['--data', ''], '--data'],
  [
    'a provider that is not possible there',
    ['--image-delivery', 'own', '--bind', 'stock_a=unsplash'],
    'Unsplash',
  ],
])('%s is one clear line, with code 2', async (_, args, said) =>
  expectRefusal(await runTool(['start', ...args], { cwd: tmpdir() }), 2, said),
);
