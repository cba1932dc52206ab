/** Moves the counted units of an account to the limit of its new plan. */

import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { makeItemKey, type TableServices, updateItem, writeTable } from '../aws/dynamodb';
import { classifyCallFailure } from '../aws/errors';
import { computeCounterExpiryS, isUnlimited, type Limit, listCounterKeys } from './limit';

/**
 * Moves the units of a limit to another limit of the same owner and window. After a break it may be called again:
 * no unit is then counted twice. Nothing moves unless exactly one of the limits is unlimited, because otherwise
 * both count on the same item. Units that are taken at the same moment may be lost.
 */
export async function moveUnits(services: TableServices<'quotaCounters'>, from: Limit, to: Limit) {
  if (isUnlimited(from) === isUnlimited(to)) return;
  for (const key of listCounterKeys(from)) await moveCounter(services, key, to);
}

/** Moves the units of one item. The item gets a mark, which the target stores with the units. */
async function moveCounter(services: TableServices<'quotaCounters'>, key: string, to: Limit): Promise<void> {
  const { quotaCounters } = services.tables;
  const source = makeItemKey(quotaCounters, key);
  const onlyIf = 'attribute_exists(used) AND attribute_not_exists(movedAtMs)';
  const { item } = await updateItem(services, source, { set: { movedAtMs: services.clock.nowMs() }, onlyIf });
  if (!item) return;
  const command = new UpdateCommand({
    ...makeItemKey(quotaCounters, listCounterKeys(to)[0] as string),
    UpdateExpression: 'ADD used :used SET #ttl = :ttl, #moveMark = :used',
    ConditionExpression: 'attribute_not_exists(#moveMark)',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#moveMark': `${key}#${item['movedAtMs']}` },
    ExpressionAttributeValues: { ':used': item['used'], ':ttl': computeCounterExpiryS(to) },
  });
  await writeTable(services, command).catch((error: unknown) => {
    if (classifyCallFailure(error) !== 'conditionFailed') throw error;
  });
  await writeTable(services, new DeleteCommand(source));
}
