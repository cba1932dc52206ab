/** Checks of an account before a stage is deployed into it. */

import { foundationModelOf, generatorFacts } from '../../lambda/contract/generators';
import { tiers } from '../../lambda/contract/plans';
import { needsKey } from '../../lambda/contract/providers';
import type { Stage } from '../../lib/stage';
import { perSecondOf } from '../../lib/stage';
import type { Account } from './account';
import { type Checks, failure, pass, putKeys, type Verdict, warning } from './finding';

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
export function checksBefore(account: Account, accountId: string, stage: Stage, nowMs: number): Checks {
  const { region = '' } = account;
  const { api, images } = stage.domains;
  const { bedrockModel: model, keyName } = generatorFacts(stage.generator);
  return {
    async bootstrap() {
      const fix = `npx cdk bootstrap aws://${accountId}/${region}`;
      const stack = await account.stack('CDKToolkit');
      if (!stack) return failure(`${region} is not bootstrapped`, fix);
      const version = Number(stack.outputs['BootstrapVersion'] ?? 0);
      const found = `version ${version}`;
      return version < bootstrapVersionMin
        ? failure(`${found} is older than ${bootstrapVersionMin}`, fix)
        : pass(found);
    },
    async executions() {
      const { all, unreserved } = await account.executions();
      const carried = `${all} at once carry ${all * requestsPerExecution} requests a second`;
      if (all >= executionsMin) return pass(`${carried}, ${unreserved} unreserved`);
      const waiting = 'Requests that would wait for AI images are answered with 503 and Retry-After';
      return warning(
        `${carried}; production needs ${executionsMin}. ${waiting}`,
        raiseQuota('lambda', 'L-B99A9384', 1_000),
      );
    },
    async 'requests a second'() {
      const admitted = await account.requestsPerSecond();
      const wanted = Math.max(...tiers.map((tier) => perSecondOf(tier, stage.plans)));
      return admitted >= wanted
        ? pass(`API Gateway admits ${admitted}`)
        : warning(
            `API Gateway admits ${admitted}, fewer than the ${wanted} of a plan`,
            raiseQuota('apigateway', 'L-8A5B8E43', wanted),
          );
    },
    ...(model && {
      'model lifecycle': () => modelLifecycle(account, model, nowMs),
      'model access': () => modelAccess(account, model),
    }),
    async 'provider keys'() {
      const keyed: string[] = [...new Set(Object.values(stage.slotBindings))].filter(needsKey);
      if (keyName !== undefined) keyed.push(keyName);
      return keyed.length === 0
        ? pass('no provider needs a key')
        : warning(
            `${keyed.join(', ')} need a key, for which the deployment makes a secret`,
            `After the deployment: ${putKeys('ID OF ProviderSecret', keyed)}`,
          );
    },
    ...(api && {
      'API certificate': () => certificate(account, api, stage.edge ? cdnRegion : region, nowMs),
    }),
    ...(images && { 'image certificate': () => certificate(account, images, cdnRegion, nowMs) }),
  };
}

interface Model {
  readonly modelId: string;
  readonly region: string;
}

async function modelLifecycle(account: Account, { modelId, region }: Model, nowMs: number): Promise<Verdict> {
  const other = `aws bedrock list-foundation-models --region ${region} --by-output-modality IMAGE, then set generator.modelId`;
  const found = `${modelId} in ${region} is`;
  switch (await account.modelLifecycle(foundationModelOf(modelId), region, nowMs)) {
    case 'active':
      return pass(`${found} active`);
    case 'legacy':
      return warning(`${found} legacy and will be retired`, other);
    case 'unknown':
      return warning(`${found} unknown: Bedrock did not answer`, 'Allow bedrock:GetFoundationModel.');
    default:
      return failure(`${found} not offered, or not any more`, other);
  }
}

async function modelAccess(account: Account, { modelId, region }: Model): Promise<Verdict> {
  const obstacle = await account.modelObstacle(foundationModelOf(modelId), region);
  if (obstacle === undefined) return pass(`${modelId} in ${region} may be invoked`);
  const call = `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`;
  const isAgreement = obstacle.includes('agreement');
  return isAgreement
    ? warning(`${modelId}: ${obstacle}; its first call makes one within 15 minutes`, call)
    : failure(`${modelId}: ${obstacle}`, 'Set generator.region or generator.modelId, or allow the model.');
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
  return endsMs - nowMs < certificateEndsSoonMs
    ? warning(`the certificate of ${name} ends on ${new Date(endsMs).toISOString().slice(0, 10)}`, request)
    : pass(`${name} is certified`);
}
