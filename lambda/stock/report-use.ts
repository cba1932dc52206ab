/**
 * Has the use of an image reported to its provider, once for each image, account and UTC day, after the caller has been
 * answered. Where the provider's budget for upkeep is empty, the report is put off: the first request after an hour makes it.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
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
  const pk = `USE#${pick}#${owner}#${label}`;
  if (memory.noted.get(pk, nowMs)) return;
  const about = { provider: use.provider };
  try {
    const isMarked = await mark(services, pk, nowMs, endMs);
    memory.noted.set(pk, true, isMarked ? endMs : nowMs + putOffMs);
    if (!isMarked) return;
    const provider = services.providerOf(use.provider as StockProviderName);
    if ((await takeFromBudget(services, provider, 'upkeep', pk)) === undefined) {
      await services.handOverUse(use);
      telemetry.count('usageReports', { ...about, outcome: 'handed-over' });
    } else {
      memory.noted.set(pk, true, nowMs + putOffMs);
      await mark(services, pk, nowMs, endMs, nowMs + putOffMs);
      telemetry.count('usageReports', { ...about, outcome: 'put-off' });
    }
  } catch (error) {
    telemetry.count('usageReports', { ...about, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, about);
  }
}

/**
 * Marks a use as reported today, before that is done: of several requests at once, one reports it.
 * @param putOffUntilMs moment (epoch, milliseconds) from which another request may report it
 * @returns whether this request reports it
 * @throws when the table does not answer
 */
async function mark(
  services: StockServices,
  pk: string,
  nowMs: number,
  endMs: number,
  putOffUntilMs?: number,
): Promise<boolean> {
  const isPutOff = putOffUntilMs !== undefined;
  const command = new UpdateCommand({
    TableName: services.tables.cache,
    Key: { pk },
    UpdateExpression: isPutOff ? 'SET putOffUntilMs = :until' : 'SET #ttl = :ttl REMOVE putOffUntilMs',
    ...(isPutOff
      ? { ExpressionAttributeValues: { ':until': putOffUntilMs } }
      : {
          ConditionExpression: 'attribute_not_exists(pk) OR putOffUntilMs <= :now',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':now': nowMs, ':ttl': Math.ceil(endMs / 1_000) + 86_400 },
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
