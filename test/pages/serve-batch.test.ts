/** Tests how a batch is served: no image twice, no excluded image, and one unit for each. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import type { AwaitDecision } from '../../lambda/generation/decide-ai-request';
import { type Batch, serveBatch } from '../../lambda/pages/serve-batch';
import { getQuotaLimit, listRequestLimits, listWorkLimits } from '../../lambda/quota/caller-limits';
import type { Limit } from '../../lambda/quota/limit';
import { takeWork } from '../../lambda/quota/take';
import type { AiRequest, StockRequest } from '../../lambda/requests/image-request';
import type { Answer } from '../../lambda/serving/answer';
import { createDeferred, createVirtualClock, letOthersRun } from '../fakes/clock';
import { createScriptedServices, type ScriptedImages } from '../fakes/image-services';
import { createFakeLimits } from '../fakes/limits';
import { createRecordedTelemetry } from '../fakes/telemetry';
import {
  aiRequest,
  makeStockRequest as find,
  makeAccountId,
  makeContext,
  noImage,
  servedImage,
} from '../fakes/values';

const startMs = Date.parse('2026-11-21T12:34:56Z');
const caller: KeyedCaller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'free', keyId: 'key_1' };

const draw = (query: string, change: Partial<AiRequest> = {}): AiRequest => ({
  ...aiRequest,
  widthPx: 1_920,
  heightPx: 1_080,
  query,
  ...change,
});
const onmiss = { filters: { onmiss: 'ai' } } as const;
const makeBatch = (
  requests: Readonly<Record<string, StockRequest | AiRequest>>,
  exclude: readonly string[] = [],
): Batch => ({
  exclude,
  entries: Object.entries(requests).map(([pageSlot, request]) => ({ pageSlot, request })),
});

/** A service whose stock has these images of each query, best first; the seed names the place. */
function createBatchService(
  offered: Readonly<Record<string, readonly string[]>>,
  limit = 1_000,
  change: Parameters<typeof createScriptedServices>[0] = {},
) {
  const clock = createVirtualClock(startMs);
  const telemetry = createRecordedTelemetry();
  const counters = createFakeLimits(clock, telemetry);
  const generated: string[] = [];
  const atWork = { now: 0, max: 0 };
  const rendered: string[] = [];
  const obtainStockImage: ScriptedImages['obtainStockImage'] = async ({ query, seed, pick }, context) => {
    if (pick !== undefined) return { outcome: 'served', image: { ...servedImage, pick }, cache: 'HIT' };
    if (query === 'broken') throw new Error('out of order');
    const offeredPicks = offered[query] ?? [];
    const first = Number(seed === '' ? 1 : seed) - 1;
    for (let step = 0; step < offeredPicks.length; step++) {
      // Those before the last one cannot be delivered.
      const picks = (offeredPicks[(first + step) % offeredPicks.length] as string).split('>');
      let reservedPick: string | undefined;
      for (const pick of picks) reservedPick = (await context.batchMember?.reserve(pick)) ? pick : undefined;
      if (query === 'breaks') throw new Error('out of order');
      if (reservedPick === undefined) continue;
      rendered.push(reservedPick);
      return { outcome: 'served', image: { ...servedImage, pick: reservedPick }, cache: 'MISS' };
    }
    return { outcome: 'refused', refusal: { code: 'no_image_found' } };
  };
  const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: limit } };
  const scriptedImages: Parameters<typeof createScriptedServices>[0] = {
    obtainStockImage,
    async decideAndReserve(aiRequest, caller, batchMember) {
      const request = aiRequest as AiRequest;
      const { imageId } = identifyAiImage(request, caller as KeyedCaller, request.variation);
      const pick = imageId.slice(0, 20);
      return (await batchMember?.reserve(pick)) === false
        ? { outcome: 'refused', refusal: { code: 'duplicate_image' } }
        : ({ kind: 'await', identity: { imageId: request.query } } as AwaitDecision);
    },
    obtainAiImage: async (decision) => {
      const { imageId } = (decision as AwaitDecision).identity;
      generated.push(imageId);
      atWork.now += 1;
      atWork.max = Math.max(atWork.max, atWork.now);
      await letOthersRun();
      atWork.now -= 1;
      if (imageId === 'slow')
        return { outcome: 'refused', refusal: { code: 'generation_in_progress', retryAfterS: 5 } };
      const image = { ...servedImage, source: 'ai' as const, imageId, pick: `pick of ${imageId}` };
      return { outcome: 'served', image, cache: 'MISS' };
    },
    ...change,
  };
  const { services, stock } = createScriptedServices(scriptedImages, {
    clock,
    telemetry,
    config: { PLANS: plans },
    limits: counters,
  });
  const serveAnswers = (batch: Batch, batchCaller = caller) => {
    const context = makeContext(batchCaller, startMs, { plans, format: 'jpeg' });
    return serveBatch(services, batch, { caller: batchCaller, context });
  };
  const serve = async (batch: Batch, batchCaller = caller) => {
    const answers = await serveAnswers(batch, batchCaller);
    return Object.fromEntries(
      batch.entries.map(({ pageSlot }, i) => {
        const answer = answers[i] as Answer;
        expect(answer.outcome).toMatch(/^(served|refused)$/);
        return [
          pageSlot,
          answer.outcome === 'served' ? (answer.image.imageId ?? answer.image.pick) : answer.refusal.code,
        ];
      }),
    );
  };
  const readCharged = async () =>
    counters.readUsedUnits(getQuotaLimit(listRequestLimits(caller, '', plans, startMs)));
  return { serve, stock, serveAnswers, telemetry, readCharged, generated, rendered, counters, atWork };
}

describe('serveBatch', () => {
  test('a batch gives each slot a different image, each charged once', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['l1', 'l2', 'l3'], tree: ['t1'] });
    const batch = makeBatch({ a: find('lake'), b: find('tree'), c: find('lake'), d: find('lake') });
    expect(await serve(batch)).toEqual({ a: 'l1', b: 't1', c: 'l2', d: 'l3' });
    expect(await readCharged()).toBe(4);
  });

  test('the image that one entry of a batch names is shown by no other entry', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['l1', 'l2'] });
    const named = find('', { pick: 'l1' });
    const resultBySlot = await serve(makeBatch({ a: find('lake'), b: named, c: named }));
    expect(resultBySlot).toEqual({ a: 'l2', b: 'l1', c: 'duplicate_image' });
    expect(await readCharged()).toBe(2);
  });

  test('an image that its own entry cannot show is free for the others', async () => {
    const { serve } = createBatchService({}, 1_000, {
      obtainStockImage: async ({ pick }, { batchMember }) => {
        if (pick !== undefined) return { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
        for (let i = 0; i < 20; i++) await letOthersRun();
        return (await batchMember?.reserve('l1'))
          ? { outcome: 'served', image: { ...servedImage, pick: 'l1' }, cache: 'MISS' }
          : noImage;
      },
    });
    const resultBySlot = await serve(makeBatch({ a: find('', { pick: 'l1' }), b: find('lake') }));
    expect(resultBySlot).toEqual({ a: 'upstream_unavailable', b: 'l1' });
  });

  test('with onmiss=ai, a slot gets an AI image if other slots show all stock images', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['l1'] });
    const batch = makeBatch({ a: find('lake'), b: find('lake', onmiss), c: find('lake', onmiss) });
    expect(await serve(batch)).toEqual({ a: 'l1', b: 'lake', c: 'duplicate_image' });
    expect(await readCharged()).toBe(2);
  });

  test('a slot without an image names the provider that failed', async () => {
    const obtainStockImage: ScriptedImages['obtainStockImage'] = async (_, { batchMember }) =>
      (await batchMember?.reserve('l1'))
        ? { outcome: 'served', image: { ...servedImage, pick: 'l1' }, cache: 'MISS' }
        : { outcome: 'refused', refusal: { code: 'upstream_unavailable' } };
    const { serve } = createBatchService({}, 1_000, { obtainStockImage });
    const resultBySlot = await serve(makeBatch({ a: find('lake'), b: find('lake') }));
    expect(resultBySlot).toEqual({ a: 'l1', b: 'upstream_unavailable' });
  });

  test('a slot without an image costs nothing', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['l1'] });
    const batch = makeBatch({ a: find('lake'), b: find('nothing'), c: find('lake'), d: find('broken') });
    const refused = { b: 'no_image_found', c: 'duplicate_image', d: 'internal_error' };
    expect(await serve(batch)).toEqual({ a: 'l1', ...refused });
    expect(await readCharged()).toBe(1);
  });

  test('if the quota ends within a batch, its last slots are refused', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['l1', 'l2', 'l3'] }, 2);
    const resultBySlot = await serve(makeBatch({ a: find('lake'), b: find('lake'), c: find('lake') }));
    expect(resultBySlot).toEqual({ a: 'l1', b: 'l2', c: 'quota_exceeded' });
    expect(await readCharged()).toBe(2);
  });

  test('a charge whose refund fails has an unknown outcome', async () => {
    const { serveAnswers, readCharged, counters } = createBatchService({});
    counters.failRefunds(new Error('lost'));
    const answers = await serveAnswers(makeBatch({ a: find('nothing', onmiss), b: find('nothing', onmiss) }));
    const payment = { state: 'unknown' };
    expect(answers).toMatchObject([
      { outcome: 'served', payment },
      { refusal: { code: 'duplicate_image' }, payment },
    ]);
    expect(await readCharged()).toBe(2);
  });

  test('a batch renders only the images that are shown', async () => {
    const { serve, rendered, readCharged } = createBatchService({ lake: ['x', 'l2'], water: ['x'] });
    const batch = makeBatch({ a: find('lake'), b: find('water'), c: find('lake'), d: find('nothing') });
    expect(await serve(batch)).toEqual({ a: 'x', b: 'duplicate_image', c: 'l2', d: 'no_image_found' });
    expect(rendered.toSorted()).toEqual(['l2', 'x']);
    expect(await readCharged()).toBe(2);
  });

  test('an image that two slots ask for by onmiss is made once and charged once', async () => {
    const { serve, readCharged, generated } = createBatchService({});
    const batch = makeBatch({ a: find('fox', onmiss), b: find('fox', onmiss), c: draw('fox') });
    const results = Object.values(await serve(batch));
    expect(results.toSorted()).toEqual(['duplicate_image', 'duplicate_image', 'fox']);
    expect(generated).toEqual(['fox']);
    expect(await readCharged()).toBe(1);
  });

  test('a batch generates all its AI images at the same time', async () => {
    const { serve, generated, atWork } = createBatchService({});
    const names = Array.from({ length: 24 }, (_, i) => `fox ${i}`);
    const resultBySlot = await serve(makeBatch(Object.fromEntries(names.map((name) => [name, draw(name)]))));
    expect(Object.values(resultBySlot)).toEqual(names);
    expect(generated).toHaveLength(24);
    expect(atWork).toEqual({ now: 0, max: 24 });
  });

  test('a batch generates an image of two slots once', async () => {
    const { serve, readCharged, generated } = createBatchService({});
    const batch = makeBatch({
      a: draw('fox'),
      b: draw('Fox', { widthPx: 960, heightPx: 540 }),
      c: draw('slow'),
      d: draw('fox', { variation: 2 }),
    });
    expect(await serve(batch)).toMatchObject({ a: 'fox', b: 'duplicate_image', c: 'generation_in_progress' });
    expect(generated).toEqual(['fox', 'slow', 'fox']);
    expect(await readCharged()).toBe(2);
  });
});

describe('serveBatch with one image', () => {
  test('an image of a batch that fails after its charge is refunded', async () => {
    const { serveAnswers, readCharged, telemetry } = createBatchService({ breaks: ['x'] });
    const [broken] = await serveAnswers(makeBatch({ a: find('breaks'), b: find('sea') }));
    expect(broken).toMatchObject({ refusal: { code: 'internal_error' }, payment: { state: 'refunded' } });
    expect(telemetry.errors).toMatchObject([
      { message: 'An image of a batch failed', fields: { requestId: 'r.0' } },
    ]);
    expect(await readCharged()).toBe(0);
  });

  test('a slot is charged once if its first image cannot be delivered', async () => {
    const { serve, readCharged } = createBatchService({ lake: ['u>v'], u: ['w', 'u'], v: ['v', 'z'] });
    expect(await serve(makeBatch({ a: find('lake'), b: find('v') }))).toEqual({ a: 'v', b: 'z' });
    expect(await readCharged()).toBe(2);
  });

  test('a slot is refunded if other slots show all images of its words', async () => {
    const shownAlready = Array.from({ length: 20 }, () => 'u>l1');
    const { serveAnswers, readCharged } = createBatchService({ lake: ['l1'], odd: shownAlready });
    const [, oddAnswer] = await serveAnswers(makeBatch({ a: find('lake'), b: find('odd') }));
    expect(oddAnswer).toMatchObject({ refusal: { code: 'duplicate_image' }, payment: { state: 'refunded' } });
    expect(await readCharged()).toBe(1);
  });

  test('an instance that knows a used-up quota refuses without a call', async () => {
    const { serve, counters } = createBatchService({ lake: ['l1', 'l2'] }, 1);
    const batch = makeBatch({ a: find('lake'), b: find('lake') });
    expect(await serve(batch)).toEqual({ a: 'l1', b: 'quota_exceeded' });
    const callsBefore = counters.calls.length;
    expect(await serve(batch)).toEqual({ a: 'quota_exceeded', b: 'quota_exceeded' });
    expect(counters.calls).toHaveLength(callsBefore);
  });

  test('with a test key, an image of a batch may be a test value', async () => {
    const { serve } = createBatchService({ 'test:x': ['l1'], 'test:quota': ['l2'] });
    const batch = makeBatch({ a: find('test:quota'), b: find('test:x') });
    expect(await serve(batch, { ...caller, kind: 'test' })).toEqual({ a: 'quota_exceeded', b: 'l1' });
    expect(await serve(batch)).toEqual({ a: 'l2', b: 'l1' });
  });
});

test('the use of a known image in a batch is reported', async () => {
  const reportedUses: string[] = [];
  const obtainStockImage: ScriptedImages['obtainStockImage'] = async (_, context) => {
    await context.batchMember?.reserve('l2');
    await takeWork(counters.services, context);
    return { outcome: 'served', image: { ...servedImage, pick: 'l2' }, cache: 'HIT' };
  };
  const reportFirstUseOfDay: ScriptedImages['reportFirstUseOfDay'] = async ({ pick }, owner) =>
    void reportedUses.push(`${pick} ${owner}`);
  const { serve, stock, counters } = createBatchService({}, 1_000, { obtainStockImage, reportFirstUseOfDay });
  stock.setStoredAnswer({
    ...servedImage,
    pick: 'l1',
    use: { provider: 'unsplash', url: 'https://api.example/use' },
  });
  expect(await serve(makeBatch({ a: find('lake'), b: find('lake') }))).toEqual({ a: 'l1', b: 'l2' });
  expect(reportedUses).toEqual(['l1 acc_1']);
  const [work] = listWorkLimits(caller, '', startMs);
  expect(await counters.readUsedUnits(work as Limit)).toBe(1);
});

describe('serveBatch with several images', () => {
  test('images are chosen while earlier images are rendered or made', async () => {
    const rendering = createDeferred<void>();
    const chosen: string[] = [];
    const obtainStockImage: ScriptedImages['obtainStockImage'] = async ({ query }, context) => {
      await context.batchMember?.reserve(query);
      chosen.push(query);
      await rendering.promise;
      return { outcome: 'served', image: { ...servedImage, pick: query }, cache: 'MISS' };
    };
    const obtainAiImage = async () => {
      await rendering.promise;
      return { outcome: 'refused', refusal: { code: 'content_refused' } } as const;
    };
    const { serve } = createBatchService({}, 1_000, { obtainStockImage, obtainAiImage });
    const serving = serve(makeBatch({ a: draw('fox'), b: find('lake'), c: find('tree') }));
    for (let i = 0; i < 5; i++) await letOthersRun();
    expect(chosen).toEqual(['lake', 'tree']);
    rendering.resolve();
    expect(await serving).toEqual({ a: 'content_refused', b: 'lake', c: 'tree' });
  });

  test('an image that an earlier slot cannot show goes to a later slot', async () => {
    const breaks = createBatchService({ breaks: ['x'], lake: ['x', 'l2'] });
    expect(await breaks.serve(makeBatch({ a: find('breaks'), b: find('lake') }))).toMatchObject({ b: 'l2' });
    expect(await breaks.serve(makeBatch({ a: find('lake'), b: find('breaks') }))).toMatchObject({ a: 'x' });
    const undelivered = createBatchService({ lake: ['u>v'], tree: ['t1', 'u'], sea: ['t1', 'u'] });
    const batch = makeBatch({ a: find('lake'), b: find('tree'), c: find('sea') });
    expect(await undelivered.serve(batch)).toEqual({ a: 'v', b: 't1', c: 'u' });
  });

  test.each([
    ['quota', 1, caller],
    ['limit of its key', 1_000, { ...caller, maxPerMonth: 1 }],
  ])('an instance that knows a used-up %s searches for no image', async (_, limit, keyHolder) => {
    const searched: string[] = [];
    const obtainStockImage: ScriptedImages['obtainStockImage'] = async ({ query, pick }) => {
      if (pick !== undefined) return { outcome: 'served', image: { ...servedImage, pick }, cache: 'HIT' };
      searched.push(query);
      return { outcome: 'refused', refusal: { code: 'no_image_found' } };
    };
    const { serve } = createBatchService({}, limit, { obtainStockImage });
    await serve(makeBatch({ a: find('', { pick: 'p1' }), b: find('', { pick: 'p2' }) }), keyHolder);
    expect(await serve(makeBatch({ a: find('lake') }), keyHolder)).toEqual({ a: 'quota_exceeded' });
    expect(searched).toEqual([]);
  });
});

describe('serveBatch with exclude', () => {
  test('the next image of the same words replaces an excluded image', async () => {
    const { serve, readCharged, rendered } = createBatchService({ lake: ['l1', 'l2', 'l3'], tree: ['t1'] });
    const batch = makeBatch({ a: find('lake'), b: find('lake'), c: find('tree') }, ['l2', 't1', 'unknown']);
    expect(await serve(batch)).toEqual({ a: 'l1', b: 'l3', c: 'duplicate_image' });
    expect(rendered).toEqual(['l1', 'l3']);
    expect(await readCharged()).toBe(2);
  });

  test('an entry that names or would make an excluded image costs nothing', async () => {
    const { serve, readCharged, generated } = createBatchService({});
    const foxPick = identifyAiImage(draw('fox'), caller, undefined).imageId.slice(0, 20);
    const variationPick = identifyAiImage(draw('fox'), caller, 2).imageId.slice(0, 20);
    const named = find('', { pick: 'p1' });
    const batch = makeBatch(
      { a: named, b: draw('fox'), c: draw('fox', { variation: 2 }), d: draw('owl'), e: find('fox', onmiss) },
      ['p1', foxPick, variationPick],
    );
    const refused = 'duplicate_image';
    expect(await serve(batch)).toEqual({ a: refused, b: refused, c: refused, d: 'owl', e: refused });
    expect(generated).toEqual(['owl']);
    expect(await readCharged()).toBe(1);
  });
});
