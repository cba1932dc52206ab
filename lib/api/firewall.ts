/** The firewall, unless it is switched off: one rule that blocks an IP address that sends far too many requests. */

import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Stage } from '../stage';

/**
 * One rule and no managed sets: a blocked client gets 429, which is then accurate, and search words such as
 * `select from where` are no attack here.
 */
export function addFirewall(api: RestApi, { firewallRequestsPer5Min: limit }: Stage): void {
  if (limit === 'off') return;
  const visibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    // Samples would keep query strings.
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(api, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: [
      {
        name: 'TooManyFromOneAddress',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 } },
        visibilityConfig: visibility('TooManyFromOneAddress'),
      },
    ],
  });
  new CfnWebACLAssociation(api, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}
