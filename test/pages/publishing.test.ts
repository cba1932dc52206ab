/** Tests the URLs for a caller with an API key: its account signs them, and the call pays for their views. */

import { createDeadline } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { defaultPlans } from '../../lambda/contract/plans';
import { defaultSite } from '../../lambda/contract/settings';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import type { ServedImage } from '../../lambda/images/image';
import { makeImageRecord } from '../../lambda/pages/image-record';
import {
  findUrlAccess,
  markViewsPaid,
  readPublishParameter,
  type UrlAccess,
} from '../../lambda/pages/publishing';
import { getQuotaLimit, listRequestLimits } from '../../lambda/quota/caller-limits';
import { identifyPaidImage } from '../../lambda/quota/claim';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { readParameters } from '../../lambda/requests/parse-request';
import { verifyRequest } from '../../lambda/requests/verify-request';
import type { Services } from '../../lambda/services/services';
import { createFakeApiKeys } from '../fakes/api-keys';
import { bindServices, createKeyEndings } from '../fakes/bound';
import { createVirtualClock } from '../fakes/clock';
import { createFakeIds } from '../fakes/ids';
import { createFakeLimits } from '../fakes/limits';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { aiRequest, makeAllowedOrigin, servedImage, makeStockRequest as stockRequest } from '../fakes/values';
import { parseAtSize, parseRaw } from '../requests/raw-request';

const master = 'the master secret';
const rootUrl = 'https://img.example';
const pick = '0123456789abcdef0123';
const makeRecord = (image: ServedImage, request: ImageRequest, urlAccess: UrlAccess) =>
  makeImageRecord(image, { cache: 'HIT', request, urlAccess, rootUrl, imageBaseUrl: rootUrl, nowMs: 0 });

async function createPublishing() {
  const clock = createVirtualClock(Date.parse('2026-11-21T12:00:00Z'));
  const apiKeys = createFakeApiKeys([], clock);
  const keyCalls = bindServices(
    { ...apiKeys.services, ids: createFakeIds(), readPrincipal: async () => 'jane' },
    { ...manageKeys, ...keyStore },
  );
  const keys = { ...keyCalls, ...createKeyEndings(keyCalls) };
  const { key, signer } = await keys.issueKey({ mode: 'live', plan: 'pro', name: '' });
  const { account, plan, keyId } = key;
  const caller = { kind: 'live', account, plan, keyId } as const;
  const limits = createFakeLimits(clock);
  /** Keys of the marks that were written. */
  const writtenKeys: string[] = [];
  const { database } = apiKeys.services;
  let readCount = 0;
  const send = async (command: never) => {
    const { input } = command as { readonly input: { readonly Key?: { readonly pk: string } } };
    if (!input.Key?.pk.startsWith('PAID#')) {
      readCount += 1;
      return database.client.send(command);
    }
    writtenKeys.push(input.Key.pk);
    return limits.services.database.client.send(command);
  };
  const services = {
    ...apiKeys.services,
    database: { ...database, client: { send } as unknown as typeof database.client },
    readMaster: async () => master,
    tables: limits.services.tables as Services['tables'],
    ids: createFakeIds(),
    config: { SITE: defaultSite, DEMO_KEY: undefined } as Services['config'],
    credentialsByAccount: createExpiringCache(9),
    freeImages: createExpiringCache<true>(9),
    telemetry: createRecordedTelemetry(),
  } as const;
  const publishing = bindServices(services, { findUrlAccess, markViewsPaid });
  const keyRequest = { mode: 'live', plan: 'pro', name: '', account } as const;
  const findSignerId = async (...parameters: Parameters<typeof publishing.findUrlAccess>) => {
    const urlAccess = await publishing.findUrlAccess(...parameters);
    if ('refusal' in urlAccess || urlAccess.credential?.kind !== 'signed') return urlAccess;
    return urlAccess.credential.signing.signerId;
  };
  return {
    clock,
    keys,
    apiKeys,
    account,
    caller,
    signer,
    keyRequest,
    publishing,
    writtenKeys,
    getMark: (key: string) => limits.memory.listItems('quotaCounters').get(key),
    services,
    findSignerId,
    countReads: () => readCount,
  };
}

const size = { widthPx: 600, heightPx: 400 };
const filters = { crop: 'top' } as const;
const request = stockRequest('mountain lake', { ...size, seed: '2', filters, asJson: true });
const image = { ...servedImage, ...size, pick };

describe('findUrlAccess', () => {
  test('the newest signer of the account signs, and is read every 30 seconds', async () => {
    const { keys, clock, keyRequest, signer, caller, findSignerId, countReads } = await createPublishing();
    expect(await findSignerId(caller, {})).toBe(signer?.keyId);
    await clock.advance(60_000);
    await keys.issueKey({ ...keyRequest, mode: 'test', publishedAs: 'signer' });
    const newerSigner = (await keys.issueKey({ ...keyRequest, publishedAs: 'signer' })).key;
    expect(await findSignerId(caller, {})).toBe(newerSigner.keyId);
    expect(await findSignerId(caller, {})).toBe(newerSigner.keyId);
    expect(countReads()).toBe(2);
    await keys.revokeKey(newerSigner.keyId);
    await clock.advance(29_999);
    expect(await findSignerId(caller, {})).toBe(newerSigner.keyId);
    await clock.advance(1);
    expect(await findSignerId(caller, {})).toBe(signer?.keyId);
  });

  test('a signer that was made after the last read is found by its id', async () => {
    const { keys, keyRequest, caller, findSignerId } = await createPublishing();
    await findSignerId(caller, {});
    const { keyId } = (await keys.issueKey({ ...keyRequest, publishedAs: 'signer' })).key;
    expect(await findSignerId(caller, { publish: keyId })).toBe(keyId);
  });

  test('without a signer, a record has plain URLs', async () => {
    const { keys, signer, caller, publishing } = await createPublishing();
    const unpublished = await publishing.findUrlAccess(caller, { publish: false });
    expect(unpublished).toMatchObject({ note: expect.stringContaining('publish is false') });
    await keys.revokeKey(signer?.keyId ?? '');
    const urlAccess = await publishing.findUrlAccess(caller, {});
    if ('refusal' in urlAccess) throw new Error('It is published.');
    const record = makeRecord(image, request, urlAccess);
    expect(record).toMatchObject({ html: null, note: urlAccess.note });
    expect(record.src).not.toContain('signature');
  });

  test.each<[string, 'live' | 'test', { contact?: string; DEMO_KEY?: string }, string]>([
    ['deployed', 'live', {}, 'the operator of the service. '],
    ['deployed with a contact', 'live', { contact: 'ops@a.example' }, 'the service (ops@a.example). '],
    ['on a laptop', 'live', { DEMO_KEY: 'x' }, '(npm run keys -- signer create --account ACCOUNT). '],
    ['on a laptop', 'test', { DEMO_KEY: 'x' }, '(npm run keys -- signer create --account ACCOUNT --test). '],
  ])('a service %s notes who makes a missing %s signer', async (_, kind, { contact, ...config }, maker) => {
    const { keys, signer, caller, services } = await createPublishing();
    await keys.revokeKey(signer?.keyId ?? '');
    const operated = {
      ...services,
      config: { SITE: { ...defaultSite, contact }, DEMO_KEY: undefined, ...config },
    };
    const { note } = (await findUrlAccess(operated as never, { ...caller, kind }, {})) as UrlAccess;
    expect(note).toContain(`no active ${kind} signer; an owner key makes one on /account, or `);
    expect(note).toContain(maker.replace('ACCOUNT', caller.account));
  });

  test('only a credential of the same account and mode publishes a record', async () => {
    const { keys, keyRequest, caller, publishing, findSignerId, signer, clock } = await createPublishing();
    const site = {
      ...keyRequest,
      publishedAs: 'site' as const,
      origins: [makeAllowedOrigin('https://a.example')],
      maxPerMonth: 5,
    };
    const { secret, key } = await keys.issueKey(site);
    expect(await publishing.findUrlAccess(caller, { publish: secret })).toMatchObject({
      credential: { kind: 'site', key: secret },
    });
    expect(await findSignerId(caller, { publish: signer?.keyId })).toBe(signer?.keyId);
    const wrongSiteKey = { publish: `${secret.slice(0, -1)}${secret.endsWith('0') ? 1 : 0}` };
    expect(await publishing.findUrlAccess(caller, wrongSiteKey)).toMatchObject({
      refusal: { code: 'invalid_parameter', faults: [{ parameter: 'publish' }] },
    });
    const foreignSignerId = (await keys.issueKey({ mode: 'live', plan: 'pro', name: '' })).signer?.keyId;
    const test = (await keys.issueKey({ ...keyRequest, mode: 'test', publishedAs: 'signer' })).key;
    await keys.revokeKey(key.keyId);
    await clock.advance(60_000);
    for (const publish of [foreignSignerId, test.keyId, secret, key.keyId, '', 'sg_live_000000000000'])
      expect(await publishing.findUrlAccess(caller, { publish: publish ?? '' })).toMatchObject({
        refusal: { code: 'invalid_parameter', faults: [{ parameter: 'publish' }] },
      });
  });

  test('publish is read from a URL', () => {
    expect(readPublishParameter({ publish: ['false'] })).toEqual({ publish: false });
    expect(readPublishParameter({ publish: ['sg_live_x'] })).toEqual({ publish: 'sg_live_x' });
    expect(readPublishParameter({ publish: ['true'] })).toEqual({ publish: true });
    expect(readPublishParameter({})).toEqual({ publish: undefined });
  });

  test('one upto makes the signed URLs of a record valid in all widths', async () => {
    const { caller, publishing, signer } = await createPublishing();
    const urlAccess = await publishing.findUrlAccess(caller, {});
    if ('refusal' in urlAccess) throw new Error('It is published.');
    const visitor = { ...caller, publishedAs: 'signer', keyId: signer?.keyId ?? '' } as const;
    const deadline = createDeadline(Infinity);
    const services = { readMaster: async () => master, clock: createVirtualClock(0), deadline };
    const requests: ImageRequest[] = [
      request,
      { ...request, widthPx: 2_700, heightPx: 4_000 },
      { ...request, widthPx: 4_000, heightPx: 100 },
      { ...aiRequest, ...size, style: 'dark', visibility: 'public', variation: 2 },
    ];
    for (const imageRequest of requests) {
      const { widthPx, heightPx, source } = imageRequest;
      const sizedImage = { ...image, widthPx, heightPx, source };
      const record = makeRecord(sizedImage, imageRequest, urlAccess);
      expect(record).toMatchObject({ width: widthPx, height: heightPx, note: null });
      const urls = [
        record.src ?? '',
        ...(record.srcset ?? '').split(', ').map((candidate) => candidate.split(' ')[0] ?? ''),
      ];
      const signatures = new Set<string | null>();
      for (const url of urls) {
        const search = new URL(url).searchParams;
        const query = Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]));
        expect(await verifyRequest(services, readParameters({ query }), visitor)).toHaveProperty('key');
        expect(parseRaw({ query }, true)).toMatchObject({ request: { pick, source: imageRequest.source } });
        signatures.add(search.get('signature'));
      }
      expect(signatures.size).toBe(1);
      expect(record.html).toContain(`width="${imageRequest.widthPx}" height="${imageRequest.heightPx}"`);
    }
    const { src } = makeRecord(image, request, urlAccess);
    expect(src).toMatch(/width=640&.*upto=1200x800/);
  });

  test('the URLs of a record name the AI image that onmiss has made', async () => {
    const { caller, publishing } = await createPublishing();
    const urlAccess = await publishing.findUrlAccess(caller, {});
    if ('refusal' in urlAccess) throw new Error('It is published.');
    const onmissRequest = { ...request, filters: { onmiss: 'ai' } } as const;
    const aiImage = { ...image, source: 'ai' } as const;
    const { src } = makeRecord(aiImage, onmissRequest, urlAccess);
    expect(src).toContain('provider=ai&');
    expect(src).not.toContain('onmiss');
    const site = { credential: { kind: 'site', key: 'site_live_x' }, note: null } as const;
    const note = expect.stringContaining('stock images only');
    const siteRecord = makeRecord(aiImage, onmissRequest, site);
    expect(siteRecord).toMatchObject({ src: null, srcset: null, html: null, note });
  });
});

describe('markViewsPaid', () => {
  const rateLimit = { limit: 1, remaining: 0, window: { kind: 'month' } } as never;
  const makeServedAnswer = (change: Partial<ServedImage> = {}) =>
    ({
      outcome: 'served',
      image: { ...image, ...change },
      cache: 'HIT',
      payment: { state: 'charged', units: [], rateLimit },
    }) as never;
  const getQuota = ({ caller, clock }: Awaited<ReturnType<typeof createPublishing>>) =>
    getQuotaLimit(listRequestLimits(caller, '', defaultPlans, clock.nowMs()));
  const signing = { signerId: 'sg_live_0123456789ab', key: new Uint8Array(32) };
  /** Gets the mark that a view of the record's URL finds, in another size. */
  const getViewMark = (
    service: Awaited<ReturnType<typeof createPublishing>>,
    source: ServedImage['source'],
  ) => {
    const credential = { kind: 'signed', signing } as const;
    const { src } = makeRecord({ ...image, source }, request, { credential, note: null });
    const viewRequest = { ...parseAtSize(src ?? ''), widthPx: 999 };
    const { caller, clock } = service;
    return service.getMark(identifyPaidImage(caller, viewRequest, getQuota(service), clock.nowMs()).key);
  };

  test.each([
    ['a stock image', 'stock_a'],
    ['an AI image in place of a stock image', 'ai'],
  ] as const)(
    'the call for a record of %s pays for the views of the day in every size',
    async (_, source) => {
      const service = await createPublishing();
      const { publishing, caller } = service;
      await publishing.markViewsPaid(makeServedAnswer({ source }), caller, request, getQuota(service));
      expect(getViewMark(service, source)).toMatchObject({ paid: true });
    },
  );

  test('two calls for a record pay once for the day', async () => {
    const service = await createPublishing();
    const { publishing, caller, writtenKeys } = service;
    for (let i = 0; i < 2; i++)
      await publishing.markViewsPaid(makeServedAnswer(), caller, undefined, getQuota(service));
    expect(writtenKeys).toEqual([expect.stringMatching(/#2026-11-21$/)]);
    const { pick: _, ...unpicked } = image;
    const answers = [
      { ...(makeServedAnswer() as object), image: unpicked },
      { outcome: 'refused', refusal: { code: 'no_image_found' } },
    ];
    for (const answer of answers)
      await publishing.markViewsPaid(answer as never, caller, aiRequest, getQuota(service));
    expect(writtenKeys).toHaveLength(1);
  });

  test('the call for a card pays for no views', async () => {
    const service = await createPublishing();
    await service.publishing.markViewsPaid(
      makeServedAnswer({ fallback: 'gone' }),
      service.caller,
      request,
      getQuota(service),
    );
    expect(getViewMark(service, 'stock_a')).toBeUndefined();
  });
});
