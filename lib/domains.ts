/** Adds the operator's domain names for API and images. The operator makes the DNS records. */

import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type DistributionProps, SecurityPolicyProtocol } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { outputs } from '../lambda/contract/outputs';
import { addOutputs } from './outputs';
import type { Stage } from './stage';

type Domain = NonNullable<Stage['domains']['api']>;

/** Gives the API its domain name, and returns the service's URL without a trailing slash. */
export function addApiDomain(api: RestApi, { name, certificateArn }: Domain): string {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  addOutputs(api, { [outputs.apiDomainTarget]: domain.domainNameAliasDomainName });
  return `https://${name}`;
}

/** Returns the properties of a distribution that name its domain; none without a domain. */
export function makeDomainProps(scope: Construct, domain: Domain | undefined): Partial<DistributionProps> {
  if (!domain) return {};
  return {
    domainNames: [domain.name],
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
  };
}
