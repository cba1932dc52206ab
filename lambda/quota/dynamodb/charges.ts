/** Reservations of generations and their settlement in DynamoDB. */

import { ScanCommand } from '../../aws/dynamodb/commands';
import { type Item, itemsOf, readItem, writeIf, writeUnlessThrottled } from '../../aws/dynamodb/items';
import type { Telemetry } from '../../base/telemetry';
import type { IndexName } from '../../contract/tables';
import { grantingCounterKey } from '../quota';
import type { Charges, Reservation, Settlement } from '../reservations';
import {
  imageCost,
  type Operation,
  type PendingOperation,
  placesHeld,
  type ReservationLimits,
} from '../reservations';
import { checkQuotaItem, counterExpiryS } from './counter-item';
import { type GrantedUnitsDeps, giveBackSurplus, grantUnit } from './granted-units';
import { pendingEntry } from './pending-entry';
import { entryOf, equals, numberIn, pendingIn, prunableIn } from './quota-item';
import { settlingWrite } from './settling-write';

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
      const result = await writeIf(db, {
        ...keyed(operation.quotaKey),
        ...write,
        ReturnValues: 'UPDATED_NEW',
      });
      if (result.applied) {
        checkQuotaItem(result.attributes, telemetry);
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
    { allowance, heldMax }: ReservationLimits,
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
        ':ttl': counterExpiryS(allowance),
        ':heldMax': heldMax - placesHeld,
      },
    });
    if (!result) return { outcome: 'throttled' };
    if (result.applied) checkQuotaItem(result.attributes, telemetry);
    return reservationIn(result.applied ? result.attributes : result.item, operation, heldMax, clock.nowMs());
  };

  return {
    async reserve(operation, limits) {
      const reservation = await reservePlace(operation, limits);
      const counterKey = grantingCounterKey(operation.quotaKey);
      // What costs nothing is reserved on a used-up quota too.
      if (reservation.outcome !== 'reserved' || counterKey === undefined || operation.cost === 0)
        return reservation;
      const grant = await grantUnit(deps, counterKey, limits.allowance, operation.execution);
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
      const due = {
        TableName: tableName,
        IndexName: 'bySweepAt' satisfies IndexName<'quotaCounters'>,
        FilterExpression: 'sweepAt <= :by',
        ExpressionAttributeValues: { ':by': byMs },
      };
      const items = itemsOf(db, (ExclusiveStartKey) => new ScanCommand({ ...due, ExclusiveStartKey }));
      for await (const item of items) yield String(item['pk']);
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
