/** Names of the environment variables of tables, and the settings' values that stack and functions share. */

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

/** The ways to deliver stock images, as an operator sets them. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The label that every AI image gets, also where its request says otherwise; the first is the default. */
export const aiLabels = ['off', ...labels] as const;
/** The place of the label on every AI image; `off` leaves it to the request. */
export type AiLabel = (typeof aiLabels)[number];

/** Highest `generationsPerDay` that an operator may set. */
export const generationsPerDayMax = 1_000_000;
