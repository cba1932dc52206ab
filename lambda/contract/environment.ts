/** What the environment of functions may say; each function's variables are in `lambda/functions/settings.ts`. */

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

/** Whether redirects may lead to a provider that crops images itself, or to the operator's own host alone. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The mark that every AI image carries whatever a request asks for; none by default. */
export const aiLabels = ['off', ...labels] as const;
/** Where the mark stands on every AI image; `off` for images without one. */
export type AiLabel = (typeof aiLabels)[number];

/** Most that an operator may set as the images that may be generated per UTC day. */
export const generationsPerDayMax = 1_000_000;
