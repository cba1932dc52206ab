/** What the authorizer reads from its environment. */

import { type Tier, tiers } from '../../contract/plans';
import { json, metricNamespaceSetting, optionalText, type Settings, text } from '../config';

/** Its environment variables; the stack sets these and no others. */
export const settings = {
  API_KEYS_TABLE: text,
  TIER_KEYS: json(readTierKeys),
  EDGE_SHA256: optionalText,
  METRIC_NAMESPACE: metricNamespaceSetting,
} as const satisfies Settings;

function readTierKeys(value: unknown): Readonly<Record<Tier, string>> {
  const keys = value as Partial<Record<Tier, unknown>> | null;
  const missing = tiers.filter((tier) => typeof keys?.[tier] !== 'string');
  if (missing.length > 0) throw new Error(`must name a key for ${missing.join(', ')}`);
  return keys as Record<Tier, string>;
}
