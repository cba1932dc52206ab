/**
 * Counts how an account's requests were answered, in one item a UTC day. An account without a limit has
 * `unlimitedCounterShards` items a day. A request is added once, when its outcome is known.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { makeItemKey, type TableServices, writeOnce } from '../../aws/dynamodb';
import type { Clock } from '../../base/clock';
import { addClosingTime, runUntil } from '../../base/deadline';
import { computeShard } from '../../base/hash';
import type { Telemetry } from '../../base/telemetry';
import { computeDayWindow } from '../../base/window';
import {
  type Plans,
  unlimitedCounterShards,
  unlimitedRequests,
  usageHistoryMonths,
} from '../../contract/plans';
import type { ImageSource } from '../../contract/providers';
import { usageWaitMsMax } from '../../contract/timeouts';
import type { AccountId, Caller } from '../../credentials/caller';
import type { ProblemCode } from '../../problems/problem';

/** The answer to a request, or to an image of a batch. */
export interface UsageOutcome {
  readonly source: ImageSource;
  /** The value of `X-Cache`: `MISS` on the one request that caused an upstream request. */
  readonly cache: 'HIT' | 'MISS';
  /** Present if the image was not charged. */
  readonly isFree?: true;
}

/** The refusal of a request, or of an image of a batch: the code of the problem. */
export interface UsageRefusal {
  readonly refused: ProblemCode;
}

/**
 * Sums by counter: charged requests under `n#<source>#<cache>` and `k#<key id>`, free ones under
 * `f#<key id>`, refused ones under `r#<code>`.
 */
export type UsageSums = Readonly<Record<string, number>>;

/**
 * Records how the images of one HTTP request were answered, on the day on which it began, for live keys of
 * plans with a break-down. Waits a short time for the write. Never throws, because a metric counts a lost count.
 */
export async function recordUsage(
  services: TableServices<'quotaCounters'> & { readonly telemetry: Telemetry; readonly clock: Clock },
  plans: Plans,
  caller: Caller,
  { requestId, startedMs }: { readonly requestId: string; readonly startedMs: number },
  outcomes: readonly (UsageOutcome | UsageRefusal)[],
): Promise<void> {
  if (caller.kind !== 'live' || outcomes.length === 0) return;
  const { analytics, monthlyRequests } = plans[caller.plan];
  if (analytics === 'totals') return;
  const { account, keyId } = caller;
  const { label: day } = computeDayWindow(startedMs);
  const shard = monthlyRequests === unlimitedRequests ? computeShard(requestId, unlimitedCounterShards) : 0;
  const counters = outcomes.flatMap((outcome) => listCounters(keyId, outcome));
  const sums = Object.entries(addUsageSums(counters.map((name) => ({ [name]: 1 }))));
  const command = new UpdateCommand({
    ...makeItemKey(services.tables.quotaCounters, makeUsageKey(account, day, shard)),
    UpdateExpression: `ADD ${sums.map((_, i) => `#n${i} :n${i}`).join(', ')} SET #ttl = :ttl`,
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(sums.map(([name], i) => [`#n${i}`, name])),
    },
    ExpressionAttributeValues: {
      ':ttl': computeDayExpiryS(day),
      ...Object.fromEntries(sums.map(([, sum], i) => [`:n${i}`, sum])),
    },
  });
  const adding = writeOnce(addClosingTime(services), command).catch((error: unknown) => {
    for (const _ of outcomes) services.telemetry.count('usageUncounted');
    services.telemetry.error('Requests were not added to the usage of their account', error, { account });
  });
  await runUntil(services.clock, services.clock.nowMs() + usageWaitMsMax, () => adding).catch(
    () => undefined,
  );
}

/** Adds up the sums of each counter. */
export function addUsageSums(parts: readonly UsageSums[]): UsageSums {
  const sums: Record<string, number> = {};
  for (const [name, count] of parts.flatMap((part) => Object.entries(part)))
    sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function listCounters(keyId: string, outcome: UsageOutcome | UsageRefusal): readonly string[] {
  if ('refused' in outcome) return [`r#${outcome.refused}`];
  return outcome.isFree ? [`f#${keyId}`] : [`n#${outcome.source}#${outcome.cache}`, `k#${keyId}`];
}

/** Makes the key of an item of a day (`yyyy-mm-dd`). @param shard below `unlimitedCounterShards` */
export function makeUsageKey(account: AccountId, day: string, shard: number): string {
  return `USAGE#${account}#${day}${shard === 0 ? '' : `#${shard}`}`;
}

/** Computes when DynamoDB may delete a day's item (epoch seconds): once no history shows its month. */
function computeDayExpiryS(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return Date.UTC(year, month - 1 + usageHistoryMonths) / 1_000;
}
