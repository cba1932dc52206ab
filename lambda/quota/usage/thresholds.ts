/** Tells the operator once that 80 % or 100 % is used of an account's month, or of a bound on AI images. */

import { type DatabaseServices, writeIf } from '../../aws/dynamodb';
import type { Deadline } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { isoSeconds } from '../../base/window';
import type { Limit } from '../limit';

/** An event for the operator's rules. */
export interface ThresholdEvent {
  readonly type: 'Usage threshold reached' | 'Generation ceiling threshold reached';
  readonly detail: Readonly<Record<string, string | number>>;
}

/** What announcing needs of `Services`. */
export interface ThresholdServices extends DatabaseServices {
  readonly tables: { readonly quotaCounters: string };
  readonly telemetry: Telemetry;
  /** Sends an event to the operator; absent where nothing is announced. */
  readonly announce?: ((event: ThresholdEvent, deadline: Deadline) => Promise<void>) | undefined;
}

/**
 * Sends an event for each threshold that a unit has reached: counters grow one by one, so one request reaches it, and
 * another only after something was given back, which finds its mark. Never throws.
 * @param used units that are gone, this one included
 * @param by of the request or execution
 */
export async function announceThresholds(
  services: ThresholdServices,
  { limit, key }: { readonly limit: Limit; readonly key: string },
  used: number,
  by: string,
): Promise<void> {
  const { announce, tables, telemetry } = services;
  for (const percent of [80, 100]) {
    const event = used === Math.ceil((limit.max * percent) / 100) ? eventOf(limit, percent, used) : undefined;
    if (!announce || !event) continue;
    try {
      const mark = `announced${percent}`;
      // Marked before it is announced: an event that gets lost is in the log, one that comes twice is nowhere.
      const { applied, item } = await writeIf(services, {
        TableName: tables.quotaCounters,
        Key: { pk: key },
        UpdateExpression: 'SET #mark = :by',
        ConditionExpression: 'attribute_not_exists(#mark)',
        ExpressionAttributeNames: { '#mark': mark },
        ExpressionAttributeValues: { ':by': by },
      });
      if (!applied && item?.[mark] !== by) continue;
      if (limit.kind === 'generations') telemetry.count('generationCeiling');
      await announce(event, services.deadline);
    } catch (error) {
      telemetry.error('A usage threshold was not announced', error, event.detail);
    }
  }
}

/** Of a plan's month of requests, an account's month of AI images, and the operator's day of them; of no other limit. */
function eventOf(
  { kind, owner, max, window, accountName }: Limit,
  percent: number,
  used: number,
): ThresholdEvent | undefined {
  const reached = { percent, limit: max, used, reset: isoSeconds(window.endMs) };
  const [isMonth, account] = [window.kind === 'month', owner.replace(/^live#/, '')];
  if (kind === 'requests' && isMonth && account !== owner)
    return {
      type: 'Usage threshold reached',
      detail: { account, ...(accountName !== undefined && { accountName }), month: window.label, ...reached },
    };
  if (kind !== 'generations' || !(isMonth || (window.kind === 'day' && owner === 'all'))) return undefined;
  return {
    type: 'Generation ceiling threshold reached',
    detail: { ceiling: window.kind, owner, period: window.label, ...reached },
  };
}
