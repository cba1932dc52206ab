/** Removes an account: its credentials, its usage, and its AI images with their files. */

import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { listItems, writeTable } from '../../lambda/aws/dynamodb';
import type { AccountId } from '../../lambda/credentials/caller';
import { getKeyReference, writePartitionKey } from '../../lambda/credentials/key-store';
import { type ManageServices, readCurrentKeys, revokeKey } from '../../lambda/credentials/manage-keys';
import {
  type ImageKey,
  makeImageId,
  makeMastersFolder,
  makeRenditionsFolder,
} from '../../lambda/generation/ai-image-identity';
import { removeImage } from '../../lambda/generation/ai-image-store';
import { imageKeyPrefix, makeAiPick } from '../../lambda/images/picked-images';
import { removeFiles, type TakeDownServices } from '../images/take-down';

export type RemoveServices = TakeDownServices &
  ManageServices & { readonly tables: Readonly<Record<'quotaCounters', string>> };

/**
 * Removes an account. It can be stopped and repeated: credentials are revoked first and removed last, because they
 * lead to the counters of keys, and the item of an image is removed after the files that it leads to.
 * @returns the number of removed things of each kind
 * @throws when a table or the image store does not answer
 */
export async function removeAccount(services: RemoveServices, account: AccountId) {
  const { apiKeys, quotaCounters, generationIndex } = services.tables;
  const removeItems = async (TableName: string, keys: readonly string[]) => {
    for (const pk of keys) await writeTable(services, new DeleteCommand({ TableName, Key: { pk } }));
    return keys.length;
  };
  const records = await readCurrentKeys(services, account);
  for (const record of records) await revokeKey(services, record);
  const images = await findItemKeys<ImageKey>(services, generationIndex, [account]);
  for (const key of images) await removeImage(services, key);
  const folders = images.flatMap((key) => [makeMastersFolder(key), makeRenditionsFolder(key)]);
  // One path for all images, because CloudFront takes 15 wildcards at a time and charges for each.
  const invalidatingAll = { ...services, invalidate: () => services.invalidate(['']) };
  const files = images.length === 0 ? 0 : await removeFiles(invalidatingAll, folders, services.clock.nowMs());
  const pickKeys = images.map((key) => `${imageKeyPrefix}${makeAiPick(makeImageId(key))}`);
  await removeItems(services.tables.images, pickKeys);
  await removeItems(generationIndex, images);
  const owners = [account, ...records.map(({ keyId }) => keyId)];
  const usage = await removeItems(quotaCounters, await findItemKeys<string>(services, quotaCounters, owners));
  const credentials = await removeItems(apiKeys, records.map(getKeyReference).map(writePartitionKey));
  return { credentials, usage, images: images.length, files };
}

/** Finds the keys of items that name one of some owners. It reads the whole table. */
async function findItemKeys<Key>(services: RemoveServices, TableName: string, owners: readonly string[]) {
  const keys: Key[] = [];
  const scan = new ScanCommand({ TableName, ConsistentRead: true });
  for await (const { pk } of listItems(services, scan))
    if (owners.some((owner) => String(pk).includes(`#${owner}#`))) keys.push(pk as Key);
  return keys;
}
