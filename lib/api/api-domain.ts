/** The API's own domain name; its DNS record is the operator's to make. */

import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Stage } from '../stage';

/** @returns the service's URL without a trailing slash */
export function addApiDomain(
  api: RestApi,
  { name, certificateArn }: NonNullable<Stage['apiDomain']>,
): string {
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new CfnOutput(api.stack, 'ApiDomainTarget', {
    value: domain.domainNameAliasDomainName,
    description: `Point a CNAME record of ${name} here`,
  });
  return `https://${name}`;
}
