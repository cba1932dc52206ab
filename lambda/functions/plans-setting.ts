/** The setting of the plans: the default ones, some of whose limits the operator has replaced. */

import { defaultPlans, type Plans, planNames } from '../contract/plans';
import { json, type Setting } from './config';

/** Replaces single limits of the default plans: `{"free": {"monthlyRequests": 2000}}`. */
export const plansSetting: Setting<Plans> = json(readPlans, defaultPlans);

function readPlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, Partial<Plans['free']> | undefined>>;
  const plans = planNames.map((name) => {
    const plan = { ...defaultPlans[name], ...changes[name], name };
    const { monthlyRequests, generationsAtOnce, generationsPerMonth, freeDeliveriesPerHour } = plan;
    for (const limit of [monthlyRequests, generationsAtOnce, generationsPerMonth, freeDeliveriesPerHour]) {
      if (!Number.isSafeInteger(limit) || limit < 1)
        throw new Error(`must give ${name} whole numbers above zero`);
    }
    return [name, plan];
  });
  return Object.fromEntries(plans);
}
