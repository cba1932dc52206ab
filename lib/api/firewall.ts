/** The firewall, unless it is switched off: rules that block an IP address that sends far too many requests. */

import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { edgeHeaders } from '../../lambda/contract/edge';
import { tiers } from '../../lambda/contract/plans';
import type { Stage } from '../stage';
import { perSecondOf } from '../tier-throttles';
import type { ImageApi } from './image-api';

type Statement = CfnWebACL.StatementProperty;
type Counted = Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>;

/** Window of all rules, in seconds. */
const windowS = 300;

/**
 * No managed sets: a blocked client gets 429, which is then accurate, and search words such as `select from where` are no
 * attack here.
 * @param proof what the distribution before the API sends with each request, where there is one
 */
export function addFirewall(api: ImageApi, stage: Stage, proof: ISecret | undefined): void {
  const { firewallRequestsPer5Min: limit, plans } = stage;
  if (limit === 'off') return;
  const highest = Math.max(...tiers.map((tier) => perSecondOf(tier, plans))) * windowS;
  const kinds: readonly (readonly [name: string, counted: Counted])[] = proof
    ? [
        // Requests through the distribution come from CloudFront's addresses, and count by the viewer's.
        ['Viewer', { ...byViewer, scopeDownStatement: throughEdge(proof) }],
        ['Address', { ...byAddress, scopeDownStatement: not(throughEdge(proof)) }],
      ]
    : [['Address', byAddress]];
  const rules = kinds.flatMap(([name, counted]) => [
    [
      `TooManyFromOne${name}`,
      limit,
      { ...counted, scopeDownStatement: and(counted, not(hasCredential)) },
    ] as const,
    // Junk fills the place of a credential, too: nobody needs more than the highest tier admits.
    [`FarTooManyFromOne${name}`, highest, counted] as const,
  ]);
  const acl = new CfnWebACL(api, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: rules.map(([name, most, counted], priority) => ({
      name,
      priority,
      action: { block: {} },
      statement: { rateBasedStatement: { ...counted, limit: most } },
      visibilityConfig: visibility(name),
    })),
  });
  new CfnWebACLAssociation(api, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}

const byAddress: Counted = { aggregateKeyType: 'IP', evaluationWindowSec: windowS };
const byViewer: Counted = {
  aggregateKeyType: 'FORWARDED_IP',
  evaluationWindowSec: windowS,
  forwardedIpConfig: { headerName: edgeHeaders.viewerIp, fallbackBehavior: 'NO_MATCH' },
};

const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would keep query strings.
  sampledRequestsEnabled: false,
});

const textTransformations = [{ priority: 0, type: 'NONE' }];
const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const and = ({ scopeDownStatement }: Counted, other: Statement): Statement =>
  scopeDownStatement === undefined
    ? other
    : { andStatement: { statements: [scopeDownStatement as Statement, other] } };

/** Whether anything is in one of the places of a credential. */
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

/** The secret is a reference that CloudFormation resolves while it deploys. */
const throughEdge = (proof: ISecret): Statement => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: edgeHeaders.proof } },
    positionalConstraint: 'EXACTLY',
    searchString: proof.secretValue.unsafeUnwrap(),
    textTransformations,
  },
});
