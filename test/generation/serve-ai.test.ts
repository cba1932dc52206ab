/** The answer to a request for an AI image, and its costs. */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { defaultPlans } from '../../lambda/contract/plans';
import { variationBounds } from '../../lambda/contract/request-bounds';
import { renditionReserveMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import { removeImage } from '../../lambda/generation/ai-image-store';
import type { StoredPath } from '../../lambda/images/stored-path';
import {
  getQuotaLimit,
  listRequestLimits,
  listWorkLimits,
  makeGenerationMonthLimit,
} from '../../lambda/quota/caller-limits';
import type { AiRequest } from '../../lambda/requests/image-request';
import { createAiWorld, drawAfter, refuseToDraw, serveAi } from '../fakes/ai-services';
import { aiCaller, aiRequest, makeAccountId, makeContext } from '../fakes/values';

const withOneGeneration = { ...defaultPlans, pro: { ...defaultPlans.pro, generationsPerMonth: 1 } };
const publicImage = { visibility: 'public' } as const;
const otherCaller = { ...aiCaller, account: makeAccountId('acc_2') };
const thirdCaller = { ...aiCaller, account: makeAccountId('acc_3') };

function createAccount(...parameters: Parameters<typeof createAiWorld>) {
  const world = createAiWorld(...parameters);
  const { clock, readUsedUnits, services } = world;
  const nowMs = clock.nowMs();
  const readUnits = async (caller = aiCaller) => ({
    requests: await readUsedUnits(getQuotaLimit(listRequestLimits(caller, '', services.plans, nowMs))),
    generations: await readUsedUnits(makeGenerationMonthLimit(caller, services.plans, nowMs)),
    work: await readUsedUnits(listWorkLimits(caller, '', nowMs)[0] as never),
  });
  const serve = async (...request: Parameters<typeof world.ask>) => {
    const answer = await clock.settle(world.ask(...request));
    return answer.outcome === 'served' ? `${answer.cache} ${answer.payment.state}` : answer.refusal.code;
  };
  const findImageId = async (...request: Parameters<typeof world.ask>) => {
    const answer = await clock.settle(world.ask(...request));
    return answer.outcome === 'served' && answer.image.imageId;
  };
  return { ...world, readUnits, serve, findImageId };
}

test('a new image is made once, then each delivery costs one request', async () => {
  const { serve, readUnits, model } = createAccount();
  expect(await serve()).toBe('MISS charged');
  expect(await serve()).toBe('HIT charged');
  expect(await serve({ widthPx: 600, heightPx: 400 })).toBe('HIT charged');
  expect([model.requests.length, await readUnits()]).toEqual([1, { requests: 3, generations: 1, work: 2 }]);
});

test('an API key sees the AI images that are left, visitors of a page do not', async () => {
  const { ask, clock } = createAccount();
  const readGenerationsLeft = async (publishedAs?: 'signer') => {
    const answer = await clock.settle(ask({}, { ...aiCaller, ...(publishedAs && { publishedAs }) }));
    return answer.payment?.rateLimit?.generations?.remaining;
  };
  expect([await readGenerationsLeft(), await readGenerationsLeft('signer')]).toEqual([
    defaultPlans.pro.generationsPerMonth - 1,
    undefined,
  ]);
});

test('200 simultaneous requests for a new image count one generation and one rendition', async () => {
  const { clock, ask, readUnits, model } = createAccount();
  const answers = await clock.settle(Promise.all(Array.from({ length: 200 }, () => ask())));
  const caches = answers.map((answer) => answer.outcome === 'served' && answer.cache);
  expect(caches.filter((cache) => cache === 'MISS')).toHaveLength(1);
  expect(caches.filter((cache) => cache === 'HIT')).toHaveLength(199);
  expect([model.requests.length, await readUnits()]).toEqual([1, { requests: 200, generations: 1, work: 1 }]);
});

test('a page of 24 new images takes 24 of the 25 AI images of a free account', async () => {
  const { clock, ask, readUnits } = createAccount();
  const caller = { ...aiCaller, plan: 'free' } as const;
  const requests = Array.from({ length: 24 }, (_, i) => ask({ query: `lake ${i}` }, caller));
  for (const answer of await clock.settle(Promise.all(requests)))
    expect(answer).toMatchObject({ outcome: 'served' });
  expect(await readUnits(caller)).toMatchObject({ requests: 24, generations: 24 });
});

test('an image that takes 40 s costs nothing until it is delivered', async () => {
  const { clock, serve, readUnits, model } = createAccount();
  model.behaviour = drawAfter(40_000);
  const beganMs = clock.nowMs();
  expect(await serve()).toBe('generation_in_progress');
  expect(clock.nowMs() - beganMs).toBeLessThanOrEqual(21_000);
  expect(await readUnits()).toMatchObject({ requests: 0, generations: 1 });
  await clock.advance(30_000);
  expect(await serve()).toBe('HIT charged');
  expect([model.requests.length, await readUnits()]).toMatchObject([1, { requests: 1, generations: 1 }]);
});

test('a request stops waiting while there is time for a rendition before its deadline', async () => {
  const beganMs = Date.parse('2026-11-21T12:00:00Z');
  const { clock, ask, model } = createAccount(
    { deadline: createDeadline(beganMs + renditionReserveMs + 5_000) },
    beganMs,
  );
  model.behaviour = drawAfter(60_000);
  const answer = await clock.settle(ask());
  expect(answer).toMatchObject({ refusal: { code: 'generation_in_progress' } });
  expect(clock.nowMs() - beganMs).toBe(5_000);
});

test('a variation of a ready image costs a generation and work in place of a request', async () => {
  const { serve, readUnits } = createAccount();
  await serve();
  expect(await serve({ variation: 1 })).toBe('MISS free');
  expect(await serve({ variation: 1 })).toBe('HIT free');
  expect(await readUnits()).toEqual({ requests: 1, generations: 2, work: 1 + 2 + 1 });
});

test('a free variation that is still being made gives its unit of work back', async () => {
  const { serve, readUnits, model } = createAccount();
  await serve();
  model.behaviour = drawAfter(60_000);
  expect(await serve({ variation: 2 })).toBe('generation_in_progress');
  expect(await readUnits()).toMatchObject({ work: 1 });
});

test('a variation without a base image has the base made and pays for it', async () => {
  const { serve, readUnits } = createAccount();
  expect(await serve({ variation: 2 })).toBe('MISS charged');
  expect(await readUnits()).toMatchObject({ requests: 1, generations: 2 });
  expect(await serve()).toBe('HIT charged');
});

test('a ready variation is delivered without its base after the quota is used up', async () => {
  const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, monthlyRequests: 1 } };
  const { serve, services } = createAccount({ plans });
  await serve();
  await serve({ variation: 1 });
  await removeImage(services, identifyAiImage(aiRequest, aiCaller, undefined).key);
  expect(await serve({ variation: 1 })).toBe('HIT free');
  expect(await serve({ variation: 3 })).toBe('quota_exceeded');
});

test('a model that takes 15 s makes an image within the time of its request', async () => {
  const { serve, model } = createAccount();
  model.behaviour = drawAfter(15_000);
  expect(await serve()).toBe('MISS charged');
});

test('if the time of a request ends after the base image is made, the variation is free', async () => {
  const { clock, serve, readUnits, model } = createAccount();
  model.behaviour = drawAfter(15_000);
  expect(await serve({ variation: 3 })).toBe('generation_in_progress');
  await clock.advance(30_000);
  expect(await serve({ variation: 3 })).toBe('HIT free');
  expect(await readUnits()).toMatchObject({ requests: 0, generations: 2 });
});

test('an alternative is a public image of another account and costs no request', async () => {
  const { serve, readUnits } = createAccount();
  await serve(publicImage);
  expect(await serve({ ...publicImage, alt: 3 }, otherCaller)).toBe('HIT free');
  expect(await readUnits(otherCaller)).toEqual({ requests: 0, generations: 0, work: 1 });
  // Without a public image, one is made.
  expect(await serve({ ...publicImage, query: 'sea', alt: 1 }, otherCaller)).toBe('MISS charged');
});

test('`alt` prefers images of other accounts to those of the caller’s account', async () => {
  const { findImageId } = createAccount();
  for (let variation = 1; variation <= variationBounds.max; variation++)
    await findImageId({ ...publicImage, variation });
  await findImageId({ ...publicImage, widthPx: 900, heightPx: 900 });
  const otherImageId = await findImageId(publicImage, otherCaller);
  for (const alt of [1, 2, variationBounds.max]) expect(await findImageId({ alt })).toBe(otherImageId);
  expect(await findImageId({ ...publicImage, alt: 1 })).toBe(otherImageId);
});

test('alternatives are counted from the oldest image and start over after the newest', async () => {
  const { findImageId } = createAccount();
  const oldest = await findImageId({ visibility: 'public' });
  const newest = await findImageId({ visibility: 'public' }, otherCaller);
  expect([await findImageId({ alt: 1 }, thirdCaller), await findImageId({ alt: 2 }, thirdCaller)]).toEqual([
    oldest,
    newest,
  ]);
  expect(await findImageId({ alt: 3 }, thirdCaller)).toBe(oldest);
});

test('a test key gets its own image in place of an alternative', async () => {
  const { serve } = createAccount();
  await serve({ visibility: 'public' });
  expect(await serve({ alt: 1 }, { ...otherCaller, kind: 'test' })).toBe('MISS charged');
});

test('the highest `alt` differs from the first although the caller’s image is the oldest', async () => {
  const { findImageId } = createAccount();
  await findImageId(publicImage);
  for (let i = 1; i <= variationBounds.max; i++)
    await findImageId(publicImage, { ...aiCaller, account: makeAccountId(`other_${i}`) });
  expect(await findImageId({ ...publicImage, alt: 1 })).not.toBe(
    await findImageId({ ...publicImage, alt: variationBounds.max }),
  );
});

test('the next alternative replaces a removed one that is still listed', async () => {
  const { serve, services } = createAccount();
  for (const caller of [aiCaller, thirdCaller]) await serve(publicImage, caller);
  const { client } = services.database;
  let listing: unknown;
  const send = async (command: object) => {
    if (!(command instanceof QueryCommand)) return client.send(command as never);
    listing ??= await client.send(command);
    return listing;
  };
  Object.assign(services, { database: { ...services.database, client: { send } } });
  const answers: string[] = [];
  for (const caller of [aiCaller, thirdCaller]) {
    answers.push(await serve({ ...publicImage, alt: 1 }, otherCaller));
    await removeImage(services, identifyAiImage({ ...aiRequest, ...publicImage }, caller, undefined).key);
  }
  expect(answers).toEqual(['HIT free', 'HIT free']);
  expect(await serve({ ...publicImage, alt: 1 }, otherCaller)).toBe('MISS charged');
});

test('a private image never leaves its account', async () => {
  const { findImageId, serve, model } = createAccount();
  const ownImageId = await findImageId();
  expect(await serve({ alt: 1 }, otherCaller)).toBe('MISS charged');
  expect(await findImageId({}, otherCaller)).not.toBe(ownImageId);
  expect(model.requests.length).toBe(2);
});

test('a request that misses the master has the image made again for the same charge', async () => {
  const { serve, readUnits, imageStore, model } = createAccount();
  await serve();
  for (const path of imageStore.images.keys()) await imageStore.remove(path as StoredPath);
  expect(await serve({ widthPx: 600, heightPx: 400 })).toBe('MISS charged');
  expect([model.requests.length, await readUnits()]).toMatchObject([2, { requests: 2, generations: 2 }]);
});

test('an image that is removed while it is made stays removed', async () => {
  const { clock, ask, serve, services, readUnits, imageStore } = createAccount();
  const answering = ask();
  await clock.advance(1_000);
  await removeImage(services, identifyAiImage(aiRequest, aiCaller, undefined).key);
  expect(await clock.settle(answering)).toMatchObject({ refusal: { code: 'image_removed' } });
  await clock.advance(10_000);
  expect([await serve(), imageStore.images.size]).toEqual(['image_removed', 0]);
  expect(await readUnits()).toMatchObject({ requests: 0 });
});

test('a new image beyond the month’s AI images is refused without a charge', async () => {
  const { clock, ask, serve, readUnits } = createAccount({ plans: withOneGeneration });
  await serve();
  const refusedAnswer = await clock.settle(ask({ query: 'sea' }));
  expect(refusedAnswer).toMatchObject({
    refusal: { code: 'quota_exceeded', kind: 'generations', rateLimit: { limit: 1 } },
    payment: { rateLimit: { limit: defaultPlans.pro.monthlyRequests } },
  });
  expect(await readUnits()).toMatchObject({ requests: 1, generations: 1 });
});

test('a free delivery is refused with 429 once the `work` is used up', async () => {
  const { clock, ask, serve } = createAccount();
  await serve();
  const workLimits = listWorkLimits(aiCaller, '', clock.nowMs()).map((limit) => ({ ...limit, max: 0 }));
  expect(await clock.settle(ask({ variation: 1 }, aiCaller, { workLimits }))).toMatchObject({
    refusal: { code: 'rate_limited', kind: 'work', rateLimit: { limit: 0 } },
    payment: { rateLimit: { limit: defaultPlans.pro.monthlyRequests } },
  });
});

test('an instance that remembers a used-up month delivers only images that exist', async () => {
  const { clock, serve, services, calls } = createAccount({ plans: withOneGeneration });
  await serve();
  const askThisInstance = async (change: Partial<AiRequest>, caller: KeyedCaller = aiCaller) => {
    const context = makeContext(caller, clock.nowMs(), { plans: withOneGeneration });
    return clock.settle(serveAi(services, { ...aiRequest, ...change }, caller, context));
  };
  await askThisInstance({ query: 'sea' });
  const unitsTaken = calls.filter(({ operation }) => operation === 'take').length;
  const refusedAnswer = { refusal: { code: 'quota_exceeded' }, payment: { freeReason: 'no-image' } };
  for (const change of [{ query: 'sea' }, { variation: 1 }, { query: 'sea', variation: 1 }])
    expect(await askThisInstance(change)).toMatchObject(refusedAnswer);
  expect(calls.filter(({ operation }) => operation === 'take')).toHaveLength(unitsTaken);
  // A refused view of a page pays for no other view.
  for (let view = 0; view < 2; view++)
    expect(await askThisInstance({ query: 'sea' }, { ...aiCaller, publishedAs: 'signer' })).toMatchObject(
      refusedAnswer,
    );
  expect(await askThisInstance({})).toMatchObject({ outcome: 'served' });
});

test('a refused prompt costs five units of work and a generation', async () => {
  const { serve, readUnits, model } = createAccount();
  model.behaviour = refuseToDraw;
  expect(await serve()).toBe('content_refused');
  expect(await serve()).toBe('content_refused');
  expect([model.requests.length, await readUnits()]).toEqual([1, { requests: 0, generations: 1, work: 5 }]);
});
