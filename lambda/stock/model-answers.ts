/** Has a model answer about a search once: for all instances and concurrent requests, within limits, and not again for a while after a failure. */

import type { Clock, Ids } from '../base/clock';
import type { Cache } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import { poll } from '../base/poll';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { sha256Hex } from '../requests/image-request';
import type { ProviderSearch } from './provider-request';

/** How long an answer stands, in milliseconds. */
const answeredForMs = 30 * 24 * 3_600_000;
/** How long a model that gave no answer is sent nothing about the same, in milliseconds. */
const failedForMs = 3_600_000;

/** Where answers are cached, and what waits for them. */
export interface ModelAnswersDeps {
  readonly cache: Pick<Cache, 'read' | 'write' | 'lease' | 'release'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** What a model is used for. */
interface ModelUse {
  /** Names it in the keys of the cache, in charges and in the log. */
  readonly kind: 'judgement' | 'rewriting';
  readonly count: (outcome: 'answered' | 'failed' | 'limited') => void;
  /** Longest wait for an answer. */
  readonly timeoutMs: number;
}

/**
 * What the model says of a search; `undefined` where it or the cache fails, and where it is late or over its limits.
 * @param identity what an answer depends on, as JSON
 * @param request gets the deadline (epoch, milliseconds); an answer that does not count is `undefined`
 */
export type ModelAnswers<T> = (
  search: Pick<ProviderSearch, 'deadlineMs' | 'caller'>,
  identity: readonly unknown[],
  request: (deadlineMs: number) => Promise<T | undefined>,
) => Promise<T | undefined>;

/** @param T plain JSON, because it is cached */
export function createModelAnswers<T>(
  { cache, clock, ids, telemetry }: ModelAnswersDeps,
  { kind, count, timeoutMs }: ModelUse,
): ModelAnswers<T> {
  const requesting = createSingleFlight<T | undefined>();

  const answerOf = async (
    key: string,
    { deadlineMs, caller }: Parameters<ModelAnswers<T>>[0],
    request: Parameters<ModelAnswers<T>>[2],
  ): Promise<T | undefined> => {
    const endsMs = Math.min(deadlineMs, clock.nowMs() + timeoutMs);
    const read = async () => {
      const stored = await cache.read<T | null>(key);
      return stored && stored.freshUntilMs > clock.nowMs()
        ? { answer: stored.value ?? undefined }
        : undefined;
    };
    const settled = await read();
    if (settled) return settled.answer;
    const holder = ids.hex(8);
    const lease = await cache.lease<T | null>(key, holder, timeoutMs);
    if (lease.outcome !== 'leased') {
      return (await poll(await read(), (each) => each === undefined, read, { clock, endsMs }))?.answer;
    }
    if (!(await caller.chargeModelRequest?.(kind))) {
      count('limited');
      await cache.release(key, holder);
      return undefined;
    }
    const answer = await request(endsMs).catch((error: unknown) => {
      telemetry.info('A model did not answer', { kind, reason: String(error) });
      return undefined;
    });
    count(answer === undefined ? 'failed' : 'answered');
    const untilMs = clock.nowMs() + (answer === undefined ? failedForMs : answeredForMs);
    await cache.write(key, { value: answer ?? null, freshUntilMs: untilMs, staleUntilMs: untilMs });
    return answer;
  };

  return async (search, identity, request) => {
    const key = `${kind.toUpperCase()}#${sha256Hex(JSON.stringify(identity))}`;
    const answering = () => requesting(key, () => answerOf(key, search, request)).result;
    return orLogged(telemetry, 'A model gave no answer', answering, { kind });
  };
}
