/** Plays one history of AI images, and compares what callers, operator and bucket got with the promises. */

import fc from 'fast-check';
import { takeDown } from '../../../cli/images/take-down';
import { FunctionBusy } from '../../../lambda/aws/lambda';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { defaultPlans } from '../../../lambda/contract/plans';
import { closingMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import type { AiServices } from '../../../lambda/generation/ai-services';
import { type GenerationJob, generateImage } from '../../../lambda/generation/generate-image';
import {
  generationIdentity,
  type ImageKey,
  imageIdOf,
  mastersFolder,
  ownershipOf,
  renditionsFolder,
} from '../../../lambda/generation/generation-identity';
import { type Master, readGeneration } from '../../../lambda/generation/generation-store';
import { ModelFailure, type ModelReply } from '../../../lambda/generation/models/model';
import { serveAi } from '../../../lambda/generation/serve-ai';
import type { Answer } from '../../../lambda/images/answer';
import { pickOfAiImage } from '../../../lambda/images/picked-images';
import { quotaLimitOf } from '../../../lambda/quota/charge';
import { counterKey } from '../../../lambda/quota/limit';
import { createPayer } from '../../../lambda/quota/payer';
import { paymentOf } from '../../../lambda/quota/payment';
import { limitsOf } from '../../../lambda/quota/request-context';
import type { AiRequest } from '../../../lambda/requests/image-request';
import { aiRequest } from '../../fakes/ai';
import { delivery } from '../../fakes/ai-services';
import { accountId } from '../../fakes/branded';
import { quiet } from '../../fakes/services';
import { createWorld, faults, type Mistake, type Process, type SeenWrite } from './world';

const fate = (share: number) =>
  fc.record({
    fault: fc.oneof(
      { weight: 100 - share, arbitrary: fc.constant(undefined) },
      { weight: share, arbitrary: fc.constantFrom(...faults) },
    ),
    delay: fc.integer({ min: 0, max: 99 }).map((hundredths) => hundredths / 100),
  });
const small = fc.constantFrom(1, 2, 3, 1_000);

/** All that decides what happens. */
export const histories = fc.record({
  // In the middle of a day, and just before the end of a month.
  startMs: fc.constantFrom(Date.UTC(2026, 10, 21, 12), Date.UTC(2026, 11, 1) - 8_000),
  acts: fc.array(
    fc.record({
      /** From the beginning, in milliseconds. */
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 600_000 })),
      does: fc.constantFrom(
        ...(['asks', 'asks', 'asks', 'asks for a variation', 'asks for an alternative'] as const),
        ...(['asks', 'asks', 'takes down', 'loses the master'] as const),
      ),
      account: fc.integer({ min: 1, max: 2 }),
      query: fc.constantFrom('lake', 'sea'),
      visibility: fc.constantFrom('private', 'public'),
      /** Index of its instance's clock. */
      instance: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  fates: fc.constantFrom(0, 5, 25).chain((share) => fc.array(fate(share), { minLength: 8, maxLength: 60 })),
  /** The model's outcome of each request, and its time, in milliseconds. */
  drawn: fc.array(
    fc.record({
      outcome: fc.constantFrom('image', 'image', 'image', 'refused', 'unbilled', 'billed', 'hangs'),
      tookMs: fc.constantFrom(1_000, 4_000, 30_000, 120_000),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** Time by which the clocks of instances are ahead, in milliseconds. */
  skewsMs: fc.array(fc.constantFrom(0, 0, -150_000, 150_000), { minLength: 1, maxLength: 4 }),
  max: fc.record({
    ...{ requests: small, ofKey: small, generations: small, perDay: small },
    executions: fc.constantFrom(8, 32, 1_000),
  }),
});
/** One of them. */
export type History = typeof histories extends fc.Arbitrary<infer One> ? One : never;

const runTimeMs = 140_000;
const eventAgeMs = 60_000;
const monthMs = 31 * 86_400_000;
/** The first bytes of a PNG. */
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Where everything is counted that a generation needs. */
const month = /^generations#live#acc_\d#\d{4}-\d\d$/;
const days = [/^generations#live#acc_\d#\d{4}-\d\d-\d\d$/, /^generations#all#\d{4}-\d\d-\d\d$/];

const pathOf = (item: Readonly<Record<string, unknown>> | undefined): string =>
  (item?.['master'] as Master | undefined)?.path ?? '';

/** The promises that a history breaks, under a mistake of the code if one is given. */
export async function brokenPromises(history: History, mistake?: Mistake): Promise<readonly string[]> {
  const found = new Set<string>();
  const flag = (promise: string, isBroken = true) => isBroken && found.add(promise);
  let serial = 0;
  const unique = () => String(serial++).padStart(4, '0');
  const skewOf = (instance: number) => history.skewsMs[instance % history.skewsMs.length] ?? 0;
  const farthestMs = Math.max(0, ...history.skewsMs);

  /** Units that each request, and what works for it, has taken and not given back, by item. */
  const net = new Map<string, Map<string, number>>();
  const netOf = (group: string, pk: string) => net.get(group)?.get(pk) ?? 0;
  const takenOf = (group: string, items: RegExp) =>
    [...(net.get(group) ?? [])].reduce((sum, [pk, units]) => (items.test(pk) ? sum + units : sum), 0);
  const onCounter = ({ by: { group }, pk, before, after, input }: SeenWrite): void => {
    const values = input.ExpressionAttributeValues ?? {};
    const change = ':minusOne' in values ? -1 : 1;
    const units = netOf(group, pk) + change;
    if (!net.has(group)) net.set(group, new Map());
    net.get(group)?.set(pk, units);
    const last = Number(values[':last'] ?? Infinity);
    flag('limits: no counter passes its limit', change > 0 && Number(after['used']) > last + 1);
    flag(
      'charge: a unit comes back once, to its item',
      units < 0 || Number(before?.['used'] ?? 0) + change < 0,
    );
    flag('charge: a request takes one unit', units > 1 && pk.startsWith('requests#'));
  };

  /** The files of masters and renditions, and those that were lost. */
  const files = new Set<string>();
  const lost = new Set<string>();
  const bucket = {
    put: async (path: string) => void files.add(path),
    remove: async (path: string) => void files.delete(path),
    async *list(folder: string) {
      for (const path of [...files]) if (path.startsWith(folder)) yield path;
    },
  };

  /** The request that has acquired an execution, its runs, and how often the model was asked for it. */
  const acquirers = new Map<string, string>();
  const runs = new Map<string, Process[]>();
  const asked = new Map<string, number>();
  const [billed, finished] = [new Set<string>(), new Set<string>()];
  const removedMs = new Map<ImageKey, number>();
  const onImage = ({ by, pk, before = {}, after, input }: SeenWrite): void => {
    const values = input.ExpressionAttributeValues ?? {};
    const execution = values[':execution'] as string;
    flag('take-down: nothing undoes it', before['state'] === 'removed' && after['state'] !== 'removed');
    if (':gone' in values) {
      acquirers.set(execution, by.group);
      flag('item: a lease ends by some clock', Number(before['until'] ?? 0) > world.nowMs() + farthestMs);
      flag('item: a whole image is not given up', files.has(pathOf(before)));
    } else if (':removed' in values) removedMs.set(pk as ImageKey, world.nowMs());
    else {
      flag(
        'item: only its holder ends it',
        before['state'] !== 'making' || before['execution'] !== execution,
      );
      flag('item: a whole image is not given up', before['state'] === 'ready');
    }
    if (':master' in values) {
      finished.add(execution);
      // A history may lose a master after it was stored, and before it is known.
      flag('item: what is ready is whole', !files.has(pathOf(after)) && !lost.has(pathOf(after)));
    }
    const isPrivate = ownershipOf(pk as ImageKey).visibility === 'private';
    flag('privacy: nothing private is listed', isPrivate && after['look'] !== undefined);
  };
  const onWrite = (write: SeenWrite): void => {
    if (write.table === 'quotaCounters') onCounter(write);
    if (write.table === 'generationIndex') onImage(write);
  };
  const calm = { requests: 1_000, ofKey: 1_000, generations: 1_000, perDay: 1_000, executions: undefined };
  const max = () => (world.isCalm() ? calm : history.max);
  const world = createWorld(history.startMs, history.fates, onWrite, mistake);

  /** The model is asked by a run. */
  const draw = async (process: Process, execution: string): Promise<ModelReply> => {
    const ofHistory = history.drawn[asked.size % history.drawn.length];
    const { outcome, tookMs } = (!world.isCalm() && ofHistory) || { outcome: 'image', tookMs: 2_000 };
    asked.set(execution, (asked.get(execution) ?? 0) + 1);
    flag('cost: an execution asks the model once', asked.get(execution) !== 1);
    const group = acquirers.get(execution) ?? '';
    // What the model says it has not made is given back, and the request may have another image made.
    const isKept = (each: string) => each === execution || billed.has(each);
    const ofGroup = [...asked.keys()].filter((each) => acquirers.get(each) === group && isKept(each)).length;
    for (const items of world.isCalm() ? [month] : [month, ...days])
      flag('cost: what is asked for is counted', takenOf(group, items) < ofGroup);
    if (outcome !== 'unbilled') billed.add(execution);
    if (outcome === 'hangs') return new Promise<never>(() => undefined);
    await process.clock.sleep(tookMs);
    if (outcome === 'refused') return { refused: 'filter' };
    if (outcome === 'image') return { image: png };
    throw new ModelFailure(outcome === 'unbilled' ? 'final' : 'unknown', outcome);
  };

  const startRun = (job: GenerationJob, group: string): void => {
    const about = { timeMs: runTimeMs, group, skewMs: skewOf(serial) };
    const { process, services } = world.begin(`run${unique()}`, about);
    runs.set(job.execution, [...(runs.get(job.execution) ?? []), process]);
    const generating = {
      ...services,
      telemetry: quiet,
      refusals: createExpiringCache<true>(10),
      bucket: {
        put: (path: string) => world.call(process, () => void files.add(path), 10_000),
        remove: (path: string) =>
          world.call(process, () => void (mistake?.keepsFiles || files.delete(path)), 10_000),
      },
      codec: { measureImage: async () => ({ outcome: 'measured', widthPx: 1_536, heightPx: 1_024 }) },
      modelFor: async () => ({
        ...{ name: 'm', kind: 'sandbox', startsFromImages: false, errors: {} },
        ask: () => draw(process, job.execution),
      }),
    };
    generateImage(generating as never, job, process.name, process.clock.nowMs() + runTimeMs).catch(() => {
      process.isUnsure = true;
    });
  };

  /** Images that were asked for, with who has asked for them. */
  const keys = new Map<ImageKey, { readonly caller: KeyedCaller; readonly request: AiRequest }>();
  const ask = (caller: KeyedCaller, request: AiRequest, skewMs: number) => {
    const { process, services } = world.begin(`request${unique()}`, {
      timeMs: requestBudgetMs,
      spareMs: closingMs,
      skewMs,
    });
    const { requests: monthlyRequests, generations: generationsPerMonth, ofKey, perDay, executions } = max();
    const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, monthlyRequests, generationsPerMonth } };
    const serving: AiServices = {
      ...services,
      telemetry: quiet,
      refusals: createExpiringCache(100),
      renditions: createExpiringCache(100),
      ids: {
        bytes: () => new Uint8Array(),
        ulid: () => `01${unique()}`.padEnd(26, '0'),
        hex: (bytes) => unique().padStart(bytes * 2, '0'),
      },
      renderer: {
        render({ path, source }, deadlineMs) {
          const fate = world.fateOf(process);
          if (fate.fault === 'throttled') return Promise.reject(new FunctionBusy('busy'));
          const render = () => {
            if (source.kind !== 'stored' || !files.has(source.path)) return { outcome: 'gone' } as const;
            files.add(path);
            return { outcome: 'stored' } as const;
          };
          return world.call(process, render, Math.max(0, deadlineMs - process.clock.nowMs()), fate);
        },
      },
      // Signing takes most of the time of a history, and is proven elsewhere.
      delivery: { ...delivery, signedUrls: { get: (name: string) => `signed ${name}?Signature=` } as never },
      isStored: async (path) => files.has(path),
      aiLabel: 'off',
      generatorQueue: {
        handOver(job) {
          const fate = world.fateOf(process);
          const start = () => {
            startRun(job, process.group);
            // An event may come twice.
            if (!world.isCalm() && fate.delay > 0.7)
              world.at(world.nowMs() + eventAgeMs * fate.delay, () => startRun(job, process.group));
          };
          return world.call(process, start, eventAgeMs, fate);
        },
      },
      plans,
      generationsPerDay: perDay,
      unreservedExecutions: async () => executions,
    };
    const nowMs = process.clock.nowMs();
    const limits = limitsOf({ ...caller, maxPerMonth: ofKey }, '', plans, nowMs);
    const requestKey = counterKey(quotaLimitOf(limits.requestLimits));
    const capKey = counterKey(limits.requestLimits[0]);
    for (const variation of [request.variation, undefined]) {
      const { key } = generationIdentity(request, caller, variation);
      keys.set(key, { caller, request: { ...request, ...(variation !== undefined && { variation }) } });
    }
    const seen: { tookMs: number; answer?: Answer; error?: unknown } = { tookMs: Infinity };
    const beganMs = world.nowMs();
    const end = (how: object) => Object.assign(seen, { tookMs: world.nowMs() - beganMs, ...how });
    const deadlineMs = nowMs + requestBudgetMs - closingMs;
    const given = { ...limits, requestId: process.name, format: 'webp', deadlineMs } as const;
    const context = { ...given, payer: createPayer(serving, given) };
    serveAi(serving, request, caller, context).then(
      (answer) => end({ answer }),
      (error: unknown) => end({ error }),
    );
    return { process, beganMs, caller, requestKey, capKey, seen };
  };

  const takeDownOf = async (key: ImageKey): Promise<void> => {
    const { services } = world.begin(`operator${unique()}`, { isSafe: true });
    const generation = await readGeneration(services, key);
    if (!generation) return;
    const image = {
      ...({ kind: 'ai', pick: pickOfAiImage(imageIdOf(key)), generation } as const),
      folders: [mastersFolder(key), renditionsFolder(key)],
    };
    const operator = { ...services, bucket, ids: { hex: unique }, invalidate: async () => undefined };
    await takeDown(operator as never, image, { id: 'x', at: '', by: 'me', reason: 'asked' });
  };

  const answers: ReturnType<typeof ask>[] = [];
  for (const { afterMs, does, account, instance, ...wanted } of history.acts)
    world.at(history.startMs + afterMs, () => {
      const owner = { account: accountId(`acc_${account}`), keyId: `key${account}` };
      const caller = { kind: 'live', plan: 'pro', ...owner } as const;
      const plain: AiRequest = { ...aiRequest, ...wanted };
      const { key } = generationIdentity(plain, caller, undefined);
      if (does === 'takes down') return void takeDownOf(key);
      if (does === 'loses the master') {
        for (const path of files)
          if (path.startsWith(mastersFolder(key)) || path.startsWith(renditionsFolder(key))) {
            lost.add(path);
            files.delete(path);
          }
        return;
      }
      const variation = does === 'asks for a variation' && { variation: 1 };
      const alt = does === 'asks for an alternative' && { alt: 1 };
      answers.push(ask(caller, { ...plain, ...variation, ...alt }, skewOf(instance)));
    });
  await world.run();

  for (const { process, beganMs, caller, requestKey, capKey, seen } of answers) {
    if (process.isDead) continue;
    const { tookMs, answer, error } = seen;
    flag('answer: it comes within 25 s', tookMs > requestBudgetMs);
    const state = (answer?.payment ?? paymentOf(error))?.state;
    const units = netOf(process.group, requestKey);
    if (state === 'unknown') continue;
    const ofKey = netOf(process.group, capKey);
    flag(
      'charge: a cap and its account count alike',
      ofKey < units || (ofKey > units && world.faults() === 0),
    );
    if (answer?.outcome !== 'served') {
      flag('charge: no image costs nothing', units !== 0 || state === 'charged');
      continue;
    }
    flag(
      'charge: served has paid one, or says free',
      !(state === 'charged' && units === 1) && !(state === 'free' && units === 0),
    );
    const { imageId, location } = answer.image;
    const shown = [...keys.keys()].find((key) => imageIdOf(key) === imageId);
    const isFinished = [...finished].some((execution) => location.includes(execution));
    flag('item: what is shown was finished', !shown || !isFinished);
    if (!shown) continue;
    const { visibility, account } = ownershipOf(shown);
    flag(
      'privacy: private is its account’s, signed',
      visibility === 'private' && (account !== caller.account || !location.includes('Signature=')),
    );
    flag('take-down: it is shown no more', (removedMs.get(shown) ?? Infinity) < beganMs);
  }

  const items = world.memory.items('generationIndex');
  const isUnsure = (process: Process) => process.isDead || process.isUnsure;
  for (const path of files) {
    const key = [...keys.keys()].find((each) => path.includes(imageIdOf(each))) ?? '';
    const [isRendition, isRemoved] = [path.endsWith('.webp'), items.get(key)?.['state'] === 'removed'];
    if (path === pathOf(items.get(key)) || (isRendition && !isRemoved)) continue;
    const execution = [...acquirers.keys()].find((each) => path.includes(each)) ?? '';
    const makers = isRendition ? answers.map(({ process }) => process) : (runs.get(execution) ?? []);
    flag(isRemoved ? 'take-down: no file stays' : 'files: a loser’s file goes', !makers.some(isUnsure));
  }
  for (const item of items.values()) {
    const isThere = files.has(pathOf(item)) || lost.has(pathOf(item));
    flag('files: the shown master is there', item['state'] === 'ready' && !isThere);
  }
  for (const execution of billed)
    flag('cost: what is billed stays counted', takenOf(acquirers.get(execution) ?? '', month) < 1);

  world.calm();
  world.skipTo(world.nowMs() + 2 * monthMs);
  for (const [key, { caller, request }] of keys) {
    const { alt: _, ...plain } = request;
    const base = generationIdentity(plain, caller, undefined).key;
    if (!items.has(key) || removedMs.has(key) || removedMs.has(base)) continue;
    let last: (typeof answers)[number] | undefined;
    for (let time = 0; time < 2; time++) {
      last = ask(caller, plain, 0);
      await world.run();
      world.skipTo(world.nowMs() + 60_000);
    }
    flag('progress: a quiet second request is served', last?.seen.answer?.outcome !== 'served');
  }
  return [...found];
}
