/** Units that a counter grants to the reservations of its account: the two writes that move them there and back. */

import type { Database } from '../../aws/dynamodb/call';
import { type Item, readItem, writeIf, writeUnlessThrottled } from '../../aws/dynamodb/items';
import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { Allowance } from '../quota';
import { isPrunable } from '../reservations';
import { checkQuotaItem, counterExpiryS } from './counter-item';
import { equals, newestIn, numberIn, watermarkIn } from './quota-item';

export interface GrantedUnitsDeps {
  readonly db: Database;
  readonly tableName: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

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
  allowance: Allowance,
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
      ':last': allowance.limit - 1,
      ':me': execution,
      ':ttl': counterExpiryS(allowance),
    },
  });
  if (!result) return { outcome: 'throttled' };
  if (result.applied) {
    checkQuotaItem(result.attributes, telemetry);
    return { outcome: 'granted', taken: Number(result.attributes['taken']) };
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
export async function giveBackSurplus(
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
    checkQuotaItem(result.attributes, telemetry);
    return isQuiet ? reservations : undefined;
  }
  return undefined;
}
