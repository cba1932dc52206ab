/** Adds the web application firewall, which blocks IP addresses that send far too many requests. */

import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { edgeHeaders } from '../../lambda/contract/edge';
import { tiers } from '../../lambda/contract/plans';
import { computePerSecond, type Stage } from '../stage';
import type { ImageApi } from './image-api';

type Statement = CfnWebACL.StatementProperty;
type Counted = Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>;

const windowS = 300;

/**
 * Adds the firewall unless the stage switches it off. It has no managed rules, because search words such as
 * `select from where` are no attack here. Blocked clients get 429, which would be wrong for another reason.
 * @param proof secret header of the distribution before the API, if there is one
 */
export function addFirewall(api: ImageApi, stage: Stage, proof: ISecret | undefined): void {
  const { firewallRequestsPer5Min: limit, plans } = stage;
  if (limit === 'off') return;
  const highest = Math.max(...tiers.map((tier) => computePerSecond(tier, plans))) * windowS;
  const rules = listSenders(proof).flatMap(({ name, counted, conditions }) => [
    makeBlockingRule(`TooManyFromOne${name}`, { ...counted, limit }, [...conditions, negate(hasCredential)]),
    // The firewall cannot check a credential. With junk, an address may send as much as the highest tier.
    makeBlockingRule(`FarTooManyFromOne${name}`, { ...counted, limit: highest }, conditions),
  ]);
  const acl = new CfnWebACL(api, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: makeVisibility('Firewall'),
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  });
  new CfnWebACLAssociation(api, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}

/** Lists the ways to tell senders apart: by their address, or behind the distribution by the viewer's address. */
function listSenders(proof: ISecret | undefined) {
  const address: Counted = { aggregateKeyType: 'IP', evaluationWindowSec: windowS };
  if (!proof) return [{ name: 'Address', counted: address, conditions: [] }];
  const viewer: Counted = {
    aggregateKeyType: 'FORWARDED_IP',
    evaluationWindowSec: windowS,
    forwardedIpConfig: { headerName: edgeHeaders.viewerIp, fallbackBehavior: 'NO_MATCH' },
  };
  const isThroughEdge: Statement = {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: edgeHeaders.proof } },
      positionalConstraint: 'EXACTLY',
      // The template holds a reference, which CloudFormation resolves while it deploys.
      searchString: proof.secretValue.unsafeUnwrap(),
      textTransformations,
    },
  };
  return [
    { name: 'Viewer', counted: viewer, conditions: [isThroughEdge] },
    { name: 'Address', counted: address, conditions: [negate(isThroughEdge)] },
  ];
}

/** Creates a rule that blocks an address above a limit. It counts requests that fit all `conditions`. */
function makeBlockingRule(
  name: string,
  counted: CfnWebACL.RateBasedStatementProperty,
  conditions: readonly Statement[],
) {
  const scopeDownStatement =
    conditions.length > 1 ? { andStatement: { statements: [...conditions] } } : conditions[0];
  return {
    name,
    action: { block: {} },
    statement: { rateBasedStatement: { ...counted, ...(scopeDownStatement && { scopeDownStatement }) } },
    visibilityConfig: makeVisibility(name),
  };
}

const makeVisibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would hold query strings.
  sampledRequestsEnabled: false,
});

const textTransformations = [{ priority: 0, type: 'NONE' }];
const negate = (statement: Statement): Statement => ({ notStatement: { statement } });

const hasCredential: Statement = {
  orStatement: {
    statements: [
      ...['authorization', 'x-api-key'].map((Name) => ({ singleHeader: { Name } })),
      ...['api_key', 'signer', 'site'].map((Name) => ({ singleQueryArgument: { Name } })),
    ].map((fieldToMatch) => ({
      sizeConstraintStatement: { fieldToMatch, comparisonOperator: 'GT', size: 0, textTransformations },
    })),
  },
};
