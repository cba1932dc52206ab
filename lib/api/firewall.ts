/** The firewall, unless it is switched off: rules that block an IP address that sends far too many requests. */

import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { edgeHeaders } from '../../lambda/contract/edge';
import type { Stage } from '../stage';

type Rule = CfnWebACL.RuleProperty;
type Statement = CfnWebACL.StatementProperty;

/**
 * No managed sets: a blocked client gets 429, which is then accurate, and search words such as `select from where` are no
 * attack here.
 * @param locks what the distribution before the API may send with each request, where there is one
 */
export function addFirewall(
  api: RestApi,
  { firewallRequestsPer5Min: limit }: Stage,
  locks: readonly string[] | undefined,
): void {
  if (limit === 'off') return;
  const acl = new CfnWebACL(api, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: locks === undefined ? [byIpAddress(limit)] : behindEdge(limit, locks),
  });
  new CfnWebACLAssociation(api, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}

const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would keep query strings.
  sampledRequestsEnabled: false,
});

const rule = (name: string, priority: number, rateBasedStatement: Statement['rateBasedStatement']): Rule => ({
  name,
  priority,
  action: { block: {} },
  statement: { rateBasedStatement } as Statement,
  visibilityConfig: visibility(name),
});

const window = { evaluationWindowSec: 300 } as const;

function byIpAddress(limit: number): Rule {
  return rule('TooManyFromOneAddress', 0, { ...window, aggregateKeyType: 'IP', limit });
}

/**
 * Requests through the distribution come from CloudFront's IP addresses, and count by the viewer's; all others are refused
 * by the functions and count by their own, so that none of them can count against another caller's.
 */
function behindEdge(limit: number, locks: readonly string[]): Rule[] {
  const proofs = locks.map(
    (lock): Statement => ({
      byteMatchStatement: {
        fieldToMatch: { singleHeader: { Name: edgeHeaders.lock } },
        positionalConstraint: 'EXACTLY',
        searchString: lock,
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    }),
  );
  // An or of one statement is refused.
  const isThroughEdge =
    proofs.length === 1 ? (proofs[0] as Statement) : { orStatement: { statements: proofs } };
  return [
    rule('TooManyFromOneAddress', 0, {
      ...window,
      aggregateKeyType: 'IP',
      limit,
      scopeDownStatement: { notStatement: { statement: isThroughEdge } },
    }),
    rule('TooManyFromOneViewer', 1, {
      ...window,
      aggregateKeyType: 'FORWARDED_IP',
      forwardedIpConfig: { headerName: edgeHeaders.viewerIp, fallbackBehavior: 'NO_MATCH' },
      limit,
      scopeDownStatement: isThroughEdge,
    }),
  ];
}
