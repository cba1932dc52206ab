/** How an image is made: what is counted, started, waited for and given back. */

import type { Clock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
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
import { createAiWorld, drawAfter, failOutOfService, refuseToDraw } from '../fakes/ai-services';
import { makeLostAnswer } from '../fakes/memory-database';
import { aiCaller, aiRequest, makeAccountId } from '../fakes/values';

const { key } = identifyAiImage(aiRequest, aiCaller, undefined);
/** Returns the units that are taken of each limit of AI images. */
const readGenerationsTaken = (clock: Clock, readUsedUnits: (limit: Limit) => Promise<number>) =>
  Promise.all(listGenerationLimits(aiCaller, defaultPlans, undefined, clock.nowMs()).map(readUsedUnits));
const failOnce = <Name extends string>(services: Record<Name, unknown>, name: Name) =>
  jest.spyOn(services as Record<string, () => Promise<void>>, name).mockRejectedValueOnce(new Error('429'));
const getCode = (answer: Awaited<ReturnType<ReturnType<typeof createAiWorld>['ask']>>) =>
  answer.outcome === 'served' ? answer.outcome : answer.refusal.code;

test('a waiting request reads its image thirteen times at most', async () => {
  const { clock, ask, model, memory } = createAiWorld();
  model.behaviour = drawAfter(60_000);
  let reads = 0;
  const apply = memory.apply;
  jest.spyOn(memory, 'apply').mockImplementation((command) => {
    const { input } = command as {
      readonly input: { readonly Key?: { readonly pk: string }; UpdateExpression?: string };
    };
    if (input.Key?.pk === key && !input.UpdateExpression) reads += 1;
    return apply(command);
  });
  expect(getCode(await clock.settle(ask()))).toBe('generation_in_progress');
  expect(reads).toBe(13);
});

test('a request without a place to wait is refused while its image is made', async () => {
  const { clock, ask, telemetry, model } = createAiWorld({ countUnreservedExecutions: async () => 16 });
  const answers = ['a', 'b', 'c'].map((query) => ask({ query }));
  const codes = (await clock.settle(Promise.all(answers))).map(getCode);
  expect(codes.toSorted()).toEqual(['generation_in_progress', 'served', 'served']);
  expect(telemetry.counts).toContainEqual({ metric: 'overloads', dimensions: { reason: 'too_many_wait' } });
  expect(model.requests.length).toBe(3);
  expect(getCode(await clock.settle(ask({ query: 'd' })))).toBe('served');
});

test('a model that has failed is asked again by the first request after 30 s', async () => {
  const { clock, ask, model, readUsedUnits } = createAiWorld();
  model.behaviour = failOutOfService;
  const [askedIn, leftS]: [number[], number[]] = [[], []];
  for (const pauseMs of [0, 1_000, 28_000, 1_000, 29_000, 1_000]) {
    await clock.advance(pauseMs);
    const answer = await clock.settle(ask());
    askedIn.push(model.requests.length);
    const pauseS =
      answer.outcome === 'refused' && 'retryAfterS' in answer.refusal && answer.refusal.retryAfterS;
    leftS.push(Number(pauseS));
  }
  expect(askedIn).toEqual([1, 1, 1, 2, 2, 3]);
  expect(leftS).toEqual([30, 29, 1, 30, 1, 30]);
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([0, 0, 0]);
});

test.each([
  ['an empty image', ''],
  ['a GIF, which is not stored', 'GIF89a'],
])('a generation stays counted after the model has replied with %s', async (_, bytes) => {
  const { clock, ask, model, readUsedUnits, imageStore, telemetry } = createAiWorld();
  model.behaviour = async () => ({ image: Buffer.from(bytes) });
  expect(getCode(await clock.settle(ask()))).toBe('upstream_unavailable');
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([1, 1, 1]);
  expect([imageStore.images.size, telemetry.errors[0]?.fields]).toEqual([
    0,
    { generator: 'sandbox', kind: 'unknown' },
  ]);
});

test('an account that has used a quarter of the operator’s day is refused until midnight', async () => {
  const { clock, ask, readUsedUnits } = createAiWorld({ generationsPerDay: 26 });
  const askAs = (account: string, i: number) =>
    ask({ query: `${account} ${i}` }, { ...aiCaller, account: makeAccountId(account) });
  const codes: string[] = [];
  // The limit of a minute is 30 for an account.
  for (let i = 0; i < 26; i++) codes.push(getCode(await clock.settle(askAs('acc_1', i))));
  expect(codes.filter((code) => code === 'served')).toHaveLength(25);
  expect(codes.at(-1)).toBe('generation_paused');
  expect(getCode(await clock.settle(askAs('acc_2', 0)))).toBe('served');
  const refusedAnswer = await clock.settle(askAs('acc_3', 0));
  expect(refusedAnswer).toMatchObject({
    refusal: { endsMs: makeGenerationDayLimit(26, clock.nowMs()).window.endsMs },
  });
  expect(await readUsedUnits(makeGenerationDayLimit(26, clock.nowMs()))).toBe(26);
});

test('the 31st new image of an account within a minute is refused for 60 s', async () => {
  const { clock, ask } = createAiWorld();
  const answers = await clock.settle(
    Promise.all(Array.from({ length: 31 }, (_, i) => ask({ query: `lake ${i}` }))),
  );
  const refusedAnswers = answers.filter((answer) => answer.outcome === 'refused');
  expect(refusedAnswers).toMatchObject([{ refusal: { code: 'generation_in_progress', retryAfterS: 60 } }]);
});

test('no prompt is sent after refused prompts have used up the work of the hour', async () => {
  const { clock, ask, model, readUsedUnits } = createAiWorld();
  model.behaviour = refuseToDraw;
  const caller = { ...aiCaller, kind: 'test', plan: 'pro' } as const;
  const codes: string[] = [];
  for (let i = 0; i < 25; i++) codes.push(getCode(await clock.settle(ask({ query: `bad ${i}` }, caller))));
  const [work] = listWorkLimits(caller, '', clock.nowMs());
  expect([model.requests.length, work && (await readUsedUnits(work))]).toEqual([20, 100]);
  expect(codes.slice(20)).toEqual(Array(5).fill('rate_limited'));
});

test.each<[step: string, fails: (world: ReturnType<typeof createAiWorld>) => unknown]>([
  // The writes: the request, the image, its month.
  ['counted', ({ script }) => script.push(undefined, undefined, new Error('no table'))],
  ['handed over', ({ services }) => failOnce(services.generatorQueue, 'handOver')],
])('if a generation was not %s, the next request has the image made', async (_, fails) => {
  const world = createAiWorld();
  const { clock, ask, readUsedUnits } = world;
  fails(world);
  expect(getCode(await clock.settle(ask()))).toBe('service_unavailable');
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([0, 0, 0]);
  expect(getCode(await clock.settle(ask()))).toBe('served');
});

test('a generation whose count has an unknown outcome does not begin', async () => {
  const { clock, ask, script, readUsedUnits, jobs } = createAiWorld();
  const [month] = listGenerationLimits(aiCaller, defaultPlans, undefined, clock.nowMs());
  // The writes: the request, the image, its month, its minute.
  script.push(undefined, undefined, undefined, 'unknown');
  expect(getCode(await clock.settle(ask()))).toBe('service_unavailable');
  expect([month && (await readUsedUnits(month)), jobs]).toEqual([0, []]);
});

test('a generation that has begun stays counted although its invocation failed', async () => {
  const { clock, ask, readUsedUnits, services } = createAiWorld();
  const { handOver } = services.generatorQueue;
  const beginAndFail = async (job: never) => {
    await handOver(job);
    await clock.sleep(100);
    throw new Error('lost');
  };
  Object.assign(services, { generatorQueue: { handOver: beginAndFail } });
  expect(getCode(await clock.settle(ask()))).toBe('served');
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([1, 1, 1]);
});

test('a generation stays counted if it is unknown that it has ended', async () => {
  const { clock, ask, model, readUsedUnits, memory } = createAiWorld();
  model.behaviour = failOutOfService;
  const apply = memory.apply;
  jest.spyOn(memory, 'apply').mockImplementation((command) => {
    const { input } = command as { readonly input: { ExpressionAttributeValues?: Record<string, unknown> } };
    if (input.ExpressionAttributeValues?.[':state'] === 'failed') throw makeLostAnswer();
    return apply(command);
  });
  await expect(clock.settle(ask())).rejects.toThrow();
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([1, 1, 1]);
});

test('a master is removed but stays counted if the outcome of its write is unknown', async () => {
  const { clock, ask, readUsedUnits, imageStore } = createAiWorld();
  const { put } = imageStore;
  imageStore.put = async (...image) => {
    await put(...image);
    throw new Error('away');
  };
  expect(getCode(await clock.settle(ask()))).toBe('upstream_unavailable');
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([1, 1, 1]);
  expect(imageStore.images.size).toBe(0);
});

test('a model is stopped ten seconds before its function ends', async () => {
  const { clock, ask, model, services, generating } = createAiWorld();
  const jobs: GenerationJob[] = [];
  Object.assign(services, {
    generatorQueue: { handOver: async (job: GenerationJob) => void jobs.push(job) },
  });
  const states: string[] = [];
  for (const [query, drawsMs] of [
    ['in time', 4_000],
    ['too late', 6_000],
  ] as const) {
    model.behaviour = drawAfter(drawsMs);
    await clock.settle(ask({ query }));
    const job = jobs.at(-1) as GenerationJob;
    await clock.settle(
      generateImage({ ...generating, deadline: createDeadline(clock.nowMs() + 15_000) }, job, 'run'),
    );
    states.push((await readAiImage(services, job.key))?.state ?? '');
  }
  expect(states).toEqual(['ready', 'failed']);
});

test('after the lease of a dead run, the next request has the image made', async () => {
  const { clock, ask, model, services } = createAiWorld();
  const { generatorQueue } = services;
  Object.assign(services, { generatorQueue: { handOver: async () => undefined } });
  expect(getCode(await clock.settle(ask()))).toBe('generation_in_progress');
  Object.assign(services, { generatorQueue });
  await clock.advance(160_000);
  expect(getCode(await clock.settle(ask()))).toBe('generation_in_progress');
  await clock.advance(40_000);
  expect(getCode(await clock.settle(ask()))).toBe('served');
  expect(model.requests.length).toBe(1);
});

test.each([true, false])(
  'a variation starts from its base image if the model can start from images (%s)',
  async (startsFromImages) => {
    const { clock, ask, model } = createAiWorld();
    model.startsFromImages = startsFromImages;
    for (const change of [{}, { variation: 3 }, { query: 'sea', variation: 1 }])
      await clock.settle(ask(change));
    expect(model.requests.map(({ variation, base }) => [variation, base !== undefined])).toEqual([
      [undefined, false],
      [3, startsFromImages],
      [undefined, false],
      [1, startsFromImages],
    ]);
  },
);

test('a generation whose model cannot be opened is not counted', async () => {
  const { clock, ask, generating, readUsedUnits } = createAiWorld();
  failOnce(generating, 'chooseModel');
  expect(getCode(await clock.settle(ask()))).toBe('upstream_unavailable');
  expect(await readGenerationsTaken(clock, readUsedUnits)).toEqual([0, 0, 0]);
});

test('a variation whose base image cannot be read counts no generation', async () => {
  const { clock, ask, model, imageStore, readUsedUnits } = createAiWorld();
  model.startsFromImages = true;
  await clock.settle(ask());
  imageStore.get = () => Promise.reject(new Error('away'));
  const generationsBefore = await readGenerationsTaken(clock, readUsedUnits);
  expect(getCode(await clock.settle(ask({ variation: 3 })))).toBe('upstream_unavailable');
  expect([model.requests.length, await readGenerationsTaken(clock, readUsedUnits)]).toEqual([
    1,
    generationsBefore,
  ]);
});
