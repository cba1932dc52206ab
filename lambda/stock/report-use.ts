/** Reports uses to providers that want reports. Without budget, a request an hour later reports the use. */

import { itemKey, updateItem } from '../aws/dynamodb';
import { dayS, dayWindow } from '../base/window';
import type { ServedImage } from '../images/image';
import { takeFromBudget } from './provider-budget';
import type { StockServices } from './stock-services';

const putOffMs = 3_600_000;

/** Hands a use over, once for each image, owner (account or `anonymous`) and UTC day. Never throws. */
export async function reportUse(
  services: StockServices,
  { pick, use }: Pick<ServedImage, 'pick' | 'use'>,
  owner: string,
): Promise<void> {
  if (!use) return;
  const { clock, stockMemory, telemetry } = services;
  const nowMs = clock.nowMs();
  const { label, endsMs } = dayWindow(nowMs);
  const putOffUntilMs = nowMs + putOffMs;
  const pk = `USE#${pick}#${owner}#${label}`;
  if (stockMemory.doneToday.get(pk, nowMs)) return;
  const labels = { provider: use.provider };
  try {
    // If two visitors load the image at once, only one request reports it.
    const isFirst = await claimReport(services, pk, endsMs, nowMs);
    stockMemory.doneToday.set(pk, true, isFirst ? endsMs : putOffUntilMs);
    if (!isFirst) return;
    const provider = services.findProvider(use.provider);
    const hasBudget = (await takeFromBudget(services, provider, 'upkeep', pk)) === undefined;
    if (hasBudget) await services.handOverUse(use);
    else {
      stockMemory.doneToday.set(pk, true, putOffUntilMs);
      await claimReport(services, pk, putOffUntilMs, endsMs);
    }
    telemetry.count('usageReports', { ...labels, outcome: hasBudget ? 'handed-over' : 'put-off' });
  } catch (error) {
    telemetry.count('usageReports', { ...labels, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, labels);
  }
}

/** Claims the report of a use until `untilMs`. An earlier claim that lasts beyond `fromMs` prevents it. */
async function claimReport(
  services: StockServices,
  pk: string,
  untilMs: number,
  fromMs: number,
): Promise<boolean> {
  const claimItem = itemKey(services.tables.cache, pk);
  const { applied } = await updateItem(services, claimItem, {
    set: { untilMs, ttl: Math.ceil(untilMs / 1_000) + dayS },
    onlyIf: 'attribute_not_exists(pk) OR untilMs <= :fromMs',
    values: { fromMs },
  });
  return applied;
}
