/** Reservations of generations and their settlement in DynamoDB. */

import { ScanCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../aws/dynamodb';
import type { Database } from '../../aws/dynamodb/call';
import { itemsOf, readItem, writeIf, writeUnlessThrottled } from '../../aws/dynamodb/items';
import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { IndexName } from '../../contract/tables';
import { grantingCounterKey, type Limit } from '../quota';
import {
  type Charges,
  imageCost,
  isPrunable,
  type Operation,
  type PendingOperation,
  placesHeld,
  type Reservation,
  type ReservationLimits,
  type Settlement,
} from '../reservations';
import {
  checkQuotaItem,
  counterExpiryS,
  entryOf,
  equals,
  newestIn,
  numberIn,
  pendingEntry,
  pendingIn,
  prunableIn,
  watermarkIn,
} from './quota-item';

/** Every write is conditional and may be sent twice. Calls throw when their outcome is unknown after the last attempt. */
export function createCharges(deps: GrantedUnitsDeps): Charges {
  const { db, tableName, clock, telemetry } = deps;
  const keyed = (quotaKey: string) => ({ TableName: tableName, Key: { pk: quotaKey } });

  const settle = async (
    operation: Operation,
    to: 'C' | 'R',
    prunable: readonly string[],
  ): Promise<Settlement> => {
    const nowMs = clock.nowMs();
    // Again without pruning: another write may have raised the watermark.
    for (const candidates of [prunable, []]) {
      const write = settlingWrite(operation, to, { prunable: candidates, nowMs });
      const result = await writeIf(db, { ...keyed(operation.quotaKey), ...write });
      if (result.applied) {
        checkQuotaItem(result.item, telemetry);
        if (operation.cost > 0) telemetry.count(to === 'C' ? 'charges' : 'refunds');
        return 'settled';
      }
      const entry = entryOf(result.item, operation.execution);
      if (entry !== 'P') return alreadySettled(entry, to, operation.cost, telemetry);
    }
    throw new Error('A settling write was refused though its operation is pending');
  };

  /** Gives a place back that got no unit; where that fails the sweeper does it. */
  const withdraw = async (operation: Operation): Promise<void> => {
    try {
      await settle(operation, 'R', []);
    } catch (error) {
      telemetry.error('A place without a unit could not be given back', error);
    }
  };

  const reservePlace = async (
    operation: PendingOperation,
    { quota, heldMax }: ReservationLimits,
  ): Promise<Reservation> => {
    const { execution: me, cost, dueMs } = operation;
    const result = await writeUnlessThrottled(db, {
      ...keyed(operation.quotaKey),
      UpdateExpression:
        'SET #op = :op, taken = if_not_exists(taken, :zero) + :c, held = if_not_exists(held, :zero) + :place, heldFree = if_not_exists(heldFree, :zero) + :free, spent = if_not_exists(spent, :zero), begun = if_not_exists(begun, :zero) + :place, sweepAt = if_not_exists(sweepAt, :due), #ttl = :ttl',
      ConditionExpression:
        'attribute_not_exists(#op) AND (attribute_not_exists(wm) OR wm < :me) AND (attribute_not_exists(held) OR held <= :heldMax)',
      ExpressionAttributeNames: { '#op': `op#${me}`, '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':op': pendingEntry(operation),
        ':me': me,
        ':c': cost,
        ':place': placesHeld,
        ':free': imageCost - cost,
        ':zero': 0,
        ':due': dueMs,
        ':ttl': counterExpiryS(quota),
        ':heldMax': heldMax - placesHeld,
      },
    });
    if (!result) return { outcome: 'throttled' };
    if (result.applied) checkQuotaItem(result.item, telemetry);
    return reservationIn(result.item, operation, heldMax, clock.nowMs());
  };

  return {
    async reserve(operation, limits) {
      const reservation = await reservePlace(operation, limits);
      const counterKey = grantingCounterKey(operation.quotaKey);
      // What costs nothing is reserved on a used-up quota too.
      if (reservation.outcome !== 'reserved' || counterKey === undefined || operation.cost === 0)
        return reservation;
      const grant = await grantUnit(deps, counterKey, limits.quota, operation.execution);
      if (grant.outcome === 'granted') return { ...reservation, taken: grant.taken };
      await withdraw(operation);
      return grant;
    },

    commit: (operation, prunable) => settle(operation, 'C', prunable),

    async refund(operation, prunable) {
      const settlement = await settle(operation, 'R', prunable);
      const counterKey = grantingCounterKey(operation.quotaKey);
      if (counterKey !== undefined && operation.cost > 0) {
        try {
          await giveBackSurplus(deps, counterKey, operation.quotaKey);
        } catch (error) {
          telemetry.error('A refunded unit is left to the sweeper', error);
        }
      }
      return settlement;
    },

    async close(quotaKey) {
      const counterKey = grantingCounterKey(quotaKey);
      const closed =
        counterKey === undefined
          ? await readItem(db, tableName, { pk: quotaKey })
          : await giveBackSurplus(deps, counterKey, quotaKey);
      if (closed?.['held'] !== 0) return;
      const begun = numberIn(closed, 'begun');
      await writeIf(db, {
        ...keyed(quotaKey),
        UpdateExpression: 'REMOVE sweepAt',
        ConditionExpression: `held = :none AND ${equals('begun', begun)}`,
        ExpressionAttributeValues: { ':none': 0, ':begun': begun },
        ReturnValues: 'NONE',
      });
    },

    async pendingOf(quotaKey) {
      return pendingIn(quotaKey, await readItem(db, tableName, { pk: quotaKey }));
    },

    async *itemsDue(byMs) {
      const due = new ScanCommand({
        TableName: tableName,
        IndexName: 'bySweepAt' satisfies IndexName<'quotaCounters'>,
        FilterExpression: 'sweepAt <= :by',
        ExpressionAttributeValues: { ':by': byMs },
      });
      for await (const item of itemsOf(db, due)) yield String(item['pk']);
    },
  };
}

/** What an item says about a reservation, whether it was just written or stood there already. */
function reservationIn(
  item: Item | undefined,
  { quotaKey, execution }: PendingOperation,
  heldMax: number,
  nowMs: number,
): Reservation {
  const entry = entryOf(item, execution);
  if (entry === 'P') {
    return {
      outcome: 'reserved',
      prunable: prunableIn(item, nowMs),
      overdue: pendingIn(quotaKey, item).filter(
        (other) => other.execution !== execution && other.dueMs <= nowMs,
      ),
      taken: Number(item?.['taken'] ?? 0),
    };
  }
  if (entry !== 'absent') return { outcome: 'stale' };
  if (Number(item?.['held'] ?? 0) > heldMax - placesHeld) return { outcome: 'too_many_generations' };
  // The item changed between the refusal and the read; a new id tries again.
  return { outcome: 'stale' };
}

/**
 * A settlement that was there before: the same one is fine, the opposite one breaks the books, unless nothing was
 * charged and the entry only gave up its place.
 */
function alreadySettled(
  entry: ReturnType<typeof entryOf>,
  to: 'C' | 'R',
  cost: number,
  telemetry: Telemetry,
): Settlement {
  if (cost === 0 && entry !== 'absent') return 'settled';
  if (entry === to || entry === 'pruned' || (entry === 'absent' && to === 'R')) return 'settled';
  telemetry.count('invariantBroken', { invariant: 'settled-once' });
  telemetry.error('An operation was settled both ways', undefined, { was: entry, wanted: to });
  return 'broken';
}

interface SettlingOptions {
  /** Settled entries to be removed; those that are too young are left. */
  readonly prunable: readonly string[];
  readonly nowMs: number;
}

type Write = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * The place becomes free, what was held is spent (`C`) or given back (`R`), and the entry shrinks to its letter. The
 * watermark rises to the highest id removed, never falls, and never comes within a minute of now, so a late copy of a
 * removed reservation is always refused.
 */
function settlingWrite({ execution, cost }: Operation, to: 'C' | 'R', options: SettlingOptions): Write {
  const removed = options.prunable.filter((id) => id !== execution && isPrunable(id, options.nowMs));
  const watermark = removed.at(-1);
  const sums =
    to === 'C' ? 'spent = spent + :c, taken = taken + :zero' : 'taken = taken - :c, spent = spent + :zero';
  const gone = removed.map((_, i) => `#old${i}`);
  return {
    UpdateExpression: [
      `SET #op = :to, held = held - :place, heldFree = if_not_exists(heldFree, :zero) - :free, ${sums}`,
      ...(watermark === undefined ? [] : [', wm = :wm']),
      ...(gone.length === 0 ? [] : [` REMOVE ${gone.join(', ')}`]),
    ].join(''),
    ConditionExpression: [
      // A pending entry is longer than the letter that it becomes, in either form.
      'size(#op) > :letter',
      ...(watermark === undefined ? [] : ['(attribute_not_exists(wm) OR wm < :wm)']),
    ].join(' AND '),
    ExpressionAttributeNames: {
      '#op': `op#${execution}`,
      ...Object.fromEntries(removed.map((id, i) => [`#old${i}`, `op#${id}`])),
    },
    ExpressionAttributeValues: {
      ':to': to,
      ':letter': 1,
      ':c': cost,
      ':place': placesHeld,
      ':free': imageCost - cost,
      ':zero': 0,
      ...(watermark === undefined ? {} : { ':wm': watermark }),
    },
  };
}

interface GrantedUnitsDeps {
  readonly db: Database;
  readonly tableName: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** What became of the request for one unit. */
export type Grant =
  /** `taken` is what the counter holds after it. */
  | { readonly outcome: 'granted'; readonly taken: number }
  | { readonly outcome: 'quota_exceeded' | 'throttled' }
  /** The counter was closed for this id. */
  | { readonly outcome: 'stale' };

/**
 * Grants one unit to an execution whose place is reserved. Repeated, it grants a unit that no operation owns, which
 * `giveBackSurplus` finds: an unknown outcome may be sent again.
 * @throws when the outcome is still unknown after the last attempt
 */
export async function grantUnit(
  { db, tableName: TableName, telemetry }: GrantedUnitsDeps,
  counterKey: string,
  quota: Limit,
  execution: string,
): Promise<Grant> {
  const result = await writeUnlessThrottled(db, {
    TableName,
    Key: { pk: counterKey },
    UpdateExpression: 'ADD taken :one, granted :one SET spent = if_not_exists(spent, :zero), #ttl = :ttl',
    ConditionExpression:
      '(attribute_not_exists(taken) OR taken <= :last) AND (attribute_not_exists(wm) OR wm < :me)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':zero': 0,
      ':last': quota.limit - 1,
      ':me': execution,
      ':ttl': counterExpiryS(quota),
    },
  });
  if (!result) return { outcome: 'throttled' };
  if (result.applied) {
    checkQuotaItem(result.item, telemetry);
    return { outcome: 'granted', taken: Number(result.item['taken']) };
  }
  return { outcome: watermarkIn(result.item) >= execution ? 'stale' : 'quota_exceeded' };
}

/** Attempts to give back on a counter that others keep changing. */
const attemptsMax = 3;

/**
 * Gives back the units that were granted and that no operation owns: those of refunded operations, of executions that
 * ended between grant and use, and of grants that were applied twice.
 *
 * The counter is read before the reservations. An operation reserves its place before it is granted a unit, so one that
 * is missing in the second read owns none of the units in the first.
 *
 * Where nothing is pending, and has not been for a minute, the counter's watermark rises to the newest operation: a late
 * copy of a grant to one of these is refused from then on, so the reservations may leave the sweeper's index.
 * @returns the reservations as they were read, where the counter is closed for all of them; `undefined` where something
 * is pending or too young, or the counter has changed every time
 */
async function giveBackSurplus(
  { db, tableName: TableName, clock, telemetry }: GrantedUnitsDeps,
  counterKey: string,
  reservationsKey: string,
): Promise<Item | undefined> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const counter = (await readItem(db, TableName, { pk: counterKey })) ?? {};
    const reservations = await readItem(db, TableName, { pk: reservationsKey });
    if (!reservations) return undefined;
    const newest = newestIn(reservations);
    const isQuiet = numberIn(reservations, 'held') === 0 && isPrunable(newest, clock.nowMs());
    const [granted, returned] = [numberIn(counter, 'granted'), numberIn(counter, 'returned')];
    const surplus = Math.max(0, granted - returned - numberIn(reservations, 'taken'));
    const closes = isQuiet && newest > watermarkIn(counter);
    if (surplus === 0 && !closes) return isQuiet ? reservations : undefined;
    const result = await writeIf(db, {
      TableName,
      Key: { pk: counterKey },
      UpdateExpression: `ADD taken :minus SET returned = :after, spent = if_not_exists(spent, :zero), #ttl = if_not_exists(#ttl, :ttl)${closes ? ', wm = :newest' : ''}`,
      ConditionExpression: [
        equals('returned', returned),
        ...(closes ? [equals('granted', granted), '(attribute_not_exists(wm) OR wm < :newest)'] : []),
      ].join(' AND '),
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':minus': -surplus,
        ':zero': 0,
        ':returned': returned,
        ':after': returned + surplus,
        ':ttl': numberIn(reservations, 'ttl'),
        ...(closes ? { ':granted': granted, ':newest': newest } : {}),
      },
    });
    if (!result.applied) continue;
    checkQuotaItem(result.item, telemetry);
    return isQuiet ? reservations : undefined;
  }
  return undefined;
}
