/** Reports the uses of images to providers. If the budget is used up, a request an hour later reports the use. */

import { makeItemKey, updateItem } from '../aws/dynamodb';
import { computeDayWindow, computeTtlS, dayMs } from '../base/window';
import type { ServedImage } from '../images/image';
import { takeFromBudget } from './provider-budget';
import type { StockServices } from './stock-services';

const putOffMs = 3_600_000;

/** Hands a use over, once for each image, owner (account or `anonymous`) and UTC day. Never throws. */
export async function reportFirstUseOfDay(
  services: StockServices,
  { pick, use }: Pick<ServedImage, 'pick' | 'use'>,
  owner: string,
): Promise<void> {
  if (!use) return;
  const { clock, stockMemory, tables, telemetry } = services;
  const nowMs = clock.nowMs();
  const { label, endsMs } = computeDayWindow(nowMs);
  const putOffUntilMs = nowMs + putOffMs;
  const pk = `USE#${pick}#${owner}#${label}`;
  if (stockMemory.writtenLately.get(pk, nowMs)) return;
  const labels = { provider: use.provider };
  /** Claims the report until `untilMs`. An earlier claim that lasts beyond `fromMs` prevents it. */
  const claim = (untilMs: number, fromMs: number) => {
    const set = { untilMs, ttl: computeTtlS(untilMs + dayMs) };
    const onlyIf = 'attribute_not_exists(pk) OR untilMs <= :fromMs';
    return updateItem(services, makeItemKey(tables.cache, pk), { set, onlyIf, values: { fromMs } });
  };
  try {
    // If two visitors load the image at once, only one request reports it.
    const { applied: isFirst } = await claim(endsMs, nowMs);
    stockMemory.writtenLately.set(pk, true, isFirst ? endsMs : putOffUntilMs);
    if (!isFirst) return;
    const provider = services.findProvider(use.provider);
    const hasBudget = (await takeFromBudget(services, provider, 'upkeep', pk)) === undefined;
    if (hasBudget) await services.handOverUse(use);
    else {
      stockMemory.writtenLately.set(pk, true, putOffUntilMs);
      await claim(putOffUntilMs, endsMs);
    }
    telemetry.count('usageReports', { ...labels, outcome: hasBudget ? 'handed-over' : 'put-off' });
  } catch (error) {
    telemetry.count('usageReports', { ...labels, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, labels);
  }
}
