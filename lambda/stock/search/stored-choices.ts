/** Stores the choices of all providers but the operator's own photographs (`CHOICE#…`). */

import { hashSha256 } from '../../base/hash';
import { tryAndLog } from '../../base/telemetry';
import { pickTtlMs } from '../../contract/providers';
import { getOrientation } from '../../images/image';
import { listFilterTexts, normaliseWords, type StockRequest } from '../../requests/image-request';
import { replaceItem } from '../items';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import type { VersionedChoice } from './choice';

/**
 * Stores a choice in place of the version that it was made from. Never throws.
 * @returns the stored choice, which may be another request's; without a version if the table fails
 */
export async function storeChoice(
  services: StockServices,
  provider: StockProvider,
  request: StockRequest,
  { choice, version }: VersionedChoice,
): Promise<VersionedChoice> {
  const { clock, ids, tables, telemetry } = services;
  const pk = makeChoiceKey(services, provider, request);
  const item = { TableName: tables.images, pk, value: choice, endsMs: clock.nowMs() + pickTtlMs };
  const storedItem = await tryAndLog(telemetry, 'A choice was not stored', () =>
    replaceItem(services, item, ids.makeHex(8), version),
  );
  return storedItem ? { choice: storedItem.value, version: storedItem.version } : { choice };
}

/**
 * Makes the key of a choice's item. It depends on the orientation and not on the size. The filters `crop` and
 * `onmiss` are no part of it, because they do not change which images are found.
 */
export function makeChoiceKey(
  { stockSettings }: StockServices,
  { name }: StockProvider,
  request: StockRequest,
): string {
  const { crop: _crop, onmiss: _onmiss, ...filters } = request.filters;
  // A fake provider has other images.
  const endpoint = stockSettings.endpoints[name];
  const hashedParts = [normaliseWords(request.query), ...listFilterTexts(filters), endpoint];
  return `CHOICE#${name}#${getOrientation(request)}#${hashSha256(JSON.stringify(hashedParts))}`;
}
