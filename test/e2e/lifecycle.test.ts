/** The local service as a process: its output, exit codes, persistent data and start errors. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from '../../local/http';
import { ask, header, imageBehind } from './ask';
import { localAccounts } from './local-account';
import { type RunningService, runLocal, startService } from './local-service';
import { sharedEnvironment } from './shared-service';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifecycle-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Exit code and stderr of a process that ends by itself. */
async function endOf(
  args: readonly string[],
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const child = await runLocal(args);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: stderr.trim().split('\n') };
}

test('keys, counters and images outlive a restart, cached addresses do not, and SIGTERM ends it with code 0', async () => {
  const options = ['--data', folder];
  const first = await startService(options, sharedEnvironment);
  const headers = { 'X-API-Key': first.keys.free.live };
  const wanted = { path: '/api/image/320x240-mountain-lake?provider=ai', headers };
  const stock = { path: '/api/image/320x240-mountain-lake' };
  const before = await ask(first.url, wanted);
  expect(header(before, 'x-ratelimit-remaining')).toBe('999');
  const image = await imageBehind(before);
  await ask(first.url, stock);
  expect(await first.stop()).toBe(0);

  const second = await startService(options);
  try {
    expect([second.keys, second.accounts]).toEqual([first.keys, first.accounts]);
    const after = await ask(second.url, wanted);
    expect(header(after, 'x-cache')).toBe('HIT');
    expect(header(after, 'x-ratelimit-remaining')).toBe('998');
    expect((await imageBehind(after)).bytes).toEqual(image.bytes);
    // The cached answer names the address of the first service, at which nothing answers any more.
    expect(await imageBehind(await ask(second.url, stock))).toMatchObject({ width: 320, height: 240 });
  } finally {
    expect(await second.stop('SIGINT')).toBe(0);
  }
}, 60_000);

describe('of one service', () => {
  let data: string;
  let service: RunningService;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'lifecycle-'));
    service = await startService(['--data', data], sharedEnvironment);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  });

  test('nobody else may read its folder', () => {
    const modes = ['demo-keys.json', 'images', 'tables'].map(
      (name) => statSync(join(data, name)).mode & 0o077,
    );
    expect(modes).toEqual([0, 0, 0]);
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
  }, 60_000);

  test('its port and its folder are taken: one clear line each, with code 1', async () => {
    const { port } = new URL(service.url);
    const taken = await endOf(['--port', port, '--memory']);
    expect(taken).toEqual({ code: 1, lines: [expect.stringContaining(`Port ${port} is in use`)] });
    const locked = await endOf(['--port', '0', '--data', data]);
    expect(locked).toEqual({ code: 1, lines: [expect.stringContaining('in use by another process')] });
  }, 60_000);

  test('no key appears on stderr', async () => {
    const { live, test: testKey } = service.keys.pro;
    await ask(service.url, { path: '/api/image/200x200-sea', headers: { 'X-API-Key': live } });
    await ask(service.url, { path: `/api/image/200x200-sea?api_key=${testKey}` });
    await ask(service.url, { path: '/api/image/200x200-sea?api_key=pk_live_nonsense' });
    await service.stop();
    expect(service.stderr()).toContain('"requests"');
    expect(service.stderr()).not.toMatch(/pk_(live|test)_[0-9A-Za-z]/);
  }, 60_000);

  test('damaged files of its folder are one clear line each, with code 1', async () => {
    await service.stop();
    const damage = async (name: string, damaged: (whole: string) => string) => {
      const file = join(data, name);
      const whole = readFileSync(file, 'utf8');
      writeFileSync(file, damaged(whole));
      const end = await endOf(['--port', '0', '--data', data]);
      writeFileSync(file, whole);
      return end;
    };
    const line = expect.stringMatching(/is damaged.*delete it/);
    expect(await damage('state.json', () => '{}')).toEqual({ code: 1, lines: [line] });
    expect(await damage('demo-keys.json', (whole) => whole.slice(0, whole.length / 2))).toEqual({
      code: 1,
      lines: [line],
    });
    const [manifest = ''] = readdirSync(join(data, 'tables')).filter((name) => name.startsWith('MANIFEST'));
    writeFileSync(join(data, 'tables', manifest), 'damaged');
    const end = await endOf(['--port', '0', '--data', data]);
    expect(end).toEqual({ code: 1, lines: [expect.stringContaining('are damaged')] });
  }, 120_000);
});

test('whoever comes before it is ready is told to come back in a second', async () => {
  const free = await listen(0, () => undefined);
  await free.stop();
  const { port } = new URL(free.url);
  const starting = startService(['--memory', '--port', port]);
  let isReady = false;
  void starting.finally(() => {
    isReady = true;
  });
  const early: Response[] = [];
  while (!isReady) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer?.status === 503) early.push(answer);
    await answer?.clone().text();
  }
  await (await starting).stop();
  expect(early.length).toBeGreaterThan(0);
  expect(early[0]?.headers.get('retry-after')).toBe('1');
  expect(await early[0]?.json()).toMatchObject({ status: 503, detail: expect.stringContaining('starting') });
}, 60_000);

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix(
  'tables that cannot grow any more end it with one clear line and code 1',
  async () => {
    // Beyond this size each write fails, in place of a full disk.
    const limited = `trap '' XFSZ; ulimit -f 128; exec "$0" bin/image-redirect.cjs start --port 0 --json --data "$1"`;
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
      await fetch(`${url}/api/image/200x200-lake-${i}`, { headers, redirect: 'manual' }).catch(
        () => undefined,
      );
    expect(await ended).toEqual([1, null]);
    expect(stderr).toMatch(/^The tables in \S+ cannot be written any more: .*File too large\./m);
  },
  60_000,
);

test('a bad flag is one clear line, with code 1', async () => {
  const bad = await endOf(['--frobnicate']);
  expect(bad).toEqual({ code: 1, lines: [expect.stringContaining('--frobnicate')] });
  const binding = await endOf(['--bind', 'stock_z=sandbox']);
  expect(binding).toEqual({ code: 1, lines: [expect.stringContaining('stock_z')] });
}, 60_000);

test('a data folder that is none, or without a name, is one clear line with code 1', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const data of [file, join(file, 'below')]) {
    const end = await endOf(['--port', '0', '--data', data]);
    expect(end).toEqual({ code: 1, lines: [expect.stringContaining('is not a folder')] });
  }
  expect(await endOf(['--data', ''])).toEqual({ code: 1, lines: [expect.stringContaining('--data')] });
}, 60_000);

test('SIGTERM lets a generation end whose caller has gone', async () => {
  const options = ['--data', folder];
  const first = await startService(options, {
    GENERATOR: '{"kind":"sandbox","delayMs":300,"longSidePx":256}',
  });
  const headers = { 'X-API-Key': first.keys.free.live };
  const pathOf = (words: string) => `/api/image/320x240-${words}?provider=ai`;
  // The generator is loaded by then, so that a slow machine too draws the next image within the grace of 5 seconds.
  await ask(first.url, { path: pathOf('first'), headers });
  const gone = new AbortController();
  const lost = fetch(first.url + pathOf('second'), { headers, signal: gone.signal }).catch(() => undefined);
  const accounts = await localAccounts(first.url);
  await accounts.untilHeld();
  accounts.close();
  gone.abort();
  await lost;
  expect(await first.stop()).toBe(0);
  expect(first.stderr()).not.toContain('the generator was still at work');

  const second = await startService(options);
  try {
    const answer = await ask(second.url, { path: pathOf('second'), headers });
    expect(header(answer, 'x-cache')).toBe('HIT');
    // Two generations, and this delivery unless the lost request has used up the free one.
    expect(['998', '997']).toContain(header(answer, 'x-ratelimit-remaining'));
  } finally {
    await second.stop();
  }
}, 60_000);

test('a kill in mid-generation leaves no charge without an image', async () => {
  const options = ['--data', folder];
  const slow = { GENERATOR: '{"kind":"sandbox","delayMs":20000}' };
  const first = await startService(options, slow);
  const headers = { 'X-API-Key': first.keys.free.live };
  const wanted = { path: '/api/image/320x240-slow-image?provider=ai', headers };
  const lost = ask(first.url, wanted).catch(() => undefined);
  const accounts = await localAccounts(first.url);
  await accounts.untilHeld();
  accounts.close();
  await first.stop('SIGKILL');
  await lost;

  const second = await startService(options, sharedEnvironment);
  try {
    const answer = await ask(second.url, wanted);
    expect(answer.status).toBe(302);
    expect(header(answer, 'x-ratelimit-remaining')).toBe('999');
    await imageBehind(answer);
  } finally {
    await second.stop();
  }
}, 60_000);
