/**
 * Takes units of limits and gives them back, each by one conditional write. A write whose answer is lost is not
 * sent again, because a second copy would count twice.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { makeItemKey, readItem, type TableServices, writeOnce } from '../aws/dynamodb';
import { classifyCallFailure } from '../aws/errors';
import { addClosingTime } from '../base/deadline';
import type { ExpiringCache } from '../base/expiring-cache';
import { computeShard } from '../base/hash';
import { type ChargeRefusal, type RateLimitStatus, throttleRefusal } from '../problems/problem';
import {
  computeCounterExpiryS,
  computeRateLimitStatus,
  isUnlimited,
  type Limit,
  listCounterKeys,
  makeCounterKey,
  refuseByLimit,
} from './limit';
import { announceThresholds, type ThresholdServices } from './usage/thresholds';

export interface LimitServices extends ThresholdServices {
  /** Limits that have refused lately, by `makeRefusalKey`: this instance refuses them without a call. */
  readonly refusals: ExpiringCache<true>;
}

/** The limits of a request's searches, new renditions and free deliveries. */
export interface WorkContext {
  readonly requestId: string;
  readonly workLimits: readonly Limit[];
}

/** A unit that was taken. It is given back on the item that counts it, also after the window has ended. */
export interface Unit {
  readonly limit: Limit;
  /** Key of the item. */
  readonly key: string;
}

/** The outcome of taking one unit of each of several limits. */
export type TakeOutcome =
  /** `used`: units of the last limit that are taken, with this unit. */
  | { readonly outcome: 'taken'; readonly units: readonly Unit[]; readonly used: number }
  /** Nothing stays counted. `limit`: the limit that is used up; absent if the table takes no writes now. */
  | { readonly outcome: 'refused'; readonly limit: Limit | undefined; readonly refusal: ChargeRefusal }
  /** The answer to the last write was lost: it may have counted one unit beside `units`. */
  | { readonly outcome: 'unknown'; readonly units: readonly Unit[] };

const refusalTtlMs = 60_000;

/** Makes the key of a remembered refusal. The maximum is part of it, so that a better plan admits at once. */
const makeRefusalKey = (limit: Limit) => `${makeCounterKey(limit)}#${limit.max}`;

/** Finds the first limit that this instance remembers to be used up. Makes no call. */
export function findRememberedLimit(
  { refusals, clock }: Pick<LimitServices, 'refusals' | 'clock'>,
  limits: readonly Limit[],
): Limit | undefined {
  return limits.find((limit) => refusals.get(makeRefusalKey(limit), clock.nowMs()));
}

/** Finds the refusal of a limit that this instance remembers to be used up. Makes no call. */
export function findRememberedRefusal(
  services: Pick<LimitServices, 'refusals' | 'clock'>,
  limits: readonly Limit[],
): ChargeRefusal | undefined {
  const limit = findRememberedLimit(services, limits);
  return limit && refuseRemembered(limit);
}

const refuseRemembered = (limit: Limit): ChargeRefusal => ({ ...refuseByLimit(limit), isRemembered: true });

/**
 * Takes one unit of each limit, in order. If a limit refuses, the units of the earlier limits are given back,
 * and the refusal is remembered for `refusalTtlMs`.
 * @param id the id of the request or generation. It spreads units without a limit over several items.
 * @throws when the table rejects the call
 */
export async function takeUnits(
  services: LimitServices,
  limits: readonly Limit[],
  id: string,
): Promise<TakeOutcome> {
  const { clock, refusals, telemetry } = services;
  const usedUpLimit = findRememberedLimit(services, limits);
  if (usedUpLimit) return { outcome: 'refused', limit: usedUpLimit, refusal: refuseRemembered(usedUpLimit) };
  const units: Unit[] = [];
  let used = 0;
  for (const limit of limits) {
    const keys = listCounterKeys(limit);
    const unit = { limit, key: keys[computeShard(id, keys.length)] as string };
    try {
      const { Attributes: counter = {} } = await writeOnce(services, makeTakeCommand(services, unit));
      await announceThresholds(services, unit, counter, id);
      used = Number(counter['used'] ?? 0);
      units.push(unit);
    } catch (error) {
      const failure = classifyCallFailure(error);
      if (failure === 'unknownOutcome') {
        telemetry.count('chargeUnknown');
        return { outcome: 'unknown', units };
      }
      await giveBackUnits(services, units);
      if (failure === 'rejected') throw error;
      if (failure === 'notApplied') {
        telemetry.count('chargeThrottled');
        return { outcome: 'refused', limit: undefined, refusal: throttleRefusal };
      }
      refusals.set(makeRefusalKey(limit), true, clock.nowMs() + refusalTtlMs);
      return { outcome: 'refused', limit, refusal: refuseByLimit(limit) };
    }
  }
  return { outcome: 'taken', units, used };
}

/** Takes a unit of work. @returns the refusal if none is left; `undefined` also if the outcome is unknown */
export async function takeWork(
  services: LimitServices,
  { workLimits, requestId }: WorkContext,
): Promise<ChargeRefusal | undefined> {
  const result = await takeUnits(services, workLimits, requestId);
  return result.outcome === 'refused' ? result.refusal : undefined;
}

/**
 * Renders a file for a unit of work, and gives the unit back if the file was stored already.
 * @returns the result of `render`, or the refusal if no work is left
 */
export async function renderForWork<R extends { readonly outcome: string; readonly isNew?: boolean }>(
  services: LimitServices,
  { workLimits, requestId }: WorkContext,
  render: () => Promise<R>,
): Promise<R | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal }> {
  const work = await takeUnits(services, workLimits, requestId);
  if (work.outcome === 'refused') return work;
  const rendition = await render();
  if (rendition.outcome === 'stored' && !rendition.isNew) await giveBackUnits(services, work.units);
  return rendition;
}

/**
 * Gives units back on the items that count them, each by one write that is sent once, up to
 * `closingReserveMs` after the deadline. Never throws: a unit that stays counted is in a metric.
 * @returns true if it is known that all units were given back
 */
export async function giveBackUnits(services: LimitServices, units: readonly Unit[]): Promise<boolean> {
  let isGivenBack = true;
  for (const { limit, key } of units) {
    const command = new UpdateCommand({
      ...makeItemKey(services.tables.quotaCounters, key),
      UpdateExpression: 'ADD used :minusOne',
      // An item that has expired must not come back below zero, and without an expiry.
      ConditionExpression: 'used >= :one',
      ExpressionAttributeValues: { ':minusOne': -1, ':one': 1 },
    });
    try {
      await writeOnce(addClosingTime(services), command);
      services.refusals.delete(makeRefusalKey(limit));
    } catch (error) {
      isGivenBack = false;
      services.telemetry.count('refundFailed');
      services.telemetry.error('A unit was not given back', error, { kind: limit.kind });
    }
  }
  return isGivenBack;
}

/** Reads how many units of a limit are taken, strongly consistent. @throws when the table does not answer */
export async function readUsedUnits(services: TableServices<'quotaCounters'>, limit: Limit): Promise<number> {
  const counts = listCounterKeys(limit).map(async (pk) => {
    const item = await readItem(services, makeItemKey(services.tables.quotaCounters, pk));
    return Number(item?.['used'] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Reads the rate limit status of a limit. An unlimited limit takes no read. @throws as `readUsedUnits` */
export async function readLimitStatus(services: LimitServices, limit: Limit): Promise<RateLimitStatus> {
  return computeRateLimitStatus(limit, isUnlimited(limit) ? 0 : await readUsedUnits(services, limit));
}

function makeTakeCommand({ tables }: LimitServices, { limit, key }: Unit): UpdateCommand {
  return new UpdateCommand({
    ...makeItemKey(tables.quotaCounters, key),
    UpdateExpression: 'ADD used :one SET #ttl = :ttl',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':ttl': computeCounterExpiryS(limit),
      ...(!isUnlimited(limit) && { ':last': limit.max - 1 }),
    },
    // A limit of no units refuses the first one, which finds no item yet.
    ...(!isUnlimited(limit) && {
      ConditionExpression: limit.max < 1 ? 'used <= :last' : 'attribute_not_exists(used) OR used <= :last',
    }),
    ReturnValues: 'ALL_NEW',
  });
}
