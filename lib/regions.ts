/** What AWS regions lack that a stage may ask for: the stage is adapted to its region, or refused by name. */

import type { Stage } from './stage';

/** Regions without `AWS::Budgets::Budget`, as CloudFormation's linter knows them. */
const withoutBudgets = ['af-south-1', 'eu-south-2', 'il-central-1', 'mx-central-1'];

/**
 * Regions where API Gateway admits fewer requests of an account, per second and at once.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const slow = {
  regions: [
    ...['af-south-1', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-7'],
    ...[
      'ca-west-1',
      'eu-central-2',
      'eu-south-1',
      'eu-south-2',
      'il-central-1',
      'me-central-1',
      'mx-central-1',
    ],
  ],
  perSecond: 2_500,
  burst: 1_250,
};

type Throttle = Stage['floodLimits']['everything'];

/**
 * The stage with throttles that its region admits.
 * @param region absent where it is not known, in which case nothing is adapted
 * @throws `Error` that names the setting and the region
 */
export function forRegion(stage: Stage, region: string | undefined): Stage {
  if (region === undefined) return stage;
  if (stage.monthlyBudgetUsd !== undefined && withoutBudgets.includes(region))
    throw new Error(
      `monthlyBudgetUsd: CloudFormation makes no budgets in ${region}; leave it out, and make the budget in the billing console`,
    );
  if (!slow.regions.includes(region)) return stage;
  const within = ({ perSecond, burst }: Throttle): Throttle => ({
    perSecond: Math.min(perSecond, slow.perSecond),
    burst: Math.min(burst, slow.burst),
  });
  const { everything, perOpenMethod } = stage.floodLimits;
  return {
    ...stage,
    floodLimits: { everything: within(everything), perOpenMethod: within(perOpenMethod) },
    throttles: Object.fromEntries(
      Object.entries(stage.throttles).map(([tier, throttle]) => [tier, within(throttle)]),
    ) as Stage['throttles'],
  };
}
