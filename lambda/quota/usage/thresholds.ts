/** Announces to the operator once that 80 % or 100 % of a limit is used: of an account's month, or of the day's AI images. */

import { type Item, makeItemKey, type TableServices, updateItem } from '../../aws/dynamodb';
import type { Deadline } from '../../base/deadline';
import { dropUndefined } from '../../base/drop-undefined';
import type { Telemetry } from '../../base/telemetry';
import { formatIsoSeconds } from '../../base/window';
import type { Limit, LimitKind } from '../limit';

/** The types of events, by the kind of limit. Other limits are not announced. */
const eventTypes: Partial<Record<LimitKind, string>> = {
  requests: 'Usage threshold reached',
  generations: 'Generation ceiling threshold reached',
};

/** An event for the operator's rules. */
export interface ThresholdEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** The counters, and the connection to the operator. */
export interface ThresholdServices extends TableServices<'quotaCounters'> {
  readonly telemetry: Telemetry;
  /** Sends an event. If it is absent, nothing is announced. */
  readonly announce?: ((event: ThresholdEvent, deadline: Deadline) => Promise<void>) | undefined;
}

/**
 * Sends an event for each threshold that a counter has passed. An attribute of the counter marks the event, so
 * that it is sent once. If the answer to a charge is lost, or the plan shrinks, the next charge sends the event.
 * Never throws.
 * @param counter the item after the charge
 * @param id id of the request or generation
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
  const subject = services.announce && percents.length > 0 && describeCounter(limit);
  if (!subject) return;
  for (const percent of percents) {
    const reached = { percent, limit: limit.max, used, reset: formatIsoSeconds(limit.window.endsMs) };
    const event = { ...subject, detail: { ...subject.detail, ...reached } };
    const announcedAttribute = `announced${percent}`;
    try {
      // The attribute is written first, because a lost event is logged, but nobody would notice a second copy.
      const counterItem = makeItemKey(services.tables.quotaCounters, pk);
      const update = {
        set: { [announcedAttribute]: id },
        onlyIf: `attribute_not_exists(${announcedAttribute})`,
      };
      const { applied, item } = await updateItem(services, counterItem, update);
      if (!applied && item?.[announcedAttribute] !== id) continue;
      // The metric raises an alarm. Accounts reach the limits of their plans in ordinary use.
      if (limit.window.kind === 'day') services.telemetry.count('generationCeiling');
      await services.announce?.(event, services.deadline);
    } catch (error) {
      services.telemetry.error('A usage threshold was not announced', error, event.detail);
    }
  }
}

/** Names the event of a month of an account's requests or AI images, or of the operator's day of AI images. */
function describeCounter({ kind, owner, window, accountName }: Limit): ThresholdEvent | undefined {
  const type = eventTypes[kind];
  const [, account] = /^live#(.+)/.exec(owner) ?? [];
  if (!type) return undefined;
  if (kind === 'generations' && window.kind === 'day' && owner === 'all')
    return { type, detail: { day: window.label } };
  if (window.kind !== 'month' || account === undefined) return undefined;
  return { type, detail: { account, ...dropUndefined({ accountName }), month: window.label } };
}
