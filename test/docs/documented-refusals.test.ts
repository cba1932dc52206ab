/** What each route refuses, driven through authorizer and functions, is what its operation in openapi.json describes. */

import { pageBounds } from '../../lambda/contract/batch';
import { routes } from '../../lambda/contract/routes';
import { hashApiKey, makeApiKey } from '../../lambda/credentials/api-key';
import { makeSiteKey } from '../../lambda/credentials/site-key';
import { apiRoutes } from '../../lambda/functions/api/handler';
import { imageIdOf } from '../../lambda/generation/generation-identity';
import { remove } from '../../lambda/generation/generations';
import { servePermalink } from '../../lambda/generation/serve-permalink';
import { type GatewayResponse, gatewayResponses, gatewayStatus } from '../../lambda/http/gateway-responses';
import { type Renderer, RendererBusy } from '../../lambda/images/renderer';
import { problemPlaces } from '../../lambda/problems/problem';
import { accountLimit } from '../../lambda/quota/charge';
import type { Parts } from '../../lambda/services';
import { createSigner } from '../../packages/client/src/signer';
import { signers } from '../../packages/client/test/vectors';
import { aiServices, madeIn } from '../fakes/ai-services';
import { imageKey } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { newRecord, newSigner, newSiteKey } from '../fakes/key-records';
import type { ScriptedTake } from '../fakes/limits';
import { createVirtualClock } from '../fakes/virtual-clock';
import { documentedRefusals, isDocumented, type SeenRefusal } from './documented-refusals';
import { createWholeService, type SentRequest, type WholeService } from './whole-service';

// HEAD is GET without the body.
const operations = Object.entries(apiRoutes).flatMap(([path, byMethod]) =>
  path === routes.elsewhere || path.startsWith('/v1/')
    ? []
    : Object.keys(byMethod).map((method) => [method, path.replace('+', '')] as const),
);
const ids = createFakeIds();

/** A permalink of a public image. @param render makes its rendition */
function permalinkWith({ render, taken, state = 'ready', fails, isUsedUp }: Scene = {}): ServePermalink {
  const clock = createVirtualClock();
  // Pauses between attempts take no time.
  const { services, limits } = aiServices(clock, {
    clock: { nowMs: clock.nowMs, sleep: async () => undefined },
    ...(render && { renderer: { render } }),
  });
  const key = imageKey(`G#live#acc#public#${'a'.repeat(64)}`);
  const prepare = async () => {
    await madeIn(services, key);
    if (state === 'removed') await remove(services, key);
    limits.script.push(...Array.from({ length: 20 }, () => taken));
  };
  const prepared = prepare();
  return async (_, size, caller, context) => {
    await prepared;
    if (fails) throw new Error('no table');
    const imageId = state === 'unknown' ? '0'.repeat(32) : imageIdOf(key);
    const account = accountLimit(context.requestLimits);
    const usedUp = isUsedUp && { requestLimits: [{ ...account, max: 0 }] as const };
    return servePermalink(services, imageId, size, caller, { ...context, ...usedUp });
  };
}

type ServePermalink = Parts['servePermalink'];

interface Scene {
  readonly render?: Renderer['render'];
  /** What becomes of each charge. */
  readonly taken?: ScriptedTake;
  readonly state?: 'ready' | 'unknown' | 'removed';
  readonly fails?: true;
  readonly isUsedUp?: true;
}

/** A request with each kind of credential, usable or not, by what it carries. */
async function credentials({ register, nowMs }: WholeService): Promise<readonly Partial<SentRequest>[]> {
  const [key, strange] = [makeApiKey('live', ids.bytes), makeApiKey('live', ids.bytes)];
  const owner = makeApiKey('live', ids.bytes);
  const [site, unknownSite] = [makeSiteKey('live', ids.bytes), makeSiteKey('live', ids.bytes)];
  const [signer] = signers;
  if (!signer) throw new Error('The vectors have no signer');
  await register.add(newRecord({ hash: hashApiKey(key) }));
  await register.add(newRecord({ hash: hashApiKey(owner), keyId: 'key_owner', role: 'owner' }));
  await register.add(newSiteKey({ hash: hashApiKey(site) }));
  await register.add(newSigner({ keyId: signer.id }));
  const query = { query: 'lake', width: '300', height: '200' };
  const url = `https://img.example/api/image?${new URLSearchParams(query)}`;
  const expires = Math.floor(nowMs() / 1_000) - 60;
  const expired = new URL(await createSigner(signer).sign(url, { expires }));
  const page = { Origin: 'https://example.com' };
  return [
    {},
    { headers: { 'X-API-Key': key } },
    { headers: { 'X-API-Key': owner } },
    { headers: { ...page, 'X-API-Key': owner } },
    { headers: { 'X-API-Key': strange } },
    { headers: { 'X-API-Key': key, Authorization: `Bearer ${strange}` } },
    { headers: { 'X-API-Key': key }, query: { ...query, signer: signer.id, signature: 'x' } },
    { query: { ...query, signer: signer.id, signature: 'x' } },
    { query: { ...query, signer: 'sg_live_unknown', signature: 'x' } },
    { query: Object.fromEntries(expired.searchParams) },
    { headers: page, query: { ...query, site } },
    { headers: page, query: { ...query, site: unknownSite } },
    { query: { ...query, site } },
  ];
}

const json = { 'Content-Type': 'application/json' };
const oneImage = (change: object) => JSON.stringify({ images: [{ slot: 'a', query: 'lake', ...change }] });
/** What is wrong with a request beside its credential. */
const faults: readonly Partial<SentRequest>[] = [
  {},
  { query: { query: 'lake', width: '1' } },
  { query: { query: 'lake', variation: '1', alt: '1', provider: 'ai' } },
  { headers: json, body: oneImage({}) },
  { headers: json, body: oneImage({ width: 1 }) },
  { headers: json, body: oneImage({ variation: 1, alt: 1 }) },
  { headers: { 'Content-Type': 'text/plain' }, body: 'x', id: 'key_owner' },
  { headers: json, body: 'x'.repeat(pageBounds.bytesMax + 1) },
];

/** What permalinks end in. */
const scenes: readonly ServePermalink[] = [
  permalinkWith(),
  permalinkWith({ state: 'unknown' }),
  permalinkWith({ state: 'removed' }),
  permalinkWith({ fails: true }),
  permalinkWith({ taken: 'throttled' }),
  permalinkWith({ isUsedUp: true }),
  permalinkWith({ render: () => Promise.reject(new RendererBusy('no free instance')) }),
  permalinkWith({ render: () => Promise.reject(new Error('broken')) }),
];

let seen: readonly SeenRefusal[];
beforeAll(async () => {
  const found: SeenRefusal[] = [];
  const note = (refusal: SeenRefusal | undefined) => {
    if (refusal) found.push(refusal);
  };
  for (const scene of scenes) {
    const service = createWholeService(scene);
    const carried = await credentials(service);
    for (const [method, path] of operations)
      for (const fault of faults)
        for (const credential of carried) {
          const headers = { ...fault.headers, ...credential.headers };
          const query = { ...fault.query, ...credential.query };
          note(await service.send({ method, path, ...fault, headers, query }));
        }
    service.register.failWith(new Error('no table'));
    const strange = { 'X-API-Key': makeApiKey('live', ids.bytes) };
    for (const [method, path] of operations) note(await service.send({ method, path, headers: strange }));
  }
  seen = found;
});

/** What API Gateway may answer with on any route, whatever the function does. */
const onAnyRoute = Object.values<GatewayResponse>(gatewayResponses)
  .filter(({ code }) => problemPlaces[code].includes('page'))
  .map((answer) => `${gatewayStatus(answer)} ${answer.code}`);
/** Seen in test/functions/api/keys.test.ts, with as many keys as they take. */
const ofManyKeys = ['409 last_owner', '409 too_many_keys'];
/** The operations on keys have their errors in common: that of an id or a body is seen on those that take one. */
const ofKeys = ['404 not_found', '415 unsupported_media_type'];
const seenOn = (method: string, path: string) =>
  seen.filter((each) => each.method === method && each.path === path);
const namesOf = (refusals: readonly SeenRefusal[]) =>
  [...new Set(refusals.map(({ status, code }) => `${status} ${code}`))].sort();

it.each(operations)('%s %s refuses nothing that its operation does not describe', (method, path) => {
  const refusals = seenOn(method, path);
  // Pages refuse nobody.
  expect(refusals.length > 0).toBe(/^\/(api|mcp)\b/.test(path));
  expect(namesOf(refusals.filter((each) => !isDocumented(each)))).toEqual([]);
});

// What generating and searching end in is left to the end-to-end tests, which ask `isDocumented` of each refusal.
const whole = operations.filter(([, path]) => path !== routes.image && path !== '/api/image/{spec}');
it.each(whole)('the operation %s %s describes nothing that is never refused', (method, path) => {
  const isOfKeys = path.startsWith(routes.keys);
  const possible = [
    ...onAnyRoute,
    ...(isOfKeys ? [...ofManyKeys, ...ofKeys] : []),
    ...namesOf(seenOn(method, path)),
  ];
  expect(documentedRefusals(method, path).filter((each) => !possible.includes(each))).toEqual([]);
});
