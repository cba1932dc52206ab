/** One usage plan and key per tier: protection against bursts. The exact quotas are the functions' own. */

import { ApiKey, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { tiers } from '../../lambda/contract/plans';
import { pinLogicalId } from '../logical-ids';
import type { Stage } from '../stage';
import { tierKeyValues } from '../tier-keys';

export function addUsagePlans(api: RestApi, { throttles }: Stage): void {
  const values = tierKeyValues(api.stack);
  for (const tier of tiers) {
    const name = `${tier[0]?.toUpperCase()}${tier.slice(1)}`;
    const { perSecond, burst } = throttles[tier];
    const key = new ApiKey(api, `${name}TierKey`, {
      value: values[tier],
      description: `Stands for all callers of the ${tier} tier`,
    });
    pinLogicalId(key, `${name}TierKey`);
    const plan = new UsagePlan(api, `${name}TierPlan`, {
      description: `Throttle of all callers of the ${tier} tier together`,
      throttle: { rateLimit: perSecond, burstLimit: burst },
      apiStages: [{ stage: api.deploymentStage }],
    });
    pinLogicalId(plan, `${name}TierPlan`);
    plan.addApiKey(key, { overrideLogicalId: `${name}TierPlanKey` });
  }
}
