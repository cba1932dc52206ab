/** Blocks IP addresses that send far too many requests, by a web application firewall. */

import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { edgeHeaders } from '../../lambda/contract/edge';
import { tiers } from '../../lambda/contract/plans';
import { perSecondOf, type Stage } from '../stage';
import type { ImageApi } from './image-api';

type Statement = CfnWebACL.StatementProperty;
type Counted = Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>;

const windowS = 300;

/**
 * Adds the firewall unless the stage switches it off. It has no managed rules: search words such as
 * `select from where` are no attack here, and the 429 that blocked clients get is true of their rate alone.
 * @param proof secret header of the distribution before the API, where there is one
 */
export function addFirewall(api: ImageApi, stage: Stage, proof: ISecret | undefined): void {
  const { firewallRequestsPer5Min: limit, plans } = stage;
  if (limit === 'off') return;
  const highest = Math.max(...tiers.map((tier) => perSecondOf(tier, plans))) * windowS;
  const rules = listSenders(proof).flatMap(({ name, counted, only }) => [
    makeBlockingRule(`TooManyFromOne${name}`, { ...counted, limit }, [...only, negate(hasCredential)]),
    // Junk counts as a credential here: with any, an address may send what the highest tier admits.
    makeBlockingRule(`FarTooManyFromOne${name}`, { ...counted, limit: highest }, only),
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

/** Tells senders apart by their address; those through the distribution by the viewer's address. */
function listSenders(proof: ISecret | undefined) {
  const address: Counted = { aggregateKeyType: 'IP', evaluationWindowSec: windowS };
  if (!proof) return [{ name: 'Address', counted: address, only: [] }];
  const viewer: Counted = {
    aggregateKeyType: 'FORWARDED_IP',
    evaluationWindowSec: windowS,
    forwardedIpConfig: { headerName: edgeHeaders.viewerIp, fallbackBehavior: 'NO_MATCH' },
  };
  const isThroughEdge: Statement = {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: edgeHeaders.proof } },
      positionalConstraint: 'EXACTLY',
      // No value in the template: CloudFormation resolves this reference while it deploys.
      searchString: proof.secretValue.unsafeUnwrap(),
      textTransformations,
    },
  };
  return [
    { name: 'Viewer', counted: viewer, only: [isThroughEdge] },
    { name: 'Address', counted: address, only: [negate(isThroughEdge)] },
  ];
}

/** Blocks an address above a limit of the requests that fit all statements of `only`. */
function makeBlockingRule(
  name: string,
  counted: CfnWebACL.RateBasedStatementProperty,
  only: readonly Statement[],
) {
  const scopeDownStatement = only.length > 1 ? { andStatement: { statements: [...only] } } : only[0];
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
  // Samples would keep query strings.
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
