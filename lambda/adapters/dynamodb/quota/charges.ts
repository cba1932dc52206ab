/** Reservations and their settlement on quota items in DynamoDB. */

import { unlimitedRequests } from '../../../contract/plans';
import type { IndexName } from '../../../contract/tables';
import {
  imageCost,
  isPrunable,
  type Operation,
  type PendingOperation,
  placesHeld,
} from '../../../domain/quota/charge';
import type { Charges, Reservation, Settlement } from '../../../ports/charges';
import type { Clock } from '../../../ports/clock';
import type { Telemetry } from '../../../ports/telemetry';
import { type Database, failureOf } from '../call';
import { ScanCommand } from '../commands';
import { type Item, readItem, writeIf } from '../conditional-write';
import { itemsOf } from '../items-of';
import { checkQuotaItem, counterExpiryS } from './counter-item';
import { pendingEntry } from './pending-entry';
import { entryOf, pendingIn, prunableIn } from './quota-item';
import { settlingWrite } from './settling-write';

export interface ChargesDeps {
  readonly db: Database;
  readonly tableName: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** Attempts to settle an operation on an item that others keep changing. */
const settleAttemptsMax = 8;

export function createCharges({ db, tableName, clock, telemetry }: ChargesDeps): Charges {
  const keyed = (quotaKey: string) => ({ TableName: tableName, Key: { pk: quotaKey } });

  const settle = async (
    operation: Operation,
    to: 'C' | 'R',
    prunable: readonly string[],
  ): Promise<Settlement> => {
    const nowMs = clock.nowMs();
    let prune = prunable.filter((id) => isPrunable(id, nowMs));
    let isLast = true;
    for (let attempt = 1; attempt <= settleAttemptsMax; attempt++) {
      const write = settlingWrite(operation, to, { prunable: prune, isLast, nowMs });
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
      // Only a side condition failed: the watermark has moved on, or other operations came or went.
      if (String(result.item?.['wm'] ?? '') >= (prune.at(-1) ?? '')) prune = [];
      isLast = Number(result.item?.['held'] ?? 0) <= placesHeld;
    }
    throw new Error('A settling write met a changed item every time');
  };

  return {
    async reserve(operation, { allowance, heldMax }) {
      const { execution: me, cost, dueMs } = operation;
      // What costs nothing is reserved on a used-up quota too.
      const isLimited = allowance.limit !== unlimitedRequests && cost > 0;
      const writing = writeIf(db, {
        ...keyed(operation.quotaKey),
        UpdateExpression:
          'SET #op = :op, taken = if_not_exists(taken, :zero) + :c, held = if_not_exists(held, :zero) + :place, heldFree = if_not_exists(heldFree, :zero) + :free, spent = if_not_exists(spent, :zero), sweepAt = if_not_exists(sweepAt, :due), #ttl = :ttl',
        ConditionExpression: [
          'attribute_not_exists(#op)',
          '(attribute_not_exists(wm) OR wm < :me)',
          ...(isLimited ? ['(attribute_not_exists(taken) OR taken <= :takenMax)'] : []),
          '(attribute_not_exists(held) OR held <= :heldMax)',
        ].join(' AND '),
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
          ...(isLimited ? { ':takenMax': allowance.limit - cost } : {}),
        },
      });
      const result = await writing.catch((error: unknown) => {
        if (failureOf(error) === 'throttled') return undefined;
        throw error;
      });
      if (!result) return { outcome: 'throttled' };
      const item = result.applied ? result.attributes : result.item;
      if (result.applied) checkQuotaItem(result.attributes, telemetry);
      return reservationIn(item, operation, allowance.limit, heldMax, clock.nowMs());
    },

    commit: (operation, prunable) => settle(operation, 'C', prunable),
    refund: (operation, prunable) => settle(operation, 'R', prunable),

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
  { quotaKey, execution, cost }: PendingOperation,
  limit: number,
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
  if (cost > 0 && limit !== unlimitedRequests && Number(item?.['taken'] ?? 0) > limit - cost)
    return { outcome: 'quota_exceeded' };
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
