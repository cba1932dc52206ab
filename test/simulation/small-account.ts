/** The service in an account with few executions: the real use cases for AI images, each function in an execution of its own. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import type { Clock, Ids } from '../../lambda/base/clock';
import { ulidOf } from '../../lambda/base/ulid';
import { defaultPlans } from '../../lambda/contract/plans';
import { functionTimeoutsS, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { isThrottled, retryThrottled } from '../../lambda/functions/aws/invoke';
import { createAdmitWaiting } from '../../lambda/generation/admit-waiting';
import { createWaitingPlaces } from '../../lambda/generation/dynamodb/waiting-places';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { createRunGeneration } from '../../lambda/generation/run-generation';
import { type Renderer, RendererBusy } from '../../lambda/images/renderer';
import { quotaOf } from '../../lambda/quota/quota';
import { openAi, openAiStores } from '../fakes/ai-service';
import { accountId } from '../fakes/branded';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import type { Random } from './kernel';
import { createMemoryDynamoDb } from './memory-dynamodb';
import { delivery } from './surroundings';

/** `served`, the code of a refusal, or `throttled` where the gateway found no execution free. */
export type Ending = 'served' | 'throttled' | 'generation_in_progress' | 'upstream_unavailable' | string;

export interface SmallAccount {
  readonly pool: Pool;
  /** One request for an AI image, through the authorizer and the image function. */
  askAi(words: string): Promise<Ending>;
  /** One request for a stock image, of which some have to be rendered. */
  askStock(isRendered: boolean): Promise<Ending>;
  /** Moments (epoch, milliseconds) at which images were finished. */
  readonly madeAtMs: readonly number[];
  /** Units that all requests together have cost. */
  taken(): Promise<number>;
  /** Requests that were refused early, by reason. */
  shedBy(reason: string): number;
  readonly failures: readonly unknown[];
}

/** What a request and a rendition take that do not wait for anything, in milliseconds. */
const authorizingMs = 20;
const answeringMs = 60;
const renderingMs = 700;

export interface AccountOptions {
  readonly executionsMax: number;
  /** Whether requests are refused early, as the service does; without it, the fault that the simulation must show. */
  readonly sheds: boolean;
  /** The operator's bound of waiting requests, instead of the one that follows from the executions. */
  readonly waitingMax?: number;
  /** Shortest and longest time that the model takes, in milliseconds. */
  readonly drawingMs: readonly [number, number];
}

export function openSmallAccount(clock: Clock, random: Random, options: AccountOptions): SmallAccount {
  const { executionsMax, sheds, waitingMax, drawingMs } = options;
  const failures: unknown[] = [];
  const madeAtMs: number[] = [];
  const pool = createPool(clock, executionsMax, (error) => failures.push(error));
  const { send, tableNames } = createMemoryDynamoDb();
  const db: Database = { send };
  const telemetry = createRecordedTelemetry();
  const library = createFakeImageLibrary();
  const ids: Ids = {
    ulid: (nowMs) => ulidOf(nowMs, random.bytes(10)),
    bytes: (bytes) => random.bytes(bytes),
    hex: (bytes) => Buffer.from(random.bytes(bytes)).toString('hex'),
  };
  const stores = openAiStores({ db, tableNames, library, clock, ids, telemetry });
  const run = createRunGeneration({
    ...stores,
    draw: async () => {
      await clock.sleep(random.between(...drawingMs));
      madeAtMs.push(clock.nowMs());
      const image = { bytes: new Uint8Array(1), mediaType: 'image/png' };
      const size = { widthPx: 1536, heightPx: 864 };
      return { outcome: 'image', image, size, model: 'm', extension: 'png' };
    },
  });
  const generate = (job: GenerationJob) => run(job, clock.nowMs() + functionTimeoutsS.generator * 1_000);

  /** As the adapter does: a refusal for lack of executions is repeated, and then is the renderer's being busy. */
  const invokeRenderer = <T>(work: () => Promise<T>): Promise<T> =>
    retryThrottled(clock, () => pool.invoke('renderer', work)).catch((error: unknown) => {
      throw isThrottled(error) ? new RendererBusy('No execution is free', { cause: error }) : error;
    });
  const renderer: Renderer = {
    render: () =>
      invokeRenderer(async () => {
        await clock.sleep(renderingMs);
        return { outcome: 'stored' };
      }),
  };

  const admit = createAdmitWaiting({
    places: createWaitingPlaces(db, tableNames.quotaCounters, (below) => random.between(0, below - 1)),
    readUnreserved: async () => executionsMax,
    waitingMax,
    clock,
    ids,
    telemetry,
  });
  const { serveAi: serve } = openAi(stores, {
    queue: { handOver: async (job) => pool.invokeLater('generator', () => generate(job)) },
    renderer,
    delivery,
    ...(sheds && { admit }),
  });

  const caller: KeyedCaller = { kind: 'live', plan: 'business', keyId: 'k', account: accountId('a') };
  const quota = () => quotaOf(caller, '', defaultPlans, clock.nowMs());

  /** What API Gateway does with a request: it asks the authorizer, then the image function. */
  const ask = async (answer: (arrivedMs: number) => Promise<Ending>): Promise<Ending> => {
    const arrivedMs = clock.nowMs();
    try {
      await pool.invoke('authorizer', () => clock.sleep(authorizingMs));
      return await pool.invoke('redirect', () => answer(arrivedMs));
    } catch (error) {
      if (isThrottled(error)) return 'throttled';
      throw error;
    }
  };

  return {
    pool,
    madeAtMs,
    failures,
    taken: () => stores.counters.taken(quota()),
    shedBy: (reason) => telemetry.counts.filter(({ dimensions }) => dimensions?.['reason'] === reason).length,
    askAi: (query) =>
      ask(async (arrivedMs) => {
        const answer = await serve(
          {
            provider: 'ai',
            query,
            style: 'photo',
            visibility: 'public',
            widthPx: 800,
            heightPx: 450,
            asJson: false,
          },
          caller,
          aContext(caller, clock.nowMs(), { requestId: ids.hex(8), deadlineMs: arrivedMs + requestBudgetMs }),
        );
        return answer.outcome === 'served' ? 'served' : answer.refusal.code;
      }),
    askStock: (isRendered) =>
      ask(async () => {
        await clock.sleep(answeringMs);
        if (!isRendered) return 'served';
        try {
          await invokeRenderer(() => clock.sleep(renderingMs));
          return 'served';
        } catch (error) {
          if (error instanceof RendererBusy) return 'generation_in_progress';
          throw error;
        }
      }),
  };
}

/** Functions of the service that take part. */
export type Role = 'authorizer' | 'redirect' | 'generator' | 'renderer';

/** Time that a function takes to start where no idle instance of it is left, in milliseconds. */
const coldStartMs: Readonly<Record<Role, number>> = {
  authorizer: 350,
  redirect: 500,
  generator: 1_300,
  renderer: 1_200,
};

/** Lambda tries to start what was handed to it again after a second, then after twice as long each time. */
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

export interface Pool {
  /** Runs a function and waits for it. @throws `TooManyRequestsException` when no execution is free */
  invoke<T>(role: Role, work: () => Promise<T>): Promise<T>;
  /** Hands work over that is run as soon as Lambda finds an execution free. */
  invokeLater(role: Role, work: () => Promise<void>): void;
  /** How long no execution was free, longest time without a break and altogether, in milliseconds. */
  full(): { readonly longestMs: number; readonly totalMs: number };
}

function createPool(clock: Clock, executionsMax: number, onFailure: (error: unknown) => void): Pool {
  let busy = 0;
  let fullSinceMs: number | undefined;
  let longestMs = 0;
  let totalMs = 0;
  const idle = new Map<Role, number>();

  const noteFull = (): void => {
    if (busy === executionsMax) fullSinceMs ??= clock.nowMs();
    else if (fullSinceMs !== undefined) {
      const lastedMs = clock.nowMs() - fullSinceMs;
      longestMs = Math.max(longestMs, lastedMs);
      totalMs += lastedMs;
      fullSinceMs = undefined;
    }
  };

  const invoke: Pool['invoke'] = async (role, work) => {
    if (busy === executionsMax)
      throw Object.assign(new Error('Rate Exceeded.'), { name: 'TooManyRequestsException' });
    busy += 1;
    noteFull();
    const warm = idle.get(role) ?? 0;
    try {
      if (warm > 0) idle.set(role, warm - 1);
      else await clock.sleep(coldStartMs[role]);
      return await work();
    } finally {
      idle.set(role, (idle.get(role) ?? 0) + 1);
      busy -= 1;
      noteFull();
    }
  };

  const attemptLater = async (role: Role, work: () => Promise<void>): Promise<void> => {
    for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(longestRetryMs, pauseMs * 2)) {
      try {
        return await invoke(role, work);
      } catch (error) {
        if ((error as Error).name !== 'TooManyRequestsException') throw error;
        await clock.sleep(pauseMs);
      }
    }
  };

  return {
    invoke,
    invokeLater: (role, work) => void attemptLater(role, work).catch(onFailure),
    full: () => ({ longestMs, totalMs }),
  };
}
