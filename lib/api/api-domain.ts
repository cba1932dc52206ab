/** The API's own domain name. */

import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { outputs } from '../../lambda/contract/outputs';
import type { Stage } from '../stage';
import { addApiRecord } from './dns-records';

/** @returns the service's URL without a trailing slash */
export function addApiDomain(api: RestApi, apiDomain: NonNullable<Stage['apiDomain']>): string {
  const { name, certificateArn } = apiDomain;
  const domain = api.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  addApiRecord(domain, apiDomain, domain);
  new CfnOutput(api.stack, outputs.apiDomainTarget, {
    value: domain.domainNameAliasDomainName,
    description: `Point a CNAME record of ${name} here`,
  });
  return `https://${name}`;
}
