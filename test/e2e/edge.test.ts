/** The service behind its emulated CloudFront distribution: what is shared, what is charged, and who may pass it by. */

import { edgeHeaders } from '../../lambda/contract/edge';
import { ask, header, imageBehind, postJson } from './ask';
import { type RunningService, startService } from './local-service';
import { operatorAt } from './operator';

let service: RunningService;
beforeAll(async () => {
  service = await startService(['--memory', '--edge', '--anonymous-per-hour', '10']);
}, 60_000);
afterAll(() => service.stop());

const cacheOf = (answer: Awaited<ReturnType<typeof ask>>) => header(answer, 'x-cache');
const remainingOf = (answer: Awaited<ReturnType<typeof ask>>) =>
  Number(header(answer, 'x-ratelimit-remaining'));
const rateHeadersOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
  [...headers.keys()].filter((name) => /ratelimit/.test(name));
const hit = 'Hit from cloudfront';
const miss = 'Miss from cloudfront';

it('shares the documentation, whatever a URL carries beside it', async () => {
  const first = await ask(service.url, { path: '/openapi.json' });
  const second = await ask(service.url, { path: '/openapi.json?utm_source=mail' });
  expect([cacheOf(first), cacheOf(second)]).toEqual([miss, hit]);
  expect(second.body).toBe(first.body);
  expect(JSON.parse(second.body).servers).toMatchObject([{ url: service.url }]);
});

it('charges each image request of a key, and of an IP address whatever it claims to be', async () => {
  const wanted = { path: '/api/image/300x200-lake', headers: { 'X-API-Key': service.keys.free.live } };
  const keyed = [await ask(service.url, wanted), await ask(service.url, wanted)];
  expect(keyed.map(cacheOf)).toEqual([miss, miss]);
  expect(remainingOf(keyed[0] as never) - remainingOf(keyed[1] as never)).toBe(1);
  const anonymous = [];
  for (const claimed of ['192.0.2.1', '192.0.2.2'])
    anonymous.push(
      await ask(service.url, {
        path: '/api/image/300x200-lake',
        headers: { [edgeHeaders.viewerIp]: claimed },
      }),
    );
  expect(anonymous.map(cacheOf)).toEqual([miss, miss]);
  expect(remainingOf(anonymous[0] as never) - remainingOf(anonymous[1] as never)).toBe(1);
  expect(await imageBehind(anonymous[0] as never)).toMatchObject({ width: 300, height: 200 });
});

const operator = () => operatorAt(service.url);
const openAccount = () => operator().keys('create', '--plan', 'pro', '--name', 'shop');

it('shares what a site key shows among the pages of its origin, and refuses it to others at once', async () => {
  const { account } = await openAccount();
  const { siteKey } = await operator().openSite(account, 'https://a.example', 100);
  const path = `/api/image/320x200-quay?site=${siteKey}`;
  const from = (headers: Readonly<Record<string, string>>) => ask(service.url, { path, headers });
  const answers = [
    await from({ Origin: 'https://a.example' }),
    await from({ Referer: 'https://a.example/page', Authorization: 'Bearer', 'X-API-Key': '' }),
    await from({ Origin: 'https://evil.example' }),
  ];
  expect(answers.map((answer) => [answer.status, cacheOf(answer)])).toEqual([
    [302, miss],
    [302, hit],
    [403, miss],
  ]);
  expect(header(answers[0] as never, 'cache-control')).toMatch(/ s-maxage=30, stale-while-revalidate=0,/);
  expect(answers.flatMap(rateHeadersOf)).toEqual([]);
});

it('shares the image of a signed URL among its readers, until the URL ends, and no changed URL', async () => {
  const { account } = await openAccount();
  const { signer } = await operator().openSigner(account);
  const expires = Math.floor(Date.now() / 1_000) + 600;
  const path = await signer.sign('/api/image/320x200-shared-lake', { expires });
  const first = await ask(service.url, { path });
  expect([first.status, cacheOf(first), header(first, 'vary')]).toEqual([302, miss, 'Accept']);
  const parts = /^public, max-age=(\d+), s-maxage=(\d+), stale-while-revalidate=0, stale-if-error=0$/.exec(
    header(first, 'cache-control'),
  );
  for (const seconds of parts?.slice(1) ?? [])
    expect(Date.now() + Number(seconds) * 1_000).toBeLessThanOrEqual(expires * 1_000 + 1_000);
  expect(Number(parts?.[2])).toBeGreaterThan(500);
  const again = await ask(service.url, { path: `${path}&cachebuster=1` });
  expect([again.status, cacheOf(again), header(again, 'location')]).toEqual([
    302,
    hit,
    header(first, 'location'),
  ]);
  expect(await imageBehind(again)).toMatchObject({ width: 320, height: 200 });
  // The rate limit status would be that of the moment at which the answer was stored.
  for (const answer of [first, again]) expect(rateHeadersOf(answer)).toEqual([]);
  const changed = await ask(service.url, { path: path.replace('lake', 'lane') });
  expect([changed.status, cacheOf(changed)]).toEqual([401, miss]);
  const beside = await ask(service.url, { path, headers: { 'X-API-Key': service.keys.pro.live } });
  expect([beside.status, cacheOf(beside)]).toEqual([400, miss]);
}, 60_000);

it('keeps no error', async () => {
  const path = '/api/image?query=sea&width=1';
  const answers = [await ask(service.url, { path }), await ask(service.url, { path })];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers.map(cacheOf)).toEqual([miss, miss]);
});

it('passes batches and models through, and names its own URL in what they get', async () => {
  const key = service.keys.pro.live;
  const images = [{ slot: 'a', query: 'forest', width: 300, height: 200 }];
  const batch = await postJson(service.url, '/api/images', key, { images });
  expect([batch.status, batch.headers.get('x-cache')]).toEqual([200, miss]);
  const found = (await batch.json()) as { images: { a: { srcset: string } } };
  expect(found.images.a.srcset.startsWith(`${service.url}/api/image`)).toBe(true);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const mcp = await postJson(service.url, '/mcp', key, call);
  expect([mcp.status, mcp.headers.get('x-cache')]).toEqual([200, miss]);
});

it('answers preflights and unknown methods through the distribution, with its URL', async () => {
  const preflight = await ask(service.url, { path: '/api/image', method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  const refused = await ask(service.url, { path: '/api/image', method: 'DELETE' });
  expect(JSON.parse(refused.body)).toMatchObject({
    status: 405,
    type: `${service.url}/#method_not_allowed`,
  });
});

it('answers no caller that reaches the API itself', async () => {
  const origin = service.originUrl ?? '';
  expect(origin).not.toBe(service.url);
  const forged = { [edgeHeaders.lock]: 'guessed', [edgeHeaders.viewerIp]: '192.0.2.1' };
  const keyed = { 'X-API-Key': service.keys.pro.live };
  for (const path of ['/api/image?query=sea', '/', '/openapi.json', '/api/usage'])
    for (const headers of [keyed, { ...keyed, ...forged }]) {
      const answer = await ask(origin, { path, headers });
      expect([path, answer.status, JSON.parse(answer.body).code]).toEqual([path, 421, 'misdirected_request']);
      expect(header(answer, 'cache-control')).toBe('no-store');
    }
});

it('forgets what it shares of an image that is taken down', async () => {
  const { key } = await openAccount();
  const asked = {
    path: '/api/image?query=weathervane&width=320&height=200&format=json',
    headers: { 'X-API-Key': key },
  };
  const { src, pick } = JSON.parse((await ask(service.url, asked)).body);
  const path = src.slice(service.url.length);
  const shared = [await ask(service.url, { path }), await ask(service.url, { path })];
  expect(shared.map(cacheOf)).toEqual([miss, hit]);
  const removal = await operator().run('images', 'remove', pick, '--reason', 'a test', '--yes');
  expect(removal.exitCode).toBe(0);
  const after = await ask(service.url, { path });
  expect([cacheOf(after), header(after, 'x-image-fallback')]).toEqual([miss, 'gone']);
});
