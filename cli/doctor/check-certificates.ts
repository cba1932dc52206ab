/** Checks the certificates of a stage's own domains. */

import type { Stage } from '../../lib/stage';
import type { Account } from './account';
import { type Check, failure, pass, type Verdict, warning } from './finding';

/** ACM renews 60 days before the end; one that ends earlier was not renewed. */
const soonMs = 30 * 86_400_000;

/** CloudFront takes certificates of this region only. */
const cdnRegion = 'us-east-1';

interface Wanted {
  readonly name: string;
  readonly certificateArn: string;
  readonly region: string;
}

/** @param nowMs moment (epoch, milliseconds) */
export function certificateChecks(
  account: Account,
  { apiDomain, imageDomain }: Stage,
  nowMs: number,
): Check[] {
  const wanted: readonly (readonly [string, Wanted | undefined])[] = [
    ['API certificate', apiDomain && { ...apiDomain, region: account.region ?? '' }],
    ['image certificate', imageDomain && { ...imageDomain, region: cdnRegion }],
  ];
  return wanted.flatMap(([name, domain]) =>
    domain ? [{ name, examine: () => certificate(account, domain, nowMs) }] : [],
  );
}

async function certificate(
  account: Account,
  { name, certificateArn, region }: Wanted,
  nowMs: number,
): Promise<Verdict> {
  const request = `aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`;
  if (certificateArn.split(':')[3] !== region)
    return failure(`${certificateArn} is not in ${region}`, request);
  const found = await account.certificate(certificateArn);
  if (!found) return failure(`there is no certificate ${certificateArn}`, request);
  if (!found.names.some((each) => covers(each, name)))
    return failure(`the certificate names ${found.names.join(', ')}, not ${name}`, request);
  if (found.status === 'PENDING_VALIDATION')
    return failure(
      `the certificate of ${name} waits for its DNS record`,
      `aws acm describe-certificate --region ${region} --certificate-arn ${certificateArn} --query "Certificate.DomainValidationOptions[].ResourceRecord", then add the record`,
    );
  if (found.status !== 'ISSUED') return failure(`the certificate of ${name} is ${found.status}`, request);
  if (found.endsMs !== undefined && found.endsMs - nowMs < soonMs)
    return warning(
      `the certificate of ${name} ends on ${new Date(found.endsMs).toISOString().slice(0, 10)}`,
      request,
    );
  return pass(`${name} is certified`);
}

/** A wildcard stands for one label. */
function covers(certified: string, name: string): boolean {
  if (certified === name) return true;
  return certified.startsWith('*.') && name.split('.').slice(1).join('.') === certified.slice(2);
}
