/** Values of environment variables; `lambda/functions/settings.ts` has the variables themselves. */

import { labels } from './request-bounds';
import type { TableName } from './tables';

/** Environment variable that holds the physical name of a table. */
export const tableVariables = {
  apiKeys: 'API_KEYS_TABLE',
  quotaCounters: 'QUOTA_COUNTERS_TABLE',
  generationIndex: 'GENERATION_INDEX_TABLE',
  images: 'IMAGES_TABLE',
  cache: 'CACHE_TABLE',
} as const satisfies Record<TableName, string>;

/** How stock images may be delivered, as an operator sets it. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The mark on every AI image, whatever its request says; the first is the default. */
export const aiLabels = ['off', ...labels] as const;
/** Where every AI image has its mark; `off` for none. */
export type AiLabel = (typeof aiLabels)[number];

/** Highest `generationsPerDay` that an operator may set. */
export const generationsPerDayMax = 1_000_000;
