/** The setting of the plans: the default ones, some of whose limits the operator has replaced. */

import { readLimits } from '../contract/limits';
import { defaultPlans, type Plans, planLimitsMax, planNames } from '../contract/plans';
import { json, type Setting } from './config';

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
