/** One usage plan and key per tier: protection against bursts. The exact quotas are the functions' own. */

import { ApiKey, CfnUsagePlanKey, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import type { IDependable } from 'constructs';
import { tiers } from '../../lambda/contract/plans';
import { pinLogicalId } from '../logical-ids';
import type { Stage } from '../stage';
import { tierKeyValues } from '../tier-keys';

export function addUsagePlans(api: RestApi, { throttles }: Stage): void {
  const values = tierKeyValues(api.stack);
  let previous: IDependable | undefined;
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
    // API Gateway changes plans and their keys one at a time in an account, and answers 409 to any beside it.
    if (previous) plan.node.addDependency(previous);
    previous = plan.node.findAll().find(CfnUsagePlanKey.isCfnUsagePlanKey) as IDependable;
  }
}
