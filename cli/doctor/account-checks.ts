/** Checks of an account before a stage is deployed into it. */

import { generatorFacts } from '../../lambda/contract/generators';
import { outputs } from '../../lambda/contract/outputs';
import { tiers, waitingPlacesOf } from '../../lambda/contract/plans';
import { needsKey, type StockProviderName } from '../../lambda/contract/providers';
import { type Stage, stackNameOf } from '../../lib/stage';
import { perSecondOf } from '../../lib/tier-throttles';
import type { Account } from './account';
import { type Check, failure, pass, putKeys, type Verdict, warning } from './check';
import { plannedModelChecks } from './model-checks';

/** Version of the bootstrap stack that the synthesised template requires. */
const bootstrapVersionMin = 6;
/** Executions at once that production needs. */
const concurrencyMin = 50;

const deploy = ({ name }: Stage) => `npx cdk deploy -c stage=${name}`;

/** ACM renews 60 days before the end; one that ends earlier was not renewed. */
const certificateEndsSoonMs = 30 * 86_400_000;
/** CloudFront takes certificates of this region only. */
const cdnRegion = 'us-east-1';

/** What is examined before a stage is deployed. */
interface PlannedStage {
  readonly account: Account;
  /** 12 digits. */
  readonly accountId: string;
  readonly region: string;
  readonly stage: Stage;
  /** Moment (epoch, milliseconds). */
  readonly nowMs: number;
}

/** What a deployment of the stage would meet, in the order in which it is reported. */
export const accountChecks: readonly Check<PlannedStage>[] = [
  { name: 'bootstrap', examine: bootstrap },
  { name: 'function concurrency', examine: concurrency },
  { name: 'API Gateway log role', examine: gatewayLogRole },
  ...plannedModelChecks,
  { name: 'provider keys', examine: providerKeys },
  {
    name: 'API certificate',
    examine: (plan) => certificate(plan, plan.stage.domains.api, plan.stage.edge ? cdnRegion : plan.region),
  },
  { name: 'image certificate', examine: (plan) => certificate(plan, plan.stage.domains.images, cdnRegion) },
  { name: 'API DNS record', examine: (plan) => dnsRecord(plan, plan.stage.domains.api) },
  { name: 'image DNS record', examine: (plan) => dnsRecord(plan, plan.stage.domains.images) },
  { name: 'deploy role', examine: deployRole },
  { name: 'API throttle', examine: gatewayThrottle },
  { name: 'CloudFront account', examine: cdnAccount },
  { name: 'stack name', examine: stackName },
  { name: 'CloudFront names', examine: cdnNames },
  { name: 'CloudFront quotas', examine: cdnQuotas },
];

async function bootstrap({ account, accountId, region }: PlannedStage): Promise<Verdict> {
  const fix = `npx cdk bootstrap aws://${accountId}/${region}`;
  const stack = await account.stack('CDKToolkit');
  if (!stack) return failure(`${region} is not bootstrapped`, fix);
  const version = Number(stack.outputs['BootstrapVersion'] ?? 0);
  if (version < bootstrapVersionMin)
    return failure(`version ${version} is older than ${bootstrapVersionMin}`, fix);
  return pass(`version ${version}`);
}

/** Each request takes an execution of the authorizer and one of the API, of which Lambda starts ten a second each. */
const requestsPerExecution = 5;

async function concurrency({ account }: PlannedStage): Promise<Verdict> {
  const { concurrent, unreserved } = await account.functionLimits();
  const carried = `${concurrent} executions at once carry ${concurrent * requestsPerExecution} requests a second`;
  if (concurrent >= concurrencyMin) return pass(`${carried}, ${unreserved} unreserved`);
  return warning(
    `${carried}; production needs ${concurrencyMin}. In half a minute, ${waitingPlacesOf(unreserved).all} requests begin to wait for AI images; more are answered with 503 and Retry-After`,
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  );
}

async function gatewayLogRole({ account }: PlannedStage): Promise<Verdict> {
  const role = await account.gatewayLogRole();
  return pass(role ? `${role} is set, and stays` : 'none yet; the deployment sets it');
}

async function providerKeys({ account, stage }: PlannedStage): Promise<Verdict> {
  const keyed = [...new Set(Object.values(stage.slotBindings))].filter((name: StockProviderName) =>
    needsKey(name),
  ) as string[];
  const { keyName } = generatorFacts(stage.generator);
  if (keyName !== undefined) keyed.push(keyName);
  if (keyed.length === 0) return pass('no provider needs a key');
  const stack = stackNameOf(stage);
  if (await account.stack(stack))
    return pass(`${keyed.join(', ')}; doctor --stack ${stack} reads whether they are set`);
  return warning(
    `${keyed.join(', ')} need a key, for which the deployment makes a secret`,
    `After the deployment: ${putKeys(`$(aws cloudformation describe-stack-resource --stack-name ${stack} --logical-resource-id ProviderSecret --query StackResourceDetail.PhysicalResourceId --output text)`, keyed)}`,
  );
}

/** @param region where the certificate has to be; a stage without the domain needs none */
async function certificate(
  { account, nowMs }: PlannedStage,
  domain: Stage['domains']['api'],
  region: string,
): Promise<Verdict | readonly Verdict[]> {
  if (!domain) return [];
  const { name, certificateArn } = domain;
  const request = `aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`;
  if (certificateArn.split(':')[3] !== region)
    return failure(`${certificateArn} is not in ${region}`, request);
  const issued = await account.certificate(certificateArn);
  if (!issued) return failure(`there is no certificate ${certificateArn}`, request);
  if (!issued.names.some((each) => covers(each, name)))
    return failure(`the certificate names ${issued.names.join(', ')}, not ${name}`, request);
  if (issued.status === 'PENDING_VALIDATION')
    return failure(
      `the certificate of ${name} waits for its DNS record`,
      `aws acm describe-certificate --region ${region} --certificate-arn ${certificateArn} --query "Certificate.DomainValidationOptions[].ResourceRecord", then add the record`,
    );
  if (issued.status !== 'ISSUED') return failure(`the certificate of ${name} is ${issued.status}`, request);
  if (issued.endsMs !== undefined && issued.endsMs - nowMs < certificateEndsSoonMs)
    return warning(
      `the certificate of ${name} ends on ${new Date(issued.endsMs).toISOString().slice(0, 10)}`,
      request,
    );
  return pass(`${name} is certified`);
}

/** A wildcard stands for one label. */
function covers(certified: string, name: string): boolean {
  if (certified === name) return true;
  return certified.startsWith('*.') && name.split('.').slice(1).join('.') === certified.slice(2);
}

async function stackName({ account, stage }: PlannedStage): Promise<Verdict> {
  const name = stackNameOf(stage);
  const stack = await account.stack(name);
  if (!stack) return pass(`${name} is free`);
  const { status } = stack;
  if (/^(ROLLBACK_(COMPLETE|FAILED)|CREATE_FAILED|REVIEW_IN_PROGRESS)$/.test(status))
    return failure(
      `${name} is ${status}: its first deployment failed`,
      `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name} && aws cloudformation delete-stack --stack-name ${name}`,
    );
  if (stack.outputs[outputs.apiUrl] === undefined)
    return failure(`${name} is another stack of this account`, `${deploy(stage)} -c installation=NAME`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return failure(
      `${name} is ${status}`,
      `aws cloudformation continue-update-rollback --stack-name ${name}`,
    );
  if (status.endsWith('_IN_PROGRESS'))
    return warning(`${name} is ${status}`, 'Wait until it has ended, and run doctor again.');
  return pass(`${name} exists (${status}); a deployment updates it`);
}

/** CloudFront's names are global in an account: what a deleted stack of the same name has left behind collides. */
async function cdnNames({ account, region, stage }: PlannedStage): Promise<Verdict> {
  const name = stackNameOf(stage);
  if (await account.stack(name)) return pass('held by the stack itself');
  const names = (await account.cdnNames())
    .map((each) => each.name)
    .filter((each) => each.startsWith(`${name}-`) && each.endsWith(`-${region}`));
  if (names.length > 0)
    return failure(
      `${[...new Set(names)].join(', ')} exist without the stack`,
      `Delete them in CloudFront, or ${deploy(stage)} -c installation=NAME`,
    );
  return pass('free');
}

/** CloudFront's default quotas per account, of the kinds that a stage takes a part of. */
const cdnQuota = {
  'key group': 10,
  'public key': 10,
  'header policy': 20,
  'cache policy': 20,
  'request policy': 20,
};

async function cdnQuotas({ account, stage }: PlannedStage): Promise<Verdict> {
  if (await account.stack(stackNameOf(stage))) return pass('held by the stack itself');
  const names = await account.cdnNames();
  const edge = stage.edge ? 1 : 0;
  const wanted = {
    'key group': 1,
    'public key': stage.keyVersion === 1 ? 1 : 2,
    'header policy': 1,
    'cache policy': edge,
    'request policy': edge,
  };
  const full = (Object.keys(cdnQuota) as (keyof typeof cdnQuota)[]).filter(
    (kind) =>
      wanted[kind] > 0 && names.filter((each) => each.kind === kind).length + wanted[kind] > cdnQuota[kind],
  );
  return full.length === 0
    ? pass('enough is left')
    : warning(
        `the account has as many as CloudFront allows by default: ${full.join(', ')}`,
        'aws service-quotas list-service-quotas --region us-east-1 --service-code cloudfront, and request a higher one',
      );
}

/** A new account has to be verified before it can have a distribution, and nothing but a first one tells. */
async function cdnAccount({ account }: PlannedStage): Promise<Verdict> {
  return (await account.hasDistributions())
    ? pass('has distributions')
    : warning(
        'the account has no distribution yet; CloudFront refuses the first one of an account that is not verified',
        'If the deployment fails with "Your account must be verified", open a case with AWS Support and deploy again.',
      );
}

/** Of the CDK's bootstrap, which deploys for everyone who may take it on. */
async function deployRole({ account, accountId, region }: PlannedStage): Promise<Verdict> {
  const role = `cdk-hnb659fds-deploy-role-${accountId}-${region}`;
  return (await account.mayAssume(`arn:aws:iam::${accountId}:role/${role}`))
    ? pass('may be assumed')
    : failure(
        `${role} may not be assumed`,
        'Allow your credentials sts:AssumeRole on it, or bootstrap again.',
      );
}

async function gatewayThrottle({ account, stage: { plans } }: PlannedStage): Promise<Verdict> {
  const { perSecond = 0, burst = 0 } = await account.gatewayThrottle();
  const wanted = Math.max(...tiers.map((tier) => perSecondOf(tier, plans)));
  if (perSecond >= wanted) return pass(`${perSecond} requests a second, ${burst} at once`);
  return warning(
    `API Gateway admits ${perSecond} requests a second and ${burst} at once, fewer than the ${wanted} of the highest plan`,
    'aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value 10000',
  );
}

/** Records that are there already, or a zone of somebody else, end a deployment after it has made everything else. */
async function dnsRecord(
  { account, stage }: PlannedStage,
  domain: Stage['domains']['api'],
): Promise<Verdict | readonly Verdict[]> {
  if (domain?.hostedZoneId === undefined) return [];
  const { name, hostedZoneId } = domain;
  const zone = await account.hostedZone(hostedZoneId, name);
  if (!zone)
    return failure(`the zone ${hostedZoneId} is not of this account`, 'aws route53 list-hosted-zones');
  if (!`.${name}.`.endsWith(`.${zone.name}`))
    return failure(
      `${hostedZoneId} is the zone of ${zone.name}, not of ${name}`,
      'aws route53 list-hosted-zones',
    );
  const existing = zone.records.filter((type) => ['A', 'AAAA', 'CNAME'].includes(type));
  if (existing.length === 0) return pass(`${name} is free`);
  if (await account.stack(stackNameOf(stage))) return pass(`${name} has ${existing.join(', ')}`);
  return failure(
    `${name} has a record already: ${existing.join(', ')}`,
    `Delete it: aws route53 list-resource-record-sets --hosted-zone-id ${hostedZoneId}`,
  );
}
