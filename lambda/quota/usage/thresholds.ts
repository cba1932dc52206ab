/** Tells the operator once that 80 % or 100 % is used of a bound on AI images: in the log, and by a metric that has an alarm. */

import { type DatabaseServices, writeIf } from '../../aws/dynamodb';
import type { Telemetry } from '../../base/telemetry';
import { isoSeconds } from '../../base/window';
import type { Limit } from '../limit';

/** What telling needs of `Services`. */
export interface ThresholdServices extends DatabaseServices {
  readonly tables: { readonly quotaCounters: string };
  readonly telemetry: Telemetry;
}

/**
 * Tells of each threshold that a unit has reached: counters grow one by one, so one request reaches it, and another only
 * after something was given back, which finds its mark. Never throws.
 * @param limit an account's month of AI images, or the operator's day of them; of any other nothing is told
 * @param used units that are gone, this one included
 * @param by of the request or execution
 */
export async function tellThresholds(
  services: ThresholdServices,
  { limit, key: pk }: { readonly limit: Limit; readonly key: string },
  used: number,
  by: string,
): Promise<void> {
  const { kind, owner, max, window } = limit;
  const { kind: ceiling, label: period } = window;
  if (kind !== 'generations' || !(ceiling === 'month' || (ceiling === 'day' && owner === 'all'))) return;
  for (const percent of [80, 100]) {
    if (used !== Math.ceil((max * percent) / 100)) continue;
    const reset = isoSeconds(window.endMs);
    const detail = { ceiling, owner, period, percent, limit: max, used, reset };
    const mark = `told${percent}`;
    try {
      const { applied, item } = await writeIf(services, {
        ...{ TableName: services.tables.quotaCounters, Key: { pk }, UpdateExpression: `SET ${mark} = :by` },
        ConditionExpression: `attribute_not_exists(${mark})`,
        ExpressionAttributeValues: { ':by': by },
      });
      if (!applied && item?.[mark] !== by) continue;
      services.telemetry.count('generationCeiling');
      services.telemetry.info('A generation ceiling threshold was reached', detail);
    } catch (error) {
      services.telemetry.error('A generation ceiling threshold was not told', error, detail);
    }
  }
}
