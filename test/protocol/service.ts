/** The AI side of the service on real tables, with a generator that a test can pause, resume and fail. */

import type { Clock } from '../../lambda/base/clock';
import { defaultPlans, type Plans } from '../../lambda/contract/plans';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { AdmitWaiting } from '../../lambda/generation/admit-waiting';
import type { DrawnMaster } from '../../lambda/generation/draw-master';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { createRunGeneration } from '../../lambda/generation/run-generation';
import { createSweep } from '../../lambda/generation/settle';
import type { Answer } from '../../lambda/images/answer';
import type { LibraryPath } from '../../lambda/images/library-path';
import { counterKey, quotaOf } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';
import type { AiRequest } from '../../lambda/requests/image-request';
import type { TablesUnderTest } from '../contracts/tables-under-test';
import { admitAll } from '../fakes/admit-all';
import { openAi, openAiStores } from '../fakes/ai-service';
import { accountId, deliveryUrl } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';

export interface Service {
  /** Key of the quota item of the default account. */
  readonly quotaKey: string;
  ask(request: Partial<AiRequest>, by?: Partial<KeyedCaller>): Promise<Answer>;
  /** Units that the quota of a caller has taken. */
  taken(by?: Partial<KeyedCaller>): Promise<number>;
  /** Completed jobs, in order. */
  readonly drawn: readonly GenerationJob[];
  /** From now on the generator holds what it is given. */
  hold(): void;
  /** From now on the generator takes no jobs, and this is why; a lost answer by default. */
  refuseJobs(why?: Error): void;
  /** From now on it takes them again. */
  takeJobs(): void;
  /** Whether the answers of the counters that bound all generations are lost. */
  loseCounts(areLost: boolean): void;
  /** The present moment (epoch, milliseconds). */
  nowMs(): number;
  /** Lets it do everything that it holds, and what comes next at once. */
  letGo(): Promise<void>;
  /** The outcome of the next generation jobs; an image by default. */
  answerWith(drawing: 'image' | 'content_refused' | 'upstream_unavailable'): void;
  passTime(durationMs: number): void;
  /** Removes every stored image. */
  loseImages(): Promise<void>;
  /** Looks into everything that is pending, as after a restart. */
  sweep(): Promise<number>;
  alarms(): number;
}

const budgetMs = 25_000;

export function openService(
  { client, tableNames }: TablesUnderTest,
  account: string,
  plans: Plans = defaultPlans,
  generationsPerDay?: number,
  admit: AdmitWaiting = admitAll,
): Service {
  let nowMs = Date.UTC(2026, 10, 21, 12);
  let held: (() => Promise<void>)[] | undefined;
  let drawing: 'image' | 'content_refused' | 'upstream_unavailable' = 'image';
  let refusal: Error | undefined;
  let requests = 0;
  let asking = 0;
  let sleepers: { readonly wakesMs: number; readonly wake: () => void }[] = [];
  const atWork = new Set<Promise<void>>();
  const drawn: GenerationJob[] = [];

  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: (delayMs) =>
      new Promise((resolve) => {
        sleepers.push({ wakesMs: nowMs + delayMs, wake: resolve });
        passTimeIfIdle();
      }),
  };
  const wakeUntil = (momentMs: number) => {
    const due = sleepers.filter(({ wakesMs }) => wakesMs <= momentMs);
    sleepers = sleepers.filter(({ wakesMs }) => wakesMs > momentMs);
    for (const { wake } of due) wake();
  };
  // Time passes only while every remaining task waits.
  const passTimeIfIdle = () => {
    if (atWork.size > 0 || sleepers.length === 0 || sleepers.length < asking) return;
    nowMs = Math.min(...sleepers.map(({ wakesMs }) => wakesMs));
    wakeUntil(nowMs);
  };
  const telemetry = createRecordedTelemetry();
  const library = createFakeImageLibrary();
  const real = openAiStores({ db: client, tableNames, library, clock, ids: createFakeIds(), telemetry });
  let areCountsLost = false;
  const counters: QuotaCounters = {
    ...real.counters,
    charge: async (limit, id) =>
      areCountsLost && limit.counter.kind === 'fair-use' && limit.counter.use === 'generations'
        ? { outcome: 'unknown' }
        : real.counters.charge(limit, id),
  };
  const stores = { ...real, counters };
  const run = createRunGeneration({
    ...stores,
    draw: async (job): Promise<DrawnMaster> => {
      drawn.push(job);
      if (drawing !== 'image') return { outcome: 'none', why: drawing };
      const image = { bytes: new Uint8Array([drawn.length]), mediaType: 'image/png' };
      return {
        outcome: 'image',
        image,
        size: { widthPx: 1536, heightPx: 864 },
        model: 'm',
        extension: 'png',
      };
    },
  });
  const start = (job: GenerationJob) => {
    const work = run(job, nowMs + 120_000).finally(() => {
      atWork.delete(work);
      passTimeIfIdle();
    });
    atWork.add(work);
    return work;
  };
  const { serveAi: serve } = openAi(stores, {
    admit,
    plans,
    generationsPerDay,
    queue: {
      handOver: async (job) => {
        if (refusal) throw refusal;
        const copy = JSON.parse(JSON.stringify(job)) as GenerationJob;
        if (held) held.push(() => start(copy));
        else void start(copy);
      },
    },
    renderer: {
      render: async ({ path, source }) => {
        if (source.kind !== 'stored') throw new Error('AI images are made from masters');
        if (!(await library.get(source.path))) return { outcome: 'gone' };
        await library.put(path, { bytes: new Uint8Array(), mediaType: 'image/webp' });
        return { outcome: 'stored' };
      },
    },
    delivery: {
      publicUrl: (path) => deliveryUrl(`https://cdn.example/${path}`),
      signedUrl: async (path) => ({ url: deliveryUrl(`https://cdn.example/${path}?Signature=1`), endsMs: 0 }),
    },
  });
  const callerOf = (by: Partial<KeyedCaller> = {}): KeyedCaller => ({
    kind: 'live',
    plan: 'free',
    keyId: 'k',
    ...by,
    account: accountId(`${by.account ?? ''}${account}`),
  });

  return {
    quotaKey: counterKey(quotaOf(callerOf(), '', plans, nowMs)),
    drawn,
    async ask(changes, by) {
      const caller = callerOf(by);
      const request: AiRequest = {
        provider: 'ai',
        query: `Sea ${account}`,
        style: 'photo',
        visibility: 'private',
        widthPx: 800,
        heightPx: 450,
        asJson: false,
        ...changes,
      };
      asking += 1;
      const requestId = `request-${requests++}`;
      const context = aContext(caller, nowMs, { plans, requestId, deadlineMs: nowMs + budgetMs });
      const answering = serve(request, caller, context);
      const answer = await answering.finally(() => {
        asking -= 1;
        passTimeIfIdle();
      });
      if (answer.outcome === 'served') {
        const path = new URL(answer.image.location).pathname.slice(1);
        if (!library.images.has(path)) throw new Error(`There is nothing at ${path}`);
      }
      return answer;
    },
    taken: (by) => stores.counters.taken(quotaOf(callerOf(by), '', plans, nowMs)),
    hold: () => {
      held = [];
    },
    refuseJobs: (why = new Error('No answer came in time')) => {
      refusal = why;
    },
    takeJobs: () => {
      refusal = undefined;
    },
    loseCounts: (areLost) => {
      areCountsLost = areLost;
    },
    nowMs: () => nowMs,
    async letGo() {
      const jobs = held ?? [];
      held = undefined;
      await Promise.all(jobs.map((job) => job()));
    },
    answerWith: (next) => {
      drawing = next;
    },
    passTime: (durationMs) => {
      nowMs += durationMs;
    },
    async loseImages() {
      for (const path of library.images.keys()) await library.remove(path as LibraryPath);
    },
    sweep: () => createSweep(stores).all(Number.MAX_SAFE_INTEGER),
    alarms: () => telemetry.counted('invariantBroken'),
  };
}
