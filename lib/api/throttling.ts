/** Protection against bursts: throttles of the API's stage, and one usage plan per tier, whose key all its callers share. The exact quotas are the functions' own. */

import { Fn, type Stack } from 'aws-cdk-lib';
import {
  ApiKey,
  CfnUsagePlanKey,
  type MethodDeploymentOptions,
  type RestApi,
  type StageOptions,
  UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { type Tier, tiers } from '../../lambda/contract/plans';
import { apiRoutes } from '../../lambda/contract/routes';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';

/**
 * A limit for everything together, and a lower one for each method that asks for no key: pages and preflights. Refused
 * methods count with everything, as API Gateway takes no limit for ANY. The methods with a key are throttled by their
 * usage plan as well.
 */
export function floodLimits({ floodLimits: { everything, perOpenMethod } }: Stage): StageOptions {
  const open: MethodDeploymentOptions = {
    throttlingRateLimit: perOpenMethod.perSecond,
    throttlingBurstLimit: perOpenMethod.burst,
  };
  const methods = apiRoutes.flatMap(({ path, methods: own, isAuthorized, hasOtherMethods }) =>
    [...(hasOtherMethods ? ['OPTIONS'] : []), ...(isAuthorized ? [] : own)].map(
      (method) => `${path.replace(/\/$/, '')}/${method}`,
    ),
  );
  return {
    throttlingRateLimit: everything.perSecond,
    throttlingBurstLimit: everything.burst,
    methodOptions: Object.fromEntries(
      methods.map((method) => [method.replace(/^\/(?=[A-Z]+$)/, '//'), open]),
    ),
  };
}

/**
 * Tier → value of its key. They must be 20 to 128 characters and unique in the account and region, so they are derived from the
 * stack's id. They need not be secret: the authorizer alone says which of them a request counts for, and API Gateway
 * reads none from the caller.
 */
export function tierKeyValues(stack: Stack): Readonly<Record<Tier, string>> {
  // Letters and digits alone: other characters are documented for no value of an API key.
  const uniqueId = Fn.join('', Fn.split('-', Fn.select(2, Fn.split('/', stack.stackId))));
  return Object.fromEntries(tiers.map((tier) => [tier, Fn.join('', ['tier', tier, uniqueId])])) as Record<
    Tier,
    string
  >;
}

/** Throttles the callers of each tier together. */
export function addUsagePlans(api: RestApi, { throttles }: Stage): void {
  const values = tierKeyValues(api.stack);
  let previous: CfnUsagePlanKey | undefined;
  for (const tier of tiers) {
    const name = `${tier[0]?.toUpperCase()}${tier.slice(1)}`;
    const { perSecond, burst } = throttles[tier];
    const plan = new UsagePlan(api, `${name}TierPlan`, {
      description: `Throttle of all callers of the ${tier} tier together`,
      throttle: { rateLimit: perSecond, burstLimit: burst },
      apiStages: [{ stage: api.deploymentStage }],
    });
    pinLogicalId(plan, `${name}TierPlan`);
    // API Gateway changes plans and their keys one at a time in an account, and answers 409 to any beside it.
    if (previous) plan.node.addDependency(previous);
    const description = `Stands for all callers of the ${tier} tier`;
    const key = new ApiKey(api, `${name}TierKey`, { value: values[tier], description });
    pinLogicalId(key, `${name}TierKey`);
    plan.addApiKey(key, { overrideLogicalId: `${name}TierPlanKey` });
    previous = plan.node.findAll().find(CfnUsagePlanKey.isCfnUsagePlanKey);
  }
}
