/** `LIBRARY`: which files in the bucket list the operator's photographs. */

import type { DatabaseServices } from '../../aws/dynamodb';
import type { Ids } from '../../base/clock';
import { readItemValue, replaceItem, type StoredItem } from '../items';

/** What the item needs of `Services`. */
export interface LibraryServices extends DatabaseServices {
  readonly tables: { readonly images: string };
}

const pk = 'LIBRARY';
/** What is kept for as long as nobody changes it, in milliseconds. */
const keptForMs = 100 * 365 * 86_400_000;

/** Paths of the index files, none of which ever changes. @throws when the table does not answer */
export async function readLibraryItem(
  services: LibraryServices,
): Promise<StoredItem<readonly string[]> | undefined> {
  return readItemValue(services, services.tables.images, pk, true);
}

/** @returns false where another change came first, so that nothing was changed @throws when the table does not answer */
export async function replaceLibraryItem(
  services: LibraryServices & { readonly ids: Pick<Ids, 'hex'> },
  value: readonly string[],
  read: StoredItem<readonly string[]> | undefined,
): Promise<boolean> {
  const { clock, ids, tables } = services;
  const version = ids.hex(8);
  const endsMs = clock.nowMs() + keptForMs;
  const stored = await replaceItem(services, { TableName: tables.images, pk, value, endsMs }, version, read);
  return stored.version === version;
}
