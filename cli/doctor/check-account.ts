/** Checks of an account before a stage is deployed into it. */

import { ampleExecutions, newAccountExecutions } from '../../lambda/contract/executions';
import { generatorFacts } from '../../lambda/contract/generators';
import { outputs } from '../../lambda/contract/outputs';
import { needsKey, type StockProviderName } from '../../lambda/contract/providers';
import { waitingBoundOf } from '../../lambda/generation/waiting-bound';
import { type Stage, stackNameOf } from '../../lib/stage';
import type { Account } from './account';
import { certificateChecks } from './check-certificates';
import { modelChecks } from './check-model';
import { type Check, failure, pass, type Verdict, warning } from './finding';

/** Version of the bootstrap stack that the synthesised template asks for. */
const bootstrapVersionMin = 6;
/** Executions at once that production needs beside what it reserves. */
const concurrencyMin = 50;
/** Executions that Lambda leaves unreserved: of an ordinary account, and of one that has fewer. */
const unreservedMin = { ordinary: ampleExecutions, small: newAccountExecutions } as const;

const deploy = (stage: Stage) => `npx cdk deploy -c stage=${stage.name}`;

/** @param nowMs moment (epoch, milliseconds) */
export function accountChecks(account: Account, stage: Stage, accountId: string, nowMs: number): Check[] {
  const region = account.region ?? '';
  const { bedrockModel } = generatorFacts(stage.generator);
  return [
    { name: 'bootstrap', examine: () => bootstrap(account, accountId, region) },
    { name: 'function concurrency', examine: () => concurrency(account, stage) },
    { name: 'API Gateway log role', examine: () => gatewayLogRole(account, stage) },
    ...(bedrockModel ? modelChecks(account, bedrockModel, nowMs) : []),
    { name: 'provider keys', examine: () => providerKeys(account, stage) },
    ...certificateChecks(account, stage, nowMs),
    { name: 'stack name', examine: () => stackName(account, stage) },
    { name: 'CloudFront names', examine: () => cdnNames(account, stage) },
  ];
}

async function bootstrap(account: Account, accountId: string, region: string): Promise<Verdict> {
  const fix = `npx cdk bootstrap aws://${accountId}/${region}`;
  const stack = await account.stack('CDKToolkit');
  if (!stack) return failure(`${region} is not bootstrapped`, fix);
  const version = Number(stack.outputs['BootstrapVersion'] ?? 0);
  if (version < bootstrapVersionMin)
    return failure(`version ${version} is older than ${bootstrapVersionMin}`, fix);
  return pass(`version ${version}`);
}

async function concurrency(account: Account, stage: Stage): Promise<Verdict> {
  const { concurrent, unreserved } = await account.functionLimits();
  const quota = (value: number) =>
    `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${value}`;
  const settings = ['generatorConcurrency', 'rendererConcurrency', 'authorizerConcurrency'] as const;
  const reserved = settings.reduce((sum, setting) => sum + (stage[setting] ?? 0), 0);
  const kept = concurrent < unreservedMin.ordinary ? unreservedMin.small : unreservedMin.ordinary;
  const isDeployed = (await account.stack(stackNameOf(stage))) !== undefined;
  // A stack that exists has already taken its reservation out of what is left.
  if (!isDeployed && reserved > 0 && unreserved - reserved < kept)
    return failure(
      `the settings reserve ${reserved} executions of ${unreserved}, of which Lambda keeps ${kept} unreserved`,
      `Lower ${settings.join(', ')}, or ${quota(1_000)}`,
    );
  if (concurrent < concurrencyMin)
    return warning(
      `${concurrent} executions at once; production needs ${concurrencyMin}. ${waitingText(stage, unreserved)}`,
      quota(1_000),
    );
  return pass(`${concurrent} executions at once, ${unreserved} unreserved`);
}

/** What requests for AI images meet in an account with few executions. */
function waitingText({ waitingRequestsMax }: Stage, unreserved: number): string {
  const bound = waitingRequestsMax ?? waitingBoundOf(unreserved);
  return bound === undefined
    ? 'Requests that wait for AI images can hold up the generator and the renderer'
    : `At most ${bound} requests wait for AI images at once; more are answered with 503 and Retry-After`;
}

async function gatewayLogRole(account: Account, stage: Stage): Promise<Verdict> {
  const role = await account.gatewayLogRole();
  if (!role && stage.setsApiGatewayLogRole) return pass('none yet; the deployment sets it');
  if (!role)
    return failure(
      'none is set, and the settings do not set it',
      `${deploy(stage)} -c setsApiGatewayLogRole=true`,
    );
  const isOurs = role.includes(`${stackNameOf(stage)}-`);
  if (stage.setsApiGatewayLogRole && !isOurs)
    return warning(
      `${role} is set, and the deployment would replace it for all APIs of the region`,
      `${deploy(stage)} -c setsApiGatewayLogRole=false`,
    );
  return pass(`${role} is set`);
}

async function providerKeys(account: Account, stage: Stage): Promise<Verdict> {
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

/** The command that fills in provider keys. */
export function putKeys(secretId: string, names: readonly string[]): string {
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'KEY'])));
  return `aws secretsmanager put-secret-value --secret-id "${secretId}" --secret-string '${json}'`;
}

async function stackName(account: Account, stage: Stage): Promise<Verdict> {
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
async function cdnNames(account: Account, stage: Stage): Promise<Verdict> {
  const name = stackNameOf(stage);
  if (await account.stack(name)) return pass('held by the stack itself');
  const taken = (await account.cdnNames()).filter(
    (each) => each.startsWith(`${name}-`) && each.endsWith(`-${account.region}`),
  );
  if (taken.length > 0)
    return failure(
      `${[...new Set(taken)].join(', ')} exist without the stack`,
      `Delete them in CloudFront, or ${deploy(stage)} -c installation=NAME`,
    );
  return pass('free');
}
