/** Plays one history of AI images, and compares what callers, the operator and the bucket got with what is promised. */

import { takeDown } from '../../../cli/images/take-down';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { defaultPlans, type Plans } from '../../../lambda/contract/plans';
import { closingMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { generate } from '../../../lambda/generation/generate';
import {
  generationIdentity,
  type ImageKey,
  imageFolder,
  imageIdOf,
  ownershipOf,
  renditionsFolder,
} from '../../../lambda/generation/generation-identity';
import { readGeneration } from '../../../lambda/generation/generations';
import type { GenerationJob } from '../../../lambda/generation/generator-queue';
import { ModelFailure, type Reply } from '../../../lambda/generation/models/model';
import { type AiServices, serveAi } from '../../../lambda/generation/serve-ai';
import type { Answer } from '../../../lambda/images/answer';
import { pickOfAiImage } from '../../../lambda/images/picked-images';
import { RendererBusy } from '../../../lambda/images/renderer';
import { accountLimit } from '../../../lambda/quota/charge';
import { limitKey } from '../../../lambda/quota/limit';
import { type Payment, paymentOf } from '../../../lambda/quota/payment';
import { limitsOf } from '../../../lambda/quota/request-context';
import type { AiRequest } from '../../../lambda/requests/image-request';
import { aiRequest } from '../../fakes/ai';
import { delivery } from '../../fakes/ai-services';
import { accountId } from '../../fakes/branded';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createWorld, type Fate, type Mistake, type Process, type SeenWrite } from './world';

/** What holds in every history. */
export const promises = [
  'charge: a key’s cap and its account count alike',
  'charge: a request gives a unit back at most once, on the item that counted',
  'charge: a request takes a unit at most once',
  'charge: served says charged and pays one, or says free and pays none',
  'charge: without an image it says none or refunded and pays none, or says unknown',
  'limits: no counter passes its limit in force',
  'item: a lease or pause is taken over only when some clock calls it over',
  'item: a whole image is never given up',
  'item: nobody is shown what nobody finished',
  'item: only the execution that holds it finishes, fails or is given up',
  'item: what is ready is whole at that moment',
  'cost: the model is asked at most once for an execution',
  'cost: the model is asked only for an execution that month, account’s day and day have counted',
  'cost: what is billed stays counted',
  'privacy: a private image is never listed',
  'privacy: a private image is shown to its account alone, signed',
  'take-down: no file stays but of a process that died',
  'take-down: nothing undoes it',
  'take-down: who comes after it sees a refusal',
  'files: a loser’s file stays only if its run died or its answer was lost',
  'files: the shown master is there',
  'progress: when all is quiet every image that is not taken down is there at the second request',
  'answer: every request that did not crash is answered once, by 25 s',
] as const;
type Kept = (typeof promises)[number];

/** What happens at a moment of a history. */
export interface Act {
  /** From the beginning, in milliseconds. */
  readonly afterMs: number;
  readonly does:
    | 'asks'
    | 'asks for a variation'
    | 'asks for an alternative'
    | 'takes down'
    | 'loses the master';
  readonly account: number;
  readonly image: number;
  readonly isPublic: boolean;
  /** Which clock its instance has. */
  readonly instance: number;
}

/** What a model does with a request, and for how long, in milliseconds. */
export interface Drawn {
  readonly outcome: 'image' | 'refused' | 'unbilled' | 'billed' | 'hangs';
  readonly tookMs: number;
}

/** All that decides what happens. */
export interface History {
  readonly startMs: number;
  readonly acts: readonly Act[];
  readonly fates: readonly Fate[];
  readonly drawn: readonly Drawn[];
  /** How far the clocks of instances are ahead, in milliseconds. */
  readonly skewsMs: readonly number[];
  readonly max: {
    readonly requests: number;
    readonly ofKey: number;
    readonly generations: number;
    readonly perDay: number;
    readonly executions: number;
  };
}

interface Seen {
  readonly process: Process;
  readonly beganMs: number;
  readonly caller: KeyedCaller;
  readonly requestKey: string;
  readonly capKey: string;
  endedMs?: number;
  answer?: Answer;
  error?: unknown;
}

/** The first bytes of a PNG. */
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const runTimeMs = 140_000;
const eventAgeMs = 60_000;
const monthMs = 31 * 86_400_000;
const silent = {
  info: () => undefined,
  error: () => undefined,
  count: () => undefined,
  time: () => undefined,
};
const words = ['lake', 'sea', 'hill'];

/** @returns each promise that was not kept */
export async function broken(history: History, mistake?: Mistake): Promise<readonly Kept[]> {
  const found: Kept[] = [];
  const flag = (promise: Kept) => void found.push(promise);
  const net = new Map<string, number>();
  const netOf = (group: string, key: string) => net.get(`${group} ${key}`) ?? 0;
  /** The request that has acquired an execution, and the runs of it. */
  const acquirers = new Map<string, string>();
  const runs = new Map<string, Process[]>();
  const asked = new Map<string, number>();
  /** Executions that the model has billed, or may have. */
  const billed = new Set<string>();
  const finished = new Set<string>();
  const removedMs = new Map<ImageKey, number>();
  const lost = new Set<string>();
  const keys = new Map<ImageKey, { readonly caller: KeyedCaller; readonly request: AiRequest }>();
  const farthestMs = Math.max(0, ...history.skewsMs);
  const bucket = createFakeImageLibrary();
  let serial = 0;
  const unique = () => String(serial++).padStart(4, '0');

  const onCounter = ({ by, pk, before, after, input }: SeenWrite): void => {
    const values = input.ExpressionAttributeValues ?? {};
    const isTaken = ':one' in values && !(':minusOne' in values);
    const units = netOf(by.group, pk) + (isTaken ? 1 : -1);
    net.set(`${by.group} ${pk}`, units);
    const last = values[':last'] as number | undefined;
    if (isTaken && last !== undefined && Number(after['used']) > last + 1)
      flag('limits: no counter passes its limit in force');
    if (units < 0 || Number(before?.['used'] ?? 0) + (isTaken ? 1 : -1) < 0)
      flag('charge: a request gives a unit back at most once, on the item that counted');
    if (units > 1 && pk.startsWith('requests#')) flag('charge: a request takes a unit at most once');
  };

  const onImage = ({ by, pk, before = {}, after, input }: SeenWrite): void => {
    const key = pk as ImageKey;
    const values = input.ExpressionAttributeValues ?? {};
    const execution = values[':execution'] as string | undefined;
    const isHeld = before['state'] === 'making' && before['execution'] === execution;
    if (before['state'] === 'removed' && after['state'] !== 'removed') flag('take-down: nothing undoes it');
    if (':gone' in values) {
      acquirers.set(execution as string, by.group);
      if (Number(before['until'] ?? 0) > world.nowMs() + farthestMs)
        flag('item: a lease or pause is taken over only when some clock calls it over');
      const { path } = (before['master'] ?? {}) as { readonly path?: never };
      if (path !== undefined && bucket.images.has(path)) flag('item: a whole image is never given up');
    } else if (':failed' in values || ':master' in values || ':run' in values) {
      if (!isHeld) flag('item: only the execution that holds it finishes, fails or is given up');
      if (before['state'] === 'ready') flag('item: a whole image is never given up');
    }
    if (':master' in values) {
      finished.add(execution as string);
      const { path } = values[':master'] as { readonly path: never };
      if (!bucket.images.has(path)) flag('item: what is ready is whole at that moment');
    }
    if (':removed' in values) removedMs.set(key, world.nowMs());
    if (after['look'] !== undefined && ownershipOf(key).visibility === 'private')
      flag('privacy: a private image is never listed');
  };

  const world = createWorld(
    history.startMs,
    history.fates,
    (write) => {
      if (write.table === 'quotaCounters') onCounter(write);
      if (write.table === 'generationIndex') onImage(write);
    },
    mistake,
  );
  const skewOf = (instance: number) => history.skewsMs[instance % history.skewsMs.length] ?? 0;
  const planOf = (isCalm: boolean): Plans => ({
    ...defaultPlans,
    pro: {
      ...defaultPlans.pro,
      monthlyRequests: isCalm ? 1_000 : history.max.requests,
      generationsPerMonth: isCalm ? 1_000 : history.max.generations,
    },
  });
  let isCalm = false;

  /** The model is asked by a run: what has counted its execution, and how often it was asked. */
  const noteAsked = (execution: string): void => {
    asked.set(execution, (asked.get(execution) ?? 0) + 1);
    if ((asked.get(execution) ?? 0) > 1) flag('cost: the model is asked at most once for an execution');
    const group = acquirers.get(execution) ?? '';
    const askedOf = [...asked.keys()].filter((each) => acquirers.get(each) === group).length;
    for (const [what, label] of counted)
      if (takenOf(group, label) < askedOf && (what === 'month' || !isCalm))
        flag('cost: the model is asked only for an execution that month, account’s day and day have counted');
  };
  const counted = [
    ['month', /^generations#live#acc_\d#\d{4}-\d\d$/],
    ["account's day", /^generations#live#acc_\d#\d{4}-\d\d-\d\d$/],
    ['day', /^generations#all#\d{4}-\d\d-\d\d$/],
  ] as const;
  const takenOf = (group: string, label: RegExp) =>
    [...net].reduce((sum, [name, units]) => {
      const [by, key = ''] = name.split(' ');
      return by === group && label.test(key) ? sum + units : sum;
    }, 0);

  let drawings = 0;
  const draw = async (process: Process, execution: string): Promise<Reply> => {
    const { outcome, tookMs } = isCalm
      ? ({ outcome: 'image', tookMs: 2_000 } as const)
      : (history.drawn[drawings++ % history.drawn.length] as Drawn);
    noteAsked(execution);
    if (outcome !== 'unbilled') billed.add(execution);
    if (outcome === 'hangs') return new Promise<never>(() => undefined);
    await process.clock.sleep(tookMs);
    if (outcome === 'refused') return { refused: 'filter' };
    if (outcome !== 'image') throw new ModelFailure(outcome === 'unbilled' ? 'final' : 'unknown', outcome);
    return { image: png };
  };

  const startRun = (job: GenerationJob, group: string): void => {
    const process = world.begin(`run${unique()}`, { timeMs: runTimeMs, group, skewMs: skewOf(serial) });
    runs.set(job.execution, [...(runs.get(job.execution) ?? []), process]);
    const services = {
      ...world.tablesFor(process, runTimeMs),
      telemetry: silent,
      refusals: createExpiringCache<true>(10),
      bucket: {
        get: async (path: never) => bucket.get(path),
        put: (path: never, image: never) => world.call(process, () => void bucket.put(path, image), 10_000),
        remove: (path: never) =>
          world.call(process, () => void (mistake?.keepsFiles || bucket.remove(path)), 10_000),
      },
      codec: {
        measure: async () =>
          ({ outcome: 'measured', mediaType: 'image/png', widthPx: 1_536, heightPx: 1_024 }) as const,
      },
      modelFor: async () => ({
        ...{ name: 'm', kind: 'sandbox', startsFromImages: false, timeoutMs: 100_000, errors: {} },
        ask: () => draw(process, job.execution),
      }),
    };
    const ending = generate(services as never, job, process.name, process.clock.nowMs() + runTimeMs);
    ending.catch(() => {
      process.isUnsure = true;
    });
  };

  const servicesFor = (process: Process): AiServices => ({
    ...world.tablesFor(process, requestBudgetMs - closingMs),
    telemetry: silent,
    refusals: createExpiringCache(100),
    renditions: createExpiringCache(100),
    ids: {
      ulid: () => `01${unique()}`.padEnd(26, '0'),
      hex: (bytes: number) => unique().padStart(bytes * 2, '0'),
    },
    renderer: {
      render: ({ path, source }, deadlineMs) => {
        const fate = world.fateOf(process);
        if (fate.fault === 'throttled') return Promise.reject(new RendererBusy('busy'));
        const latestMs = Math.max(0, deadlineMs - process.clock.nowMs());
        const render = () => {
          if (source.kind !== 'stored' || !bucket.images.has(source.path))
            return { outcome: 'gone' } as const;
          void bucket.put(path, { bytes: new Uint8Array([2]), mediaType: 'image/webp' });
          return { outcome: 'stored' } as const;
        };
        return world.call(process, render, latestMs, fate);
      },
    },
    delivery,
    isStored: async (path) => bucket.images.has(path),
    aiLabel: 'off',
    generatorQueue: {
      handOver: (job) => {
        const fate = world.fateOf(process);
        const copy = structuredClone(job);
        const start = () => {
          startRun(copy, process.group);
          // An event may come twice.
          if (!isCalm && fate.delay > 0.7)
            world.at(world.nowMs() + eventAgeMs * fate.delay, () => startRun(copy, process.group));
        };
        return world.call(process, start, eventAgeMs, fate);
      },
    },
    plans: planOf(isCalm),
    generationsPerDay: isCalm ? 1_000 : history.max.perDay,
    unreservedExecutions: async () => (isCalm ? undefined : history.max.executions),
  });

  const answers: Seen[] = [];
  const ask = (caller: KeyedCaller, request: AiRequest, skewMs: number): Seen => {
    const process = world.begin(`request${unique()}`, { timeMs: requestBudgetMs, skewMs });
    const nowMs = process.clock.nowMs();
    const limits = limitsOf(
      { ...caller, maxPerMonth: isCalm ? 1_000 : history.max.ofKey },
      '',
      planOf(isCalm),
      nowMs,
    );
    const { requestLimits } = limits;
    const seen: Seen = {
      process,
      beganMs: world.nowMs(),
      caller,
      requestKey: limitKey(accountLimit(requestLimits)),
      capKey: limitKey(requestLimits[0]),
    };
    answers.push(seen);
    for (const variation of [request.variation, undefined]) {
      const { key } = generationIdentity(request, caller, variation);
      keys.set(key, { caller, request: { ...request, ...(variation !== undefined && { variation }) } });
    }
    const context = {
      ...limits,
      requestId: process.name,
      format: 'webp',
      deadlineMs: nowMs + requestBudgetMs - closingMs,
    } as const;
    const ended = () => {
      seen.endedMs = world.nowMs();
    };
    serveAi(servicesFor(process), request, caller, context).then(
      (answer) => {
        seen.answer = answer;
        ended();
      },
      (error: unknown) => {
        seen.error = error;
        ended();
      },
    );
    return seen;
  };

  const takeDownOf = async (key: ImageKey): Promise<void> => {
    const operator = world.begin(`operator${unique()}`, { isSafe: true });
    const tables = world.tablesFor(operator, Number.POSITIVE_INFINITY);
    const generation = await readGeneration(tables, key);
    if (!generation) return;
    const image = {
      kind: 'ai',
      pick: pickOfAiImage(imageIdOf(key)),
      folders: [imageFolder(key), renditionsFolder(key)],
      generation,
    } as const;
    const by = { id: 'x', at: '', by: 'me', reason: 'asked' };
    const services = { ...tables, bucket, ids: { hex: unique }, invalidate: async () => undefined };
    await takeDown(services as never, image, by);
  };

  const callerOf = (account: number): KeyedCaller => ({
    kind: 'live',
    account: accountId(`acc_${account}`),
    plan: 'pro',
    keyId: `key${account}`,
  });
  for (const { afterMs, does, account, image, isPublic, instance } of history.acts)
    world.at(history.startMs + afterMs, () => {
      const caller = callerOf(account);
      const query = words[image % words.length] as string;
      const plain: AiRequest = { ...aiRequest, query, visibility: isPublic ? 'public' : 'private' };
      const { key } = generationIdentity(plain, caller, undefined);
      if (does === 'takes down') return void takeDownOf(key);
      if (does === 'loses the master') {
        for (const path of [...bucket.images.keys()])
          if (path.startsWith(imageFolder(key)) || path.startsWith(renditionsFolder(key))) {
            lost.add(path);
            void bucket.remove(path as never);
          }
        return;
      }
      const variation = does === 'asks for a variation' && { variation: 1 };
      const alt = does === 'asks for an alternative' && { alt: 1 };
      ask(caller, { ...plain, ...variation, ...alt }, skewOf(instance));
    });
  await world.run();

  for (const seen of answers) judge(seen);

  function judge({ process, beganMs, endedMs, answer, error, caller, requestKey, capKey }: Seen): void {
    if (process.isDead) return;
    if (endedMs === undefined || endedMs - beganMs > requestBudgetMs)
      flag('answer: every request that did not crash is answered once, by 25 s');
    const units = netOf(process.group, requestKey);
    const payment: Payment | undefined = answer?.payment ?? paymentOf(error);
    const state = payment?.state;
    if (state === 'unknown') return;
    if (answer?.outcome === 'served') {
      if (units !== (state === 'charged' ? 1 : 0) || (state !== 'charged' && state !== 'free'))
        flag('charge: served says charged and pays one, or says free and pays none');
    } else if (units !== 0 || state === 'charged' || state === 'refunding')
      flag('charge: without an image it says none or refunded and pays none, or says unknown');
    const ofKey = netOf(process.group, capKey);
    if (ofKey < units || (ofKey > units && world.faults() === 0))
      flag('charge: a key’s cap and its account count alike');
    if (answer?.outcome !== 'served') return;
    const { imageId, location } = answer.image;
    const shown = [...keys.keys()].find((key) => imageIdOf(key) === imageId);
    if (!shown || ![...finished].some((execution) => String(location).includes(execution)))
      flag('item: nobody is shown what nobody finished');
    if (!shown) return;
    const { visibility, account } = ownershipOf(shown);
    if (visibility === 'private' && (account !== caller.account || !String(location).includes('Signature=')))
      flag('privacy: a private image is shown to its account alone, signed');
    if ((removedMs.get(shown) ?? Number.POSITIVE_INFINITY) < beganMs)
      flag('take-down: who comes after it sees a refusal');
  }

  for (const path of bucket.images.keys()) {
    const key = [...keys.keys()].find((each) => path.includes(imageIdOf(each)));
    const item = key && world.memory.items('generationIndex').get(key);
    const { path: shown } = (item?.['master'] ?? {}) as { readonly path?: string };
    if (path === shown || (path.endsWith('.webp') && item?.['state'] !== 'removed')) continue;
    const execution = [...acquirers.keys()].find((each) => path.includes(each)) ?? '';
    const isExcused = path.endsWith('.webp')
      ? answers.some(({ process }) => process.isDead || process.isUnsure)
      : (runs.get(execution) ?? []).some((run) => run.isDead || run.isUnsure);
    if (!isExcused)
      flag(
        item?.['state'] === 'removed'
          ? 'take-down: no file stays but of a process that died'
          : 'files: a loser’s file stays only if its run died or its answer was lost',
      );
  }
  for (const { state, master } of world.memory.items('generationIndex').values()) {
    const { path } = (master ?? {}) as { readonly path?: string };
    if (state === 'ready' && !bucket.images.has(path as never) && !lost.has(path as string))
      flag('files: the shown master is there');
  }
  for (const execution of billed)
    if (takenOf(acquirers.get(execution) ?? '', (counted[0] as (typeof counted)[number])[1]) < 1)
      flag('cost: what is billed stays counted');

  world.calm();
  isCalm = true;
  world.skipTo(world.nowMs() + 2 * monthMs);
  for (const [key, { caller, request }] of keys) {
    if (!world.memory.items('generationIndex').has(key)) continue;
    const { alt: _, ...plain } = request;
    const { key: base } = generationIdentity(plain, caller, undefined);
    if (removedMs.has(key) || removedMs.has(base)) continue;
    const codes: string[] = [];
    for (let time = 0; time < 2; time++) {
      const seen = ask(caller, plain, 0);
      await world.run();
      world.skipTo(world.nowMs() + 60_000);
      codes.push(
        seen.answer?.outcome === 'refused'
          ? seen.answer.refusal.code
          : (seen.answer?.outcome ?? String(seen.error)),
      );
    }
    if (codes[1] !== 'served')
      flag('progress: when all is quiet every image that is not taken down is there at the second request');
  }
  return [...new Set(found)];
}
