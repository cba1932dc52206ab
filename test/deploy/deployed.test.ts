/** The first deployment from the outside: behaviour that only AWS, or an emulation of it, shows. */

import { writeFileSync } from 'node:fs';
import { corsHeadersFor } from '../../lambda/contract/headers';
import { outputs } from '../../lambda/contract/outputs';
import { BMFF, JPEG } from '../../lambda/images/c2pa/library';
import { WebP } from '../../lambda/images/c2pa/webp';
import { serverCertificate } from '../../lib/key-maker/certificates';
import { readFacts } from '../../tools/deploy-test/facts';
import { freeRequests } from '../../tools/deploy-test/stage-settings';
import { ask, header, imageBehind } from '../e2e/ask';
import { readUntil } from '../e2e/read-until';
import { batchAndToolsAnswer } from './batch-and-tools';
import { keysCommand } from './keys-command';
import { readManifests } from './read-manifests';

const { outputs: deployed, keys, fakeProviders, python, memoryFile } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const as = (who: keyof typeof keys) => ({ 'X-API-Key': keys[who].key });

jest.setTimeout(90_000);

test('the example URL that the deployment prints redirects to an image without a key', async () => {
  const answer = await ask(deployed[outputs.tryIt] ?? '', { path: '' });
  expect(answer.status).toBe(302);
  expect(await imageBehind(answer)).toMatchObject({ width: 1200, height: 800 });
});

test('each slot is served by the provider it is bound to, the one with a key included', async () => {
  for (const [slot, provider] of [
    ['stock_a', 'openverse'],
    ['stock_b', 'wikimedia'],
    ['stock_c', 'unsplash'],
  ] as const) {
    const answer = await ask(url, {
      path: `/api/image/320x200-harbour?provider=${slot}`,
      headers: as('pro'),
    });
    expect(header(answer, 'x-image-source')).toBe(slot);
    const { requests } = (await (await fetch(`${fakeProviders[provider]}/_requests`)).json()) as {
      requests: object[];
    };
    expect(requests).not.toEqual([]);
  }
});

test('the quota of the free plan is exact, and the operator’s report agrees', async () => {
  const path = '/api/image/200x200-forest';
  const statuses = [];
  for (let i = 0; i <= freeRequests; i++)
    statuses.push((await ask(url, { path, headers: as('free') })).status);
  expect(statuses).toEqual([...Array(freeRequests).fill(302), 429]);
  const refused = await ask(url, { path, headers: as('free') });
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'quota_exceeded', status: 429 });
  expect(Number(header(refused, 'retry-after'))).toBeGreaterThan(0);
  const usage = await ask(url, { path: '/api/usage', headers: as('free') });
  const counted = { used: freeRequests, limit: freeRequests, remaining: 0 };
  expect(JSON.parse(usage.body)).toMatchObject(counted);
  expect(await keysCommand(['usage', keys.free.account])).toMatchObject(counted);
});

test('the throttle of a usage plan answers 429 as a problem document that a page can read', async () => {
  const wanted = { path: '/api/image/200x200-forest', headers: as('enterprise') };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(url, wanted)));
  expect(answers.some(({ status }) => status === 302)).toBe(true);
  const throttled = answers.find(({ status }) => status === 429);
  if (!throttled) throw new Error('Nothing was throttled.');
  expect(JSON.parse(throttled.body)).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(header(throttled, 'content-type')).toContain('application/problem+json');
  expect(header(throttled, 'retry-after')).toBe('1');
  expect(header(throttled, 'access-control-allow-origin')).toBe('*');
});

test('preflights and methods that there are not are answered as the local service does', async () => {
  const path = '/api/image/200x200-forest';
  const preflight = await ask(url, { path, method: 'OPTIONS', headers: { Origin: 'https://example.org' } });
  expect(preflight.status).toBe(204);
  for (const [name, value] of Object.entries(corsHeadersFor(['GET', 'HEAD', 'OPTIONS'])))
    expect([name, header(preflight, name.toLowerCase())]).toEqual([name, value]);
  for (const method of ['POST', 'DELETE', 'PATCH']) {
    const refused = await ask(url, { path, method });
    expect(refused.status).toBe(405);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect(header(refused, 'allow')).toBe('GET, HEAD, OPTIONS');
  }
  const unknown = await ask(url, { path: '/nowhere' });
  expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([404, 'not_found']);
});

test('a path arrives as it was written, percent-encoded', async () => {
  const answer = await ask(url, {
    path: '/api/image/200x200-caf%C3%A9%20terrace%2Fnight',
    headers: as('pro'),
  });
  expect(answer.status).toBe(302);
  expect(await imageBehind(answer)).toMatchObject({ width: 200, height: 200 });
});

test('a batch is answered with an image for each slot, and a model with the tools there are', () =>
  batchAndToolsAnswer(url, keys.pro.key));

test('an invalid key is denied by the gateway where no handler can respond', async () => {
  const answer = await ask(url, { path: '/api/usage?api_key=pk_live_nonsense' });
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_api_key', status: 401 });
  expect(header(answer, 'access-control-allow-origin')).toBe('*');
});

test('a private image is delivered by its signed URL only, and generated once', async () => {
  const wanted = { path: '/api/image/256x256-lighthouse?provider=ai', headers: as('business') };
  const first = await ask(url, wanted);
  expect([first.status, header(first, 'x-cache')]).toEqual([302, 'MISS']);
  const location = header(first, 'location');
  expect(location).toContain(`${deployed[outputs.imageUrl]}/private/`);
  expect(await imageBehind(first)).toMatchObject({ width: 256, height: 256 });

  const unsigned = location.split('?')[0] ?? '';
  const later = location.replace(/Expires=(\d+)/, (_, seconds) => `Expires=${Number(seconds) + 3_600}`);
  const encoded = unsigned.replace('/private/', '/private%2F');
  for (const url of [unsigned, later, encoded]) expect((await fetch(url)).status).toBe(403);

  const again = await ask(url, wanted);
  expect(header(again, 'x-cache')).toBe('HIT');
  expect(header(again, 'x-image-id')).toBe(header(first, 'x-image-id'));
  const remaining = header(again, 'x-ratelimit-remaining');
  writeFileSync(memoryFile, JSON.stringify({ imageId: header(first, 'x-image-id'), remaining, location }));
});

test('a public image needs no signature, and another account is shown it', async () => {
  const path = '/api/image/256x256-windmill?provider=ai&visibility=public';
  const made = await ask(url, { path, headers: as('business') });
  expect(header(made, 'location')).not.toContain('Signature=');
  await imageBehind(made);
  const shown = await ask(url, { path: `${path}&alt=1`, headers: as('pro') });
  expect(header(shown, 'x-image-id')).toBe(header(made, 'x-image-id'));
});

test('a revoked key ends within a minute', async () => {
  const { key, keyId } = await keysCommand<{ key: string; keyId: string }>([
    'create',
    '--name',
    'to be revoked',
  ]);
  const wanted = { path: '/api/image/200x200-forest', headers: { 'X-API-Key': key } };
  expect((await ask(url, wanted)).status).toBe(302);
  await keysCommand(['revoke', keyId]);
  const status = async () => (await ask(url, wanted)).status;
  const waiting = { withinMs: 62_000, pauseMs: 1_000 };
  expect(await readUntil(status, (one) => one === 401, waiting)).toBe(401);
});

test('AI images carry manifests that are valid in every format and size, trusted by the published certificate, and broken by an edit', async () => {
  const anchors = await (await fetch(`${url}/.well-known/content-credentials.pem`)).text();
  const stranger = (await serverCertificate([], Date.now())).certificatePem;
  const images: Record<string, Buffer> = {};
  for (const format of ['jpeg', 'webp', 'avif'])
    for (const [size, more] of [
      ['256x256', ''],
      ['640x200', '&label=corner'],
    ]) {
      const path = `/api/image/${size}-lantern.${format}?provider=ai${more}`;
      const answer = await ask(url, { path, headers: as('pro') });
      images[`${size}.${format}`] = (await imageBehind(answer)).bytes;
    }
  const read = readManifests(python, anchors, images);
  for (const { state, actions } of read) {
    expect(state).toBe('Trusted');
    expect(actions?.[0]).toMatchObject({
      action: 'c2pa.created',
      digitalSourceType: expect.stringContaining('trainedAlgorithmicMedia'),
    });
    expect(actions?.at(-1)).toMatchObject({ action: 'c2pa.transcoded' });
  }
  const states = (anchor: string, of: typeof images) =>
    readManifests(python, anchor, of).map(({ state }) => state);
  expect(states(stranger, images)).toEqual(read.map(() => 'Valid'));
  const edited = Object.entries(images).map(([name, bytes]) => {
    const changed = Buffer.from(bytes);
    const at = name.endsWith('webp') ? 400 : changed.length - 40;
    changed[at] = (changed[at] ?? 0) ^ 1;
    return [name, changed] as const;
  });
  expect(states(anchors, Object.fromEntries(edited))).toEqual(read.map(() => 'Invalid'));
  const swapped: typeof images = {};
  for (const [format, type] of Object.entries({ jpeg: JPEG, webp: WebP, avif: BMFF })) {
    const [one, other] = ['256x256', '640x200'].map(
      (size) => new type(new Uint8Array(images[`${size}.${format}`] ?? [])),
    );
    const manifest = Uint8Array.from(other?.getManifestJUMBF() ?? []);
    await one?.ensureManifestSpace(manifest.length);
    await one?.writeManifestJUMBF(manifest);
    swapped[`swapped.${format}`] = Buffer.from((await one?.getDataRange()) ?? []);
  }
  expect(states(anchors, swapped)).toEqual(['Invalid', 'Invalid', 'Invalid']);
});
