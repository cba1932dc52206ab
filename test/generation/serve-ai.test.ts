/** What a request for an AI image is answered with, and what it costs. */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { defaultPlans } from '../../lambda/contract/plans';
import { variationBounds } from '../../lambda/contract/request-bounds';
import { renditionReserveMs } from '../../lambda/contract/timeouts';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import { readAiImage, removeImage } from '../../lambda/generation/ai-image-store';
import type { StoredPath } from '../../lambda/images/stored-path';
import {
  createGenerationMonthLimit,
  listRequestLimits,
  listWorkLimits,
  pickQuotaLimit,
} from '../../lambda/quota/caller-limits';
import { aiWorld, drawing, out, refusing, serveAi } from '../fakes/ai-services';
import { aContext, accountId, aiCaller, aiRequest } from '../fakes/values';

jest.mock('../../lambda/services/load-image-code', () => jest.requireActual('../fakes/load-ai-code'));

const withOneGeneration = { ...defaultPlans, pro: { ...defaultPlans.pro, generationsPerMonth: 1 } };
const other = { ...aiCaller, account: accountId('acc_2') };

function createAccount(...given: Parameters<typeof aiWorld>) {
  const world = aiWorld(...given);
  const { clock, used, services } = world;
  const nowMs = clock.nowMs();
  const spent = async (caller = aiCaller) => ({
    requests: await used(pickQuotaLimit(listRequestLimits(caller, '', services.plans, nowMs))),
    generations: await used(createGenerationMonthLimit(caller, services.plans, nowMs)),
    work: await used(listWorkLimits(caller, '', nowMs)[0] as never),
  });
  const served = async (...asked: Parameters<typeof world.ask>) => {
    const answer = await clock.settle(world.ask(...asked));
    return answer.outcome === 'served' ? `${answer.cache} ${answer.payment.state}` : answer.refusal.code;
  };
  const idOf = async (...asked: Parameters<typeof world.ask>) => {
    const answer = await clock.settle(world.ask(...asked));
    return answer.outcome === 'served' && answer.image.imageId;
  };
  return { ...world, spent, served, idOf };
}

test('a new image is made once, then each delivery costs one request', async () => {
  const { served, spent, world } = createAccount();
  expect(await served()).toBe('MISS charged');
  expect(await served()).toBe('HIT charged');
  expect(await served({ widthPx: 600, heightPx: 400 })).toBe('HIT charged');
  expect([world.asked, await spent()]).toEqual([1, { requests: 3, generations: 1, work: 2 }]);
});

test('only an API key is told the AI images that are left, not the visitors of a page', async () => {
  const { ask, clock } = createAccount();
  const told = async (publishedAs?: 'signer') => {
    const answer = await clock.settle(ask({}, { ...aiCaller, ...(publishedAs && { publishedAs }) }));
    return answer.payment?.rateLimit?.generations?.remaining;
  };
  expect([await told(), await told('signer')]).toEqual([defaultPlans.pro.generationsPerMonth - 1, undefined]);
});

test('200 simultaneous requests for a new image count one generation and one rendition', async () => {
  const { clock, ask, spent, world } = createAccount();
  const answers = await clock.settle(Promise.all(Array.from({ length: 200 }, () => ask())));
  const caches = answers.map((answer) => answer.outcome === 'served' && answer.cache);
  expect(caches.filter((cache) => cache === 'MISS')).toHaveLength(1);
  expect(caches.filter((cache) => cache === 'HIT')).toHaveLength(199);
  expect([world.asked, await spent()]).toEqual([1, { requests: 200, generations: 1, work: 1 }]);
});

test('a page of 24 new images takes 24 of the 25 AI images of a free account', async () => {
  const { clock, ask, spent } = createAccount();
  const caller = { ...aiCaller, plan: 'free' } as const;
  const asked = Array.from({ length: 24 }, (_, i) => ask({ query: `lake ${i}` }, caller));
  for (const answer of await clock.settle(Promise.all(asked)))
    expect(answer).toMatchObject({ outcome: 'served' });
  expect(await spent(caller)).toMatchObject({ requests: 24, generations: 24 });
});

test('an image that takes 40 s costs nothing until it is delivered', async () => {
  const { clock, served, spent, world } = createAccount();
  world.model = drawing(40_000);
  const beganMs = clock.nowMs();
  expect(await served()).toBe('generation_in_progress');
  expect(clock.nowMs() - beganMs).toBeLessThanOrEqual(21_000);
  expect(await spent()).toMatchObject({ requests: 0, generations: 1 });
  await clock.advance(30_000);
  expect(await served()).toBe('HIT charged');
  expect([world.asked, await spent()]).toMatchObject([1, { requests: 1, generations: 1 }]);
});

test('a request stops waiting while there is time for a rendition before its deadline', async () => {
  const beganMs = Date.parse('2026-11-21T12:00:00Z');
  const { clock, ask, world } = createAccount(
    { deadline: createDeadline(beganMs + renditionReserveMs + 5_000) },
    beganMs,
  );
  world.model = drawing(60_000);
  const answer = await clock.settle(ask());
  expect(answer).toMatchObject({ refusal: { code: 'generation_in_progress' } });
  expect(clock.nowMs() - beganMs).toBe(5_000);
});

test('a model that fails for an hour uses up none of the month’s AI images', async () => {
  const { clock, served, spent, world } = createAccount();
  world.model = out;
  for (let minute = 0; minute < 60; minute++) {
    expect(await served()).toBe('upstream_unavailable');
    await clock.advance(60_000);
  }
  expect(await spent()).toMatchObject({ requests: 0, generations: 0 });
  world.model = drawing(3_000);
  await clock.advance(300_000);
  expect(await served()).toBe('MISS charged');
});

test('a variation of a ready image costs a generation and work, but no request', async () => {
  const { served, spent } = createAccount();
  await served();
  expect(await served({ variation: 1 })).toBe('MISS free');
  expect(await served({ variation: 1 })).toBe('HIT free');
  expect(await spent()).toEqual({ requests: 1, generations: 2, work: 1 + 2 + 1 });
});

test('a variation without a base image has the base made and pays for it', async () => {
  const { served, spent } = createAccount();
  expect(await served({ variation: 2 })).toBe('MISS charged');
  expect(await spent()).toMatchObject({ requests: 1, generations: 2 });
  expect(await served()).toBe('HIT charged');
});

test('a ready variation is delivered without its base after the quota is used up', async () => {
  const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, monthlyRequests: 1 } };
  const { served, services } = createAccount({ plans });
  await served();
  await served({ variation: 1 });
  await removeImage(services, identifyAiImage(aiRequest, aiCaller, undefined).key);
  expect(await served({ variation: 1 })).toBe('HIT free');
  expect(await served({ variation: 3 })).toBe('quota_exceeded');
});

test('a model that takes 15 s makes an image within the time of its request', async () => {
  const { served, world } = createAccount();
  world.model = drawing(15_000);
  expect(await served()).toBe('MISS charged');
});

test('if the time of a request ends after the base image is made, the variation is free', async () => {
  const { clock, served, spent, world } = createAccount();
  world.model = drawing(15_000);
  expect(await served({ variation: 3 })).toBe('generation_in_progress');
  await clock.advance(30_000);
  expect(await served({ variation: 3 })).toBe('HIT free');
  expect(await spent()).toMatchObject({ requests: 0, generations: 2 });
});

test('an alternative is a public image of another account and costs no request', async () => {
  const { served, spent } = createAccount();
  const asked = { visibility: 'public' } as const;
  await served(asked);
  expect(await served({ ...asked, alt: 3 }, other)).toBe('HIT free');
  expect(await spent(other)).toEqual({ requests: 0, generations: 0, work: 1 });
  // Where there is none, one is made.
  expect(await served({ ...asked, query: 'sea', alt: 1 }, other)).toBe('MISS charged');
});

test('`alt` skips all images of the caller’s account while another account has one', async () => {
  const { idOf } = createAccount();
  const asked = { visibility: 'public' } as const;
  for (let variation = 1; variation <= variationBounds.max; variation++) await idOf({ ...asked, variation });
  await idOf({ ...asked, widthPx: 900, heightPx: 900 });
  const theirs = await idOf(asked, other);
  for (const alt of [1, 2, variationBounds.max]) expect(await idOf({ alt })).toBe(theirs);
  expect(await idOf({ ...asked, alt: 1 })).toBe(theirs);
});

test('alternatives are counted from the oldest image and start over after the newest', async () => {
  const { idOf } = createAccount();
  const third = { ...aiCaller, account: accountId('acc_3') };
  const oldest = await idOf({ visibility: 'public' });
  const newest = await idOf({ visibility: 'public' }, other);
  expect([await idOf({ alt: 1 }, third), await idOf({ alt: 2 }, third)]).toEqual([oldest, newest]);
  expect(await idOf({ alt: 3 }, third)).toBe(oldest);
});

test('a test key gets its own image in place of an alternative', async () => {
  const { served } = createAccount();
  await served({ visibility: 'public' });
  expect(await served({ alt: 1 }, { ...other, kind: 'test' })).toBe('MISS charged');
});

test('the highest `alt` differs from the first although the caller’s image is the oldest', async () => {
  const { idOf } = createAccount();
  const asked = { visibility: 'public' } as const;
  await idOf(asked);
  for (let i = 1; i <= variationBounds.max; i++)
    await idOf(asked, { ...aiCaller, account: accountId(`other_${i}`) });
  expect(await idOf({ ...asked, alt: 1 })).not.toBe(await idOf({ ...asked, alt: variationBounds.max }));
});

test('the next alternative replaces a removed one that is still listed', async () => {
  const { served, services } = createAccount();
  const asked = { visibility: 'public' } as const;
  const third = { ...aiCaller, account: accountId('acc_3') };
  for (const caller of [aiCaller, third]) await served(asked, caller);
  const { client } = services.database;
  let list: unknown;
  const send = async (command: object) => {
    if (!(command instanceof QueryCommand)) return client.send(command as never);
    list ??= await client.send(command);
    return list;
  };
  Object.assign(services, { database: { ...services.database, client: { send } } });
  const answers: string[] = [];
  for (const caller of [aiCaller, third]) {
    answers.push(await served({ ...asked, alt: 1 }, other));
    await removeImage(services, identifyAiImage({ ...aiRequest, ...asked }, caller, undefined).key);
  }
  expect(answers).toEqual(['HIT free', 'HIT free']);
  expect(await served({ ...asked, alt: 1 }, other)).toBe('MISS charged');
});

test('a private image never leaves its account', async () => {
  const { idOf, served, world } = createAccount();
  const mine = await idOf();
  expect(await served({ alt: 1 }, other)).toBe('MISS charged');
  expect(await idOf({}, other)).not.toBe(mine);
  expect(world.asked).toBe(2);
});

test('a request that misses the master has the image made again for the same charge', async () => {
  const { served, spent, imageStore, world } = createAccount();
  await served();
  for (const path of imageStore.images.keys()) await imageStore.remove(path as StoredPath);
  expect(await served({ widthPx: 600, heightPx: 400 })).toBe('MISS charged');
  expect([world.asked, await spent()]).toMatchObject([2, { requests: 2, generations: 2 }]);
});

test('an image that is removed while it is made stays removed', async () => {
  const { clock, ask, served, services, spent } = createAccount();
  const { key } = identifyAiImage(aiRequest, aiCaller, undefined);
  const asking = ask();
  await clock.advance(1_000);
  await removeImage(services, key);
  expect(await clock.settle(asking)).toMatchObject({ refusal: { code: 'image_removed' } });
  expect(await served()).toBe('image_removed');
  expect(await readAiImage(services, key)).toMatchObject({ state: 'removed' });
  expect(await spent()).toMatchObject({ requests: 0 });
});

test('a new image beyond the month’s AI images is refused without a charge', async () => {
  const { clock, ask, served, spent } = createAccount({ plans: withOneGeneration });
  await served();
  const refused = await clock.settle(ask({ query: 'sea' }));
  expect(refused).toMatchObject({
    refusal: { code: 'quota_exceeded', kind: 'generations', rateLimit: { limit: 1 } },
    payment: { rateLimit: { limit: defaultPlans.pro.monthlyRequests } },
  });
  expect(await spent()).toMatchObject({ requests: 1, generations: 1 });
});

test('a free delivery without work left is refused with 429 of `work`', async () => {
  const { clock, ask, served } = createAccount();
  await served();
  const workLimits = listWorkLimits(aiCaller, '', clock.nowMs()).map((limit) => ({ ...limit, max: 0 }));
  expect(await clock.settle(ask({ variation: 1 }, aiCaller, { workLimits }))).toMatchObject({
    refusal: { code: 'rate_limited', kind: 'work', rateLimit: { limit: 0 } },
    payment: { rateLimit: { limit: defaultPlans.pro.monthlyRequests } },
  });
});

test('an instance that remembers a used-up month delivers only images that exist', async () => {
  const { clock, served, services, calls } = createAccount({ plans: withOneGeneration });
  await served();
  const asking = async (query: string) => {
    const context = aContext(aiCaller, clock.nowMs(), { plans: withOneGeneration });
    return clock.settle(serveAi(services, { ...aiRequest, query }, aiCaller, context));
  };
  await asking('sea');
  const before = calls.filter(({ operation }) => operation === 'take').length;
  expect(await asking('sea')).toMatchObject({ refusal: { code: 'quota_exceeded' } });
  expect(calls.filter(({ operation }) => operation === 'take')).toHaveLength(before);
  expect(await asking('lake')).toMatchObject({ outcome: 'served' });
});

test('a refused prompt costs five units of work and a generation, but no request', async () => {
  const { served, spent, world } = createAccount();
  world.model = refusing;
  expect(await served()).toBe('content_refused');
  expect(await served()).toBe('content_refused');
  expect([world.asked, await spent()]).toEqual([1, { requests: 0, generations: 1, work: 5 }]);
});
