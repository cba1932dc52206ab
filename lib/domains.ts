/** The stage's own domain names: certificates, and DNS records where the Route 53 zone is given; without one they are the operator's to make. */

import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type DistributionProps,
  type IDistribution,
  SecurityPolicyProtocol,
} from 'aws-cdk-lib/aws-cloudfront';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain, CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { outputs } from '../lambda/contract/outputs';
import { pinLogicalId } from './resources';
import type { Stage } from './stage';

type Domain = NonNullable<Stage['domains']['api']>;

/** Gives the API its own name. @returns the service's URL without a trailing slash */
export function addApiDomain(api: RestApi, { name, certificateArn, hostedZoneId }: Domain): string {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  if (hostedZoneId !== undefined) {
    const record = recordOf(domain, hostedZoneId, name, new ApiGatewayDomain(domain));
    pinLogicalId(new ARecord(domain, 'Record', record), 'ApiRecord');
  }
  new CfnOutput(api.stack, outputs.apiDomainTarget, { value: domain.domainNameAliasDomainName });
  return `https://${name}`;
}

/** The part of a distribution that names its domain; empty without one. */
export function distributionDomain(scope: Construct, domain: Domain | undefined): Partial<DistributionProps> {
  if (!domain) return {};
  return {
    domainNames: [domain.name],
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
  };
}

/** What cdk-nag finds about a distribution of this service. */
export function distributionFindings(domain: Domain | undefined): Readonly<Record<string, string>> {
  return {
    'AwsSolutions-CFR1': 'Images are meant for pages anywhere in the world.',
    'AwsSolutions-CFR2':
      'The firewall stands at the API; what a cache or a bucket of still images answers needs none.',
    'AwsSolutions-CFR3': 'Access logs would keep keys and signatures, which stand in URLs.',
    ...(domain
      ? {}
      : {
          'AwsSolutions-CFR4':
            'Without a domain of its own, CloudFront fixes the oldest protocol; the domains setting lifts it.',
        }),
  };
}

/**
 * Points a name to a CloudFront distribution, for IPv4 and IPv6.
 * @param id logical id of the record: that of the API's name is the same with and without a distribution before it, as
 *   CloudFormation makes a record under another id before it deletes the first, and Route 53 takes no second one
 */
export function addDistributionRecords(
  scope: Construct,
  id: 'ApiRecord' | 'ImageRecord',
  domain: Domain | undefined,
  distribution: IDistribution,
): void {
  if (domain?.hostedZoneId === undefined) return;
  const record = recordOf(scope, domain.hostedZoneId, domain.name, new CloudFrontTarget(distribution));
  pinLogicalId(new ARecord(scope, 'Record', record), id);
  pinLogicalId(new AaaaRecord(scope, 'RecordIpv6', record), `${id}Ipv6`);
}

/** The dot at the end keeps the zone's name, which nobody has to state, from being appended. */
function recordOf(scope: Construct, hostedZoneId: string, name: string, target: IAliasRecordTarget) {
  const zone = HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId, zoneName: name });
  return { zone, recordName: `${name}.`, target: RecordTarget.fromAlias(target) };
}
