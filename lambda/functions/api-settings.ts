/** What several functions behind the API read from their environment: the plans, and the CloudFront distribution before them. */

import { readLimits } from '../contract/limits';
import { defaultPlans, type Plans, planLimitsMax, planNames } from '../contract/plans';
import { json, optionalText, optionalUrl, type Setting } from './config';

/** Both are absent where callers reach the API itself. */
export const edgeSettings = { ORIGIN_LOCK: optionalText, ROOT_URL: optionalUrl('https:', 'http:') } as const;

/** Replaces single limits of the default plans: `{"free": {"monthlyRequests": 2000}}`. */
export const plansSetting: Setting<Plans> = json(readPlans, defaultPlans);

function readPlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, unknown>>;
  const plans = planNames.map((name) => [
    name,
    { ...defaultPlans[name], ...readLimits(changes[name], planLimitsMax) },
  ]);
  return Object.fromEntries(plans);
}
