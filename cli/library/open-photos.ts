/** Puts together what the commands for the operator's photographs work with. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StockMemory } from '../../lambda/base/item-store';
import { systemClock as clock, systemIds as ids } from '../../lambda/base/system';
import type { ImageLibrary } from '../../lambda/images/image-library';
import { createItemStore } from '../../lambda/stock/dynamodb/item-store';
import { createManagePhotos, type ManagePhotos } from '../../lambda/stock/library/manage-photos';

/** The photographs of a service, and where they are stored. */
export interface OpenPhotos {
  readonly photos: ManagePhotos;
  readonly library: ImageLibrary;
  readonly stockMemory: StockMemory;
}

/** Opens them. @param stockMemoryTable name of the table */
export function openPhotos(
  client: DynamoDBDocumentClient,
  stockMemoryTable: string,
  library: ImageLibrary,
): OpenPhotos {
  const stockMemory = createItemStore(client, stockMemoryTable, clock);
  return { photos: createManagePhotos({ library, stockMemory, clock, ids }), library, stockMemory };
}
