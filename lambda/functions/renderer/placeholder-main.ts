/** Wires what only placeholders that are made in the background need; loaded on first need. */

import { createSdkDatabase } from '../../aws/dynamodb/sdk-database';
import type { Clock } from '../../base/clock';
import { createLookupCache } from '../../stock/dynamodb/lookup-cache';
import {
  createMakePlaceholder,
  type MakePlaceholder,
  type MakePlaceholderDeps,
} from '../../stock/placeholder';

export function wireMakePlaceholder(
  deps: Omit<MakePlaceholderDeps, 'lookups'> & { readonly tableName: string; readonly clock: Clock },
): MakePlaceholder {
  const lookups = createLookupCache(createSdkDatabase(), deps.tableName, deps.clock);
  return createMakePlaceholder({ ...deps, lookups });
}
