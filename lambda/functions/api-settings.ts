/** What the functions and the operator's tools read of the plans, and of the operator. */

import { readLimits } from '../contract/limits';
import { defaultPlans, type Plans, type PlanTexts, planLimitsMax, planNames } from '../contract/plans';
import { defaultSite, type Site } from '../contract/site';
import { json, type Setting } from './config';

/** Replaces single limits of the default plans, and adds texts: `{"free": {"monthlyRequests": 2000}}`. */
export const plansSetting: Setting<Plans> = json(readPlans, defaultPlans);

function readPlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, PlanChanges>>;
  const plans = planNames.map((name) => {
    // What the gateway admits a second is no limit of ours.
    const { texts, perSecond: _, ...limits } = changes[name] ?? {};
    return [name, { ...defaultPlans[name], ...readLimits(limits, planLimitsMax), ...(texts && { texts }) }];
  });
  return Object.fromEntries(plans);
}

interface PlanChanges {
  readonly texts?: PlanTexts;
  readonly perSecond?: number;
}

/** What the operator has set of the page: `{"name": "Pictures", "imprint": "https://…"}`. */
export const siteSetting: Setting<Site> = json(
  (value) => ({ ...defaultSite, ...(value as Partial<Site> | null) }),
  defaultSite,
);
