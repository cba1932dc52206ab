/** Removes the credentials of an account, its usage, and its AI images with their files. */

import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, itemsOf, write } from '../../lambda/aws/dynamodb';
import { unlimitedCounterShards, usageHistoryMonths } from '../../lambda/contract/plans';
import type { AccountId } from '../../lambda/credentials/caller';
import { keyOf, keysOf, refOf } from '../../lambda/credentials/key-store';
import { type ImageKey, imageFolder, renditionsFolder } from '../../lambda/generation/generation-identity';
import { remove } from '../../lambda/generation/generations';
import { daysOfMonth, lastMonths, readItems, usageKeysOf } from '../../lambda/quota/usage/report-usage';
import { removeFiles, type TakeDownServices } from '../images/take-down';

/** What removing an account needs. */
export interface RemoveServices extends DatabaseServices, Pick<TakeDownServices, 'bucket' | 'invalidate'> {
  readonly tables: Readonly<Record<'apiKeys' | 'quotaCounters' | 'generationIndex', string>>;
}

/** By then every rendition that was being made when its image was removed is stored, in milliseconds. */
const rendersEndMs = 60_000;

/**
 * May be stopped anywhere and repeated: an image's item goes after its files, so that they are found again.
 * @returns how many of each were removed
 * @throws when a table or the bucket does not answer
 */
export async function removeAccount(services: RemoveServices, account: AccountId) {
  const { tables, clock } = services;
  const removeItems = async (TableName: string, keys: readonly string[]) => {
    for (const pk of keys) await write(services, new DeleteCommand({ TableName, Key: { pk } }));
    return keys.length;
  };
  const records = await keysOf(services, account);
  const credentials = await removeItems(
    tables.apiKeys,
    records.map((record) => keyOf(refOf(record))),
  );
  const images = await imagesOf(services, account);
  for (const key of images) await remove(services, key);
  const folders = images.flatMap((key) => [imageFolder(key), renditionsFolder(key)]);
  // One path for all of them: CloudFront takes 15 with a wildcard at a time, and charges for each.
  const whole = { ...services, invalidate: () => services.invalidate(['']) };
  const files = images.length === 0 ? 0 : await removeFiles(whole, folders, rendersEndMs);
  await removeItems(tables.generationIndex, images);
  const counted = await readItems(services, countersOf(account, clock.nowMs()));
  const usage = await removeItems(tables.quotaCounters, [...counted.keys()]);
  return { credentials, usage, images: images.length, files };
}

/** The keys of all AI images of an account, live and test. Reads the whole table, as an operator does rarely. */
async function imagesOf(services: RemoveServices, account: AccountId): Promise<readonly ImageKey[]> {
  const scan = new ScanCommand({
    TableName: services.tables.generationIndex,
    FilterExpression: 'begins_with(pk, :live) OR begins_with(pk, :test)',
    ExpressionAttributeValues: { ':live': `G#live#${account}#`, ':test': `G#test#${account}#` },
    ConsistentRead: true,
  });
  const keys: ImageKey[] = [];
  for await (const { pk } of itemsOf(services, scan)) keys.push(pk as ImageKey);
  return keys;
}

/** Where the break-downs of its days, and the requests and AI images of its months may be kept. */
function countersOf(account: AccountId, nowMs: number): readonly string[] {
  return lastMonths(nowMs, usageHistoryMonths + 1).flatMap((month) => {
    const requests = `requests#live#${account}#${month}`;
    return [
      ...daysOfMonth(month).flatMap((day) => usageKeysOf(account, day)),
      requests,
      // While its account has no limit, a counter is spread.
      ...Array.from({ length: unlimitedCounterShards }, (_, shard) => `${requests}#${shard}`),
      `generations#live#${account}#${month}`,
      `generations#test#${account}#${month}`,
    ];
  });
}
