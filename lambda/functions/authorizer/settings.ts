/** What the authorizer is told by its environment. */

import { tableVariables, variables } from '../../contract/environment';
import { type Tier, tiers } from '../../contract/plans';
import { json, type SettingsOf, text } from '../config';

export const settings = {
  [tableVariables.apiKeys]: text,
  [variables.tierKeys]: json(readTierKeys),
} as const satisfies SettingsOf<'authorizer'>;

function readTierKeys(value: unknown): Readonly<Record<Tier, string>> {
  const keys = value as Partial<Record<Tier, unknown>> | null;
  const missing = tiers.filter((tier) => typeof keys?.[tier] !== 'string');
  if (missing.length > 0) throw new Error(`must name a key for ${missing.join(', ')}`);
  return keys as Record<Tier, string>;
}
