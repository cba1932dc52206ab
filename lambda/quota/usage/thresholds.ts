/** Announces to the operator that 80 % or 100 % of an account's month or of the day's AI images is used, once each. */

import { type Item, makeItemKey, type TableServices, updateItem } from '../../aws/dynamodb';
import type { Deadline } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { formatIsoSeconds } from '../../base/window';
import type { Limit } from '../limit';

/** An event for the operator's rules. */
export interface ThresholdEvent {
  readonly type: 'Usage threshold reached' | 'Generation ceiling threshold reached';
  readonly detail: Readonly<Record<string, string | number>>;
}

/** The counters, whose items note what was announced; without `announce`, nothing is. */
export interface ThresholdServices extends TableServices<'quotaCounters'> {
  readonly telemetry: Telemetry;
  readonly announce?: ((event: ThresholdEvent, deadline: Deadline) => Promise<void>) | undefined;
}

/**
 * Sends an event for each threshold that a counter has passed, once: its item keeps a note. The next charge
 * announces one that was passed by a charge with a lost answer, or by a plan with fewer units. Never throws.
 * @param counter the item as the charge has left it
 * @param id of the request or generation
 */
export async function announceThresholds(
  services: ThresholdServices,
  { limit, key: pk }: { readonly limit: Limit; readonly key: string },
  counter: Item,
  id: string,
): Promise<void> {
  const used = Number(counter['used']);
  const percents = [80, 100].filter(
    (percent) => used >= Math.ceil((limit.max * percent) / 100) && !counter[`announced${percent}`],
  );
  const subject = services.announce && percents.length > 0 && writeSubject(limit);
  if (!subject) return;
  for (const percent of percents) {
    const reached = { percent, limit: limit.max, used, reset: formatIsoSeconds(limit.window.endsMs) };
    const event = { ...subject, detail: { ...subject.detail, ...reached } };
    const note = `announced${percent}`;
    try {
      // The note comes first: a lost event is in the log, and a second copy would be noticed nowhere.
      const counterItem = makeItemKey(services.tables.quotaCounters, pk);
      const update = { set: { [note]: id }, onlyIf: `attribute_not_exists(${note})` };
      const { applied, item } = await updateItem(services, counterItem, update);
      if (!applied && item?.[note] !== id) continue;
      // The alarm is for the operator's day: that of an account's plan is reached in ordinary use.
      if (limit.window.kind === 'day') services.telemetry.count('generationCeiling');
      await services.announce?.(event, services.deadline);
    } catch (error) {
      services.telemetry.error('A usage threshold was not announced', error, event.detail);
    }
  }
}

/** Names the event of an account's month of requests or AI images, or of the operator's day of AI images. */
function writeSubject({ kind, owner, window, accountName }: Limit): ThresholdEvent | undefined {
  const { kind: ceiling, label: period } = window;
  const account = ceiling === 'month' && /^live#(.+)/.exec(owner)?.[1];
  if (kind === 'generations' && (account || (ceiling === 'day' && owner === 'all')))
    return { type: 'Generation ceiling threshold reached', detail: { ceiling, owner, period } };
  if (kind !== 'requests' || !account) return undefined;
  const detail = { account, ...(accountName !== undefined && { accountName }), month: period };
  return { type: 'Usage threshold reached', detail };
}
