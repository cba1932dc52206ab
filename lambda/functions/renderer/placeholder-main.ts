/** Wires what only placeholders that are made in the background need; loaded on first need. */

import { createLookupCache } from '../../adapters/dynamodb/lookup-cache';
import { createSdkDatabase } from '../../adapters/dynamodb/sdk-database';
import type { Clock } from '../../ports/clock';
import {
  createMakePlaceholder,
  type MakePlaceholder,
  type MakePlaceholderDeps,
} from '../../usecases/stock/placeholder';

export function wireMakePlaceholder(
  deps: Omit<MakePlaceholderDeps, 'lookups'> & { readonly tableName: string; readonly clock: Clock },
): MakePlaceholder {
  const lookups = createLookupCache(createSdkDatabase(), deps.tableName, deps.clock);
  return createMakePlaceholder({ ...deps, lookups });
}
