/**
 * Has the use of an image reported to its provider, once for each image, account and UTC day, after the caller has been
 * answered. Where the provider's budget for upkeep is empty, the report is put off: the first request after an hour makes it.
 */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { write } from '../aws/dynamodb';
import { callFailureOf } from '../aws/errors';
import { dayWindow } from '../base/window';
import type { StockProviderName } from '../contract/providers';
import type { ServedImage } from '../images/image';
import { takeFromBudget } from './ask-provider';
import type { StockServices } from './stock-services';

/** How long a report is put off, in milliseconds. */
const putOffMs = 3_600_000;

/** @param owner account of the caller, or `anonymous`. Never throws. */
export async function reportUse(
  services: StockServices,
  { pick, use }: Pick<ServedImage, 'pick' | 'use'>,
  owner: string,
): Promise<void> {
  if (!use) return;
  const { clock, memory, telemetry } = services;
  const nowMs = clock.nowMs();
  const { label, endMs } = dayWindow(nowMs);
  const laterMs = nowMs + putOffMs;
  const pk = `USE#${pick}#${owner}#${label}`;
  if (memory.noted.get(pk, nowMs)) return;
  const about = { provider: use.provider };
  try {
    // Of several requests at once, one reports it.
    const isFirst = await mark(services, pk, endMs, nowMs);
    memory.noted.set(pk, true, isFirst ? endMs : laterMs);
    if (!isFirst) return;
    const provider = services.providerOf(use.provider as StockProviderName);
    const isTaken = (await takeFromBudget(services, provider, 'upkeep', pk)) === undefined;
    if (isTaken) await services.handOverUse(use);
    else {
      memory.noted.set(pk, true, laterMs);
      await mark(services, pk, laterMs);
    }
    telemetry.count('usageReports', { ...about, outcome: isTaken ? 'handed-over' : 'put-off' });
  } catch (error) {
    telemetry.count('usageReports', { ...about, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, about);
  }
}

/**
 * Marks a use as reported, before that is done.
 * @param untilMs moment (epoch, milliseconds) from which another request may report it
 * @param nowMs marks only a use that nobody has marked, or put off until now
 * @returns whether it was marked
 * @throws when the table does not answer
 */
async function mark(services: StockServices, pk: string, untilMs: number, nowMs?: number): Promise<boolean> {
  const command = new PutCommand({
    TableName: services.tables.cache,
    Item: { pk, untilMs, ttl: Math.ceil(untilMs / 1_000) + 86_400 },
    ...(nowMs !== undefined && {
      ConditionExpression: 'attribute_not_exists(pk) OR untilMs <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    }),
  });
  try {
    await write(services, command);
    return true;
  } catch (error) {
    if (callFailureOf(error) !== 'conditionFailed') throw error;
    return false;
  }
}
