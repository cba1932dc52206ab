/** DNS records of the stage's own domains, where their Route 53 zone is given; without one they are the operator's to make. */

import type { DomainName } from 'aws-cdk-lib/aws-apigateway';
import type { IDistribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  type IHostedZone,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain, CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { Stage } from '../stage';

type Domain = NonNullable<Stage['apiDomain']>;

/** Points the API's name to it. */
export function addApiRecord(scope: Construct, { name, hostedZone }: Domain, domain: DomainName): void {
  if (!hostedZone) return;
  new ARecord(scope, 'Record', recordOf(zoneOf(scope, hostedZone), name, new ApiGatewayDomain(domain)));
}

/** Points a name to a CloudFront distribution, for IPv4 and IPv6. */
export function addDistributionRecords(
  scope: Construct,
  { name, hostedZone }: Domain,
  distribution: IDistribution,
): void {
  if (!hostedZone) return;
  const record = recordOf(zoneOf(scope, hostedZone), name, new CloudFrontTarget(distribution));
  new ARecord(scope, 'Record', record);
  new AaaaRecord(scope, 'RecordIpv6', record);
}

function zoneOf(scope: Construct, { id, name }: NonNullable<Domain['hostedZone']>): IHostedZone {
  return HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: id, zoneName: name });
}

/** The dot at the end keeps the zone's name from being appended. */
function recordOf(zone: IHostedZone, name: string, target: IAliasRecordTarget) {
  return { zone, recordName: `${name}.`, target: RecordTarget.fromAlias(target) };
}
