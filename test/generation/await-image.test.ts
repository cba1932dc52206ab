/** How an image is made: what is counted, started, waited for and given back. */

import type { Clock } from '../../lambda/base/clock';
import { makeDeadline } from '../../lambda/base/deadline';
import { defaultPlans } from '../../lambda/contract/plans';
import { identifyAiImage } from '../../lambda/generation/ai-image-identity';
import { readAiImage } from '../../lambda/generation/ai-image-store';
import { type GenerationJob, generateImage } from '../../lambda/generation/generate-image';
import {
  listGenerationLimits,
  listWorkLimits,
  makeGenerationDayLimit,
} from '../../lambda/quota/caller-limits';
import type { Limit } from '../../lambda/quota/limit';
import { createAiWorld, drawImage, failOutOfService, refuseToDraw } from '../fakes/ai-services';
import { makeLostAnswer } from '../fakes/memory-database';
import { aiCaller, aiRequest, makeAccountId } from '../fakes/values';

const { key } = identifyAiImage(aiRequest, aiCaller, undefined);
/** Returns the units that are taken of each limit of AI images. */
const generationsTaken = (clock: Clock, used: (limit: Limit) => Promise<number>) =>
  Promise.all(listGenerationLimits(aiCaller, defaultPlans, undefined, clock.nowMs()).map(used));
const failOnce = <Name extends string>(of: Record<Name, unknown>, name: Name) =>
  jest.spyOn(of as Record<string, () => Promise<void>>, name).mockRejectedValueOnce(new Error('429'));
const codeOf = (answer: Awaited<ReturnType<ReturnType<typeof createAiWorld>['ask']>>) =>
  answer.outcome === 'served' ? answer.outcome : answer.refusal.code;

test('a waiting request reads its image thirteen times at most', async () => {
  const { clock, ask, world, memory } = createAiWorld();
  world.model = drawImage(60_000);
  let reads = 0;
  const apply = memory.apply;
  jest.spyOn(memory, 'apply').mockImplementation((command) => {
    const { input } = command as {
      readonly input: { readonly Key?: { readonly pk: string }; UpdateExpression?: string };
    };
    if (input.Key?.pk === key && !input.UpdateExpression) reads += 1;
    return apply(command);
  });
  expect(codeOf(await clock.settle(ask()))).toBe('generation_in_progress');
  expect(reads).toBeLessThanOrEqual(13);
});

test('a request without a place to wait is refused while its image is made', async () => {
  const { clock, ask, telemetry, world } = createAiWorld({ unreservedExecutions: async () => 16 });
  const asked = ['a', 'b', 'c'].map((query) => ask({ query }));
  const codes = (await clock.settle(Promise.all(asked))).map(codeOf);
  expect(codes.toSorted()).toEqual(['generation_in_progress', 'served', 'served']);
  expect(telemetry.counts).toContainEqual({ metric: 'overloads', dimensions: { reason: 'too_many_wait' } });
  expect(world.asked).toBe(3);
  expect(codeOf(await clock.settle(ask({ query: 'd' })))).toBe('served');
});

test('a model that has failed is asked again by the first request after 30 s', async () => {
  const { clock, ask, world, readUsed: used } = createAiWorld();
  world.model = failOutOfService;
  const [askedIn, leftS]: [number[], number[]] = [[], []];
  for (const pauseMs of [0, 1_000, 28_000, 1_000, 29_000, 1_000]) {
    await clock.advance(pauseMs);
    const answer = await clock.settle(ask());
    askedIn.push(world.asked);
    const pauseS =
      answer.outcome === 'refused' && 'retryAfterS' in answer.refusal && answer.refusal.retryAfterS;
    leftS.push(Number(pauseS));
  }
  expect(askedIn).toEqual([1, 1, 1, 2, 2, 3]);
  expect(leftS).toEqual([30, 29, 1, 30, 1, 30]);
  expect(await generationsTaken(clock, used)).toEqual([0, 0, 0]);
});

test.each([
  ['an empty image', ''],
  ['a GIF, which is not stored', 'GIF89a'],
])('a generation stays counted after the model has replied with %s', async (_, bytes) => {
  const { clock, ask, world, readUsed: used, imageStore, telemetry } = createAiWorld();
  world.model = async () => ({ image: Buffer.from(bytes) });
  expect(codeOf(await clock.settle(ask()))).toBe('upstream_unavailable');
  expect(await generationsTaken(clock, used)).toEqual([1, 1, 1]);
  expect([imageStore.images.size, telemetry.errors[0]?.fields]).toEqual([
    0,
    { generator: 'sandbox', kind: 'unknown' },
  ]);
});

test('an account that has used a quarter of the operator’s day is refused until midnight', async () => {
  const { clock, ask, readUsed: used } = createAiWorld({ generationsPerDay: 26 });
  const begin = (account: string, i: number) =>
    ask({ query: `${account} ${i}` }, { ...aiCaller, account: makeAccountId(account) });
  const first: string[] = [];
  // The limit of a minute is 30 for an account.
  for (let i = 0; i < 26; i++) first.push(codeOf(await clock.settle(begin('acc_1', i))));
  expect(first.filter((code) => code === 'served')).toHaveLength(25);
  expect(first.at(-1)).toBe('generation_paused');
  expect(codeOf(await clock.settle(begin('acc_2', 0)))).toBe('served');
  const paused = await clock.settle(begin('acc_3', 0));
  expect(paused).toMatchObject({
    refusal: { endsMs: makeGenerationDayLimit(26, clock.nowMs()).window.endsMs },
  });
  expect(await used(makeGenerationDayLimit(26, clock.nowMs()))).toBe(26);
});

test('the 31st new image of an account within a minute is refused for 60 s', async () => {
  const { clock, ask } = createAiWorld();
  const answers = await clock.settle(
    Promise.all(Array.from({ length: 31 }, (_, i) => ask({ query: `lake ${i}` }))),
  );
  const refused = answers.filter((answer) => answer.outcome === 'refused');
  expect(refused).toMatchObject([{ refusal: { code: 'generation_in_progress', retryAfterS: 60 } }]);
});

test('no prompt is sent after refused prompts have used up the work of the hour', async () => {
  const { clock, ask, world, readUsed: used } = createAiWorld();
  world.model = refuseToDraw;
  const caller = { ...aiCaller, kind: 'test', plan: 'pro' } as const;
  const codes: string[] = [];
  for (let i = 0; i < 25; i++) codes.push(codeOf(await clock.settle(ask({ query: `bad ${i}` }, caller))));
  const [work] = listWorkLimits(caller, '', clock.nowMs());
  expect([world.asked, work && (await used(work))]).toEqual([20, 100]);
  expect(codes.slice(20)).toEqual(Array(5).fill('rate_limited'));
});

test.each<[step: string, fails: (world: ReturnType<typeof createAiWorld>) => unknown]>([
  // The writes: the request, the image, its month.
  ['counted', ({ script }) => script.push(undefined, undefined, new Error('no table'))],
  ['handed over', ({ services }) => failOnce(services.generatorQueue, 'handOver')],
])('if a generation was not %s, the next request has the image made', async (_, fails) => {
  const world = createAiWorld();
  const { clock, ask, readUsed: used } = world;
  fails(world);
  expect(codeOf(await clock.settle(ask()))).toBe('service_unavailable');
  expect(await generationsTaken(clock, used)).toEqual([0, 0, 0]);
  expect(codeOf(await clock.settle(ask()))).toBe('served');
});

test('a generation whose count has an unknown outcome does not begin', async () => {
  const { clock, ask, script, readUsed: used, jobs } = createAiWorld();
  const [month] = listGenerationLimits(aiCaller, defaultPlans, undefined, clock.nowMs());
  // The writes: the request, the image, its month, its minute.
  script.push(undefined, undefined, undefined, 'unknown');
  expect(codeOf(await clock.settle(ask()))).toBe('service_unavailable');
  expect([month && (await used(month)), jobs]).toEqual([0, []]);
});

test('a generation that has begun stays counted although its invocation failed', async () => {
  const { clock, ask, readUsed: used, services } = createAiWorld();
  const { handOver } = services.generatorQueue;
  const begun = async (job: never) => {
    await handOver(job);
    await clock.sleep(100);
    throw new Error('lost');
  };
  Object.assign(services, { generatorQueue: { handOver: begun } });
  expect(codeOf(await clock.settle(ask()))).toBe('served');
  expect(await generationsTaken(clock, used)).toEqual([1, 1, 1]);
});

test('a generation stays counted if it is unknown that it has ended', async () => {
  const { clock, ask, world, readUsed: used, memory } = createAiWorld();
  world.model = failOutOfService;
  const apply = memory.apply;
  jest.spyOn(memory, 'apply').mockImplementation((command) => {
    const { input } = command as { readonly input: { ExpressionAttributeValues?: Record<string, unknown> } };
    if (input.ExpressionAttributeValues?.[':state'] === 'failed') throw makeLostAnswer();
    return apply(command);
  });
  await expect(clock.settle(ask())).rejects.toThrow();
  expect(await generationsTaken(clock, used)).toEqual([1, 1, 1]);
});

test('a master is removed but stays counted if the outcome of its write is unknown', async () => {
  const { clock, ask, readUsed: used, imageStore } = createAiWorld();
  const { put } = imageStore;
  imageStore.put = async (...image) => {
    await put(...image);
    throw new Error('away');
  };
  expect(codeOf(await clock.settle(ask()))).toBe('upstream_unavailable');
  expect(await generationsTaken(clock, used)).toEqual([1, 1, 1]);
  expect(imageStore.images.size).toBe(0);
});

test('a model is stopped ten seconds before its function ends', async () => {
  const { clock, ask, world, services, generating } = createAiWorld();
  const jobs: GenerationJob[] = [];
  Object.assign(services, {
    generatorQueue: { handOver: async (job: GenerationJob) => void jobs.push(job) },
  });
  const ends: string[] = [];
  for (const [query, drawsMs] of [
    ['in time', 4_000],
    ['too late', 6_000],
  ] as const) {
    world.model = drawImage(drawsMs);
    await clock.settle(ask({ query }));
    const job = jobs.at(-1) as GenerationJob;
    await clock.settle(
      generateImage({ ...generating, deadline: makeDeadline(clock.nowMs() + 15_000) }, job, 'run'),
    );
    ends.push((await readAiImage(services, job.key))?.state ?? '');
  }
  expect(ends).toEqual(['ready', 'failed']);
});

test('after the lease of a dead run, the next request has the image made', async () => {
  const { clock, ask, world, services } = createAiWorld();
  const { generatorQueue } = services;
  Object.assign(services, { generatorQueue: { handOver: async () => undefined } });
  expect(codeOf(await clock.settle(ask()))).toBe('generation_in_progress');
  Object.assign(services, { generatorQueue });
  await clock.advance(160_000);
  expect(codeOf(await clock.settle(ask()))).toBe('generation_in_progress');
  await clock.advance(40_000);
  expect(codeOf(await clock.settle(ask()))).toBe('served');
  expect(world.asked).toBe(1);
});

test.each([true, false])(
  'a variation starts from its base image if the model can start from images (%s)',
  async (starts) => {
    const { clock, ask, world } = createAiWorld();
    world.startsFromImages = starts;
    for (const change of [{}, { variation: 3 }, { query: 'sea', variation: 1 }])
      await clock.settle(ask(change));
    expect(world.wanted.map(({ variation, base }) => [variation, base !== undefined])).toEqual([
      [undefined, false],
      [3, starts],
      [undefined, false],
      [1, starts],
    ]);
  },
);

test('a variation whose base image cannot be read counts no generation', async () => {
  const { clock, ask, world, imageStore, readUsed: used } = createAiWorld();
  world.startsFromImages = true;
  await clock.settle(ask());
  imageStore.get = () => Promise.reject(new Error('away'));
  const before = await generationsTaken(clock, used);
  expect(codeOf(await clock.settle(ask({ variation: 3 })))).toBe('upstream_unavailable');
  expect([world.asked, await generationsTaken(clock, used)]).toEqual([1, before]);
});
