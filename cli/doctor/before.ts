/** Checks of an account before a stage is deployed into it. */

import { foundationModelOf } from '../../lambda/contract/generators';
import { tiers } from '../../lambda/contract/plans';
import { needsKey } from '../../lambda/contract/providers';
import { perSecondOf, type Stage } from '../../lib/stage';
import type { Account } from './account';
import { type Check, failure, pass, putKeys, type Verdict, warning } from './check';

/** Version of the bootstrap stack that the synthesised template requires. */
const bootstrapVersionMin = 6;
/** Executions at once that production needs. */
const executionsMin = 50;
/** Each request takes an execution of the authorizer and one of the API, of which Lambda starts ten a second each. */
const requestsPerExecution = 5;
/** ACM renews 60 days before the end; one that ends earlier was not renewed. */
const certificateEndsSoonMs = 30 * 86_400_000;
/** CloudFront takes certificates of this region only. */
const cdnRegion = 'us-east-1';

const raiseQuota = (service: string, code: string, value: number) =>
  `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value}`;

/** What a deployment of the stage would meet. @param nowMs moment (epoch, milliseconds) */
export function checksBefore(
  account: Account,
  accountId: string,
  stage: Stage,
  nowMs: number,
): readonly Check[] {
  const { region = '' } = account;
  const { api, images } = stage.domains;
  const { generator } = stage;
  const keyed: string[] = [...new Set(Object.values(stage.slotBindings))].filter(needsKey);
  if (generator.kind === 'openai-compatible' && generator.apiKeyName) keyed.push(generator.apiKeyName);
  const certificates: Check[] = [
    ...(api ? [['API', api, stage.edge ? cdnRegion : region] as const] : []),
    ...(images ? [['image', images, cdnRegion] as const] : []),
  ].map(([of, domain, needed]) => [`${of} certificate`, () => certificate(account, domain, needed, nowMs)]);
  return [
    ['bootstrap', () => bootstrap(account, `npx cdk bootstrap aws://${accountId}/${region}`)],
    ['executions', () => executions(account)],
    ['requests a second', () => requestsPerSecond(account, stage)],
    ...(generator.kind === 'bedrock-stability'
      ? [['model', () => modelState(account, generator, nowMs)] as const]
      : []),
    ['provider keys', async () => providerKeys(keyed)],
    ...certificates,
  ];
}

async function bootstrap(account: Account, fix: string): Promise<Verdict> {
  const stack = await account.stack('CDKToolkit');
  if (!stack) return failure(`${account.region} is not bootstrapped`, fix);
  const version = Number(stack.outputs['BootstrapVersion'] ?? 0);
  return version < bootstrapVersionMin
    ? failure(`version ${version} is older than ${bootstrapVersionMin}`, fix)
    : pass(`version ${version}`);
}

async function executions(account: Account): Promise<Verdict> {
  const { all, unreserved } = await account.executions();
  const carried = `${all} at once carry ${all * requestsPerExecution} requests a second`;
  if (all >= executionsMin) return pass(`${carried}, ${unreserved} unreserved`);
  return warning(
    `${carried}; production needs ${executionsMin}. Requests that would wait for AI images are answered with 503 and Retry-After`,
    raiseQuota('lambda', 'L-B99A9384', 1_000),
  );
}

async function requestsPerSecond(account: Account, stage: Stage): Promise<Verdict> {
  const admitted = await account.requestsPerSecond();
  const wanted = Math.max(...tiers.map((tier) => perSecondOf(tier, stage.plans)));
  if (admitted >= wanted) return pass(`API Gateway admits ${admitted}`);
  return warning(
    `API Gateway admits ${admitted}, fewer than the ${wanted} of a plan`,
    raiseQuota('apigateway', 'L-8A5B8E43', wanted),
  );
}

/** Whether the account may invoke the model, and how long it is offered. */
async function modelState(
  account: Account,
  { modelId, region }: { readonly modelId: string; readonly region: string },
  nowMs: number,
): Promise<Verdict> {
  const named = `${modelId} in ${region}`;
  const other = `aws bedrock list-foundation-models --region ${region} --by-output-modality IMAGE, then set generator.modelId`;
  const { state, obstacle } = await account.model(foundationModelOf(modelId), region, nowMs);
  if (state === 'gone') return failure(`${named} is not offered, or not any more`, other);
  if (obstacle === 'agreement')
    return warning(
      `the account has no agreement for ${named}; its first call makes one within 15 minutes`,
      `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`,
    );
  if (obstacle !== undefined)
    return failure(`${named}: ${obstacle}`, 'Set generator.region or generator.modelId, or allow the model.');
  if (state === 'legacy') return warning(`${named} is legacy and will be retired`, other);
  return pass(`${named} may be invoked`);
}

function providerKeys(keyed: readonly string[]): Verdict {
  if (keyed.length === 0) return pass('no provider needs a key');
  return warning(
    `${keyed.join(', ')} need a key, for which the deployment makes a secret`,
    `After the deployment: ${putKeys('ID OF ProviderSecret', keyed)}`,
  );
}

async function certificate(
  account: Account,
  { name, certificateArn }: { readonly name: string; readonly certificateArn: string },
  region: string,
  nowMs: number,
): Promise<Verdict> {
  const request = `aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`;
  if (certificateArn.split(':')[3] !== region)
    return failure(`${certificateArn} is not in ${region}`, request);
  const { names, status, endsMs } = await account.certificate(certificateArn);
  // A wildcard stands for one label.
  const wildcard = `*.${name.split('.').slice(1).join('.')}`;
  if (!names.includes(name) && !names.includes(wildcard))
    return failure(`it names ${names.join(', ')}, not ${name}`, request);
  if (status === 'PENDING_VALIDATION')
    return failure(
      `the certificate of ${name} waits for its DNS record`,
      `aws acm describe-certificate --region ${region} --certificate-arn ${certificateArn} --query "Certificate.DomainValidationOptions[].ResourceRecord", then add the record`,
    );
  if (status !== 'ISSUED') return failure(`the certificate of ${name} is ${status}`, request);
  if (endsMs - nowMs >= certificateEndsSoonMs) return pass(`${name} is certified`);
  return warning(
    `the certificate of ${name} ends on ${new Date(endsMs).toISOString().slice(0, 10)}`,
    request,
  );
}
