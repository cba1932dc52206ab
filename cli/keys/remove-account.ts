/** Removes the credentials of an account, its usage, and its AI images with their files. */

import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, itemsOf, write } from '../../lambda/aws/dynamodb';
import { unlimitedCounterShards, usageHistoryMonths } from '../../lambda/contract/plans';
import type { AccountId } from '../../lambda/credentials/account-id';
import { refOf } from '../../lambda/credentials/api-keys';
import { keyOf, keysOf } from '../../lambda/credentials/key-store';
import { type ImageKey, imageFolder, renditionsFolder } from '../../lambda/generation/generation-identity';
import { remove } from '../../lambda/generation/generations';
import type { ImageLibrary } from '../../lambda/images/image-library';
import { daysOfMonth, lastMonths, readItems, usageKeysOf } from '../../lambda/quota/usage/report-usage';
import { removeFiles } from '../images/take-down';

/** What removing an account needs. */
export interface RemoveServices extends DatabaseServices {
  readonly tables: Readonly<Record<'apiKeys' | 'quotaCounters' | 'generationIndex', string>>;
  readonly bucket: Pick<ImageLibrary, 'list' | 'remove'>;
  /** Has the distributions forget what lies below these folders. */
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
}

/** How many of each were removed. */
export interface RemovedAccount {
  readonly credentials: number;
  readonly usage: number;
  readonly images: number;
  readonly files: number;
}

/** By then every rendition that was being made when its image was removed is stored, in milliseconds. */
const rendersEndMs = 60_000;

/**
 * May be stopped anywhere and repeated: an image's item goes after its files, so that they are found again.
 * @throws when a table or the bucket does not answer
 */
export async function removeAccount(services: RemoveServices, account: AccountId): Promise<RemovedAccount> {
  const credentials = await removeCredentials(services, account);
  const images = await imagesOf(services, account);
  for (const key of images) await remove(services, key);
  const folders = images.flatMap((key) => [imageFolder(key), renditionsFolder(key)]);
  // One path for all of them: CloudFront takes 15 with a wildcard at a time, and charges for each.
  const whole = { ...services, invalidate: () => services.invalidate(['']) };
  const files = images.length === 0 ? 0 : await removeFiles(whole, folders, rendersEndMs);
  for (const key of images) await removeItem(services, 'generationIndex', key);
  const usage = await removeUsage(services, account);
  return { credentials, usage, images: images.length, files };
}

async function removeCredentials(services: RemoveServices, account: AccountId): Promise<number> {
  const records = await keysOf(services, account);
  for (const record of records) await removeItem(services, 'apiKeys', keyOf(refOf(record)));
  return records.length;
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

/** The break-downs of its days, and the requests and AI images of its months. */
async function removeUsage(services: RemoveServices, account: AccountId): Promise<number> {
  const months = lastMonths(services.clock.nowMs(), usageHistoryMonths + 1);
  const days = months.flatMap(daysOfMonth).flatMap((day) => usageKeysOf(account, day));
  const counters = months.flatMap((month) => [
    ...sharded(`requests#live#${account}#${month}`),
    `generations#live#${account}#${month}`,
    `generations#test#${account}#${month}`,
  ]);
  const items = await readItems(services, [...days, ...counters]);
  for (const pk of items.keys()) await removeItem(services, 'quotaCounters', pk);
  return items.size;
}

/** A counter, and those over which it is spread while its account has no limit. */
function sharded(key: string): readonly string[] {
  return [key, ...Array.from({ length: unlimitedCounterShards }, (_, shard) => `${key}#${shard}`)];
}

async function removeItem(
  services: RemoveServices,
  table: keyof RemoveServices['tables'],
  pk: string,
): Promise<void> {
  await write(services, new DeleteCommand({ TableName: services.tables[table], Key: { pk } }));
}
