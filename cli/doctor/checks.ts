/** Checks an account before a deployment, and a stack after one. */

import { parseJson } from '../../lambda/base/parse';
import { readFoundationModel } from '../../lambda/contract/generators';
import { outputs } from '../../lambda/contract/outputs';
import { needsKey, type StockProviderName, stockSlots } from '../../lambda/contract/providers';
import { routes } from '../../lambda/contract/routes';
import { doctorTimeoutMs } from '../../lambda/contract/timeouts';
import type { Stage } from '../../lib/stage';
import type { StackFacts } from '../aws';
import { convertToFailure } from '../failure';
import { formatCount } from '../output';
import type { AwsAccount } from './account';

/** The result of a check. `--json` prints it, so it holds no secret. */
export interface Finding {
  readonly check: string;
  /** `warning`: something works with a restriction, or could not be checked. `failure`: it does not work. */
  readonly outcome: 'pass' | 'warning' | 'failure';
  readonly found: string;
  /** The command or the step that mends it; absent for a pass. */
  readonly fix?: string;
}

type Verdict = Omit<Finding, 'check'>;

/** The running checks, by the names that the report has. A check that does not apply is `undefined`. */
type Checks = Readonly<Record<string, Promise<Verdict> | Verdict | undefined>>;

const makePass = (found: string): Verdict => ({ outcome: 'pass', found });
const makeWarning = (found: string, fix: string): Verdict => ({ outcome: 'warning', found, fix });
const makeFailure = (found: string, fix: string): Verdict => ({ outcome: 'failure', found, fix });

/** The environment variable of the API key. The checks need a key, because only few anonymous requests are allowed. */
export const keyVariable = 'IMAGE_REDIRECT_KEY';

/**
 * Examines an account: first the credentials, then all other checks at once. A check that AWS forbids is a warning.
 * @param subject the stage to be deployed, or a deployed stack and the API key for its AI image
 * @returns the findings in the order of the checks
 */
export async function runChecks(
  account: AwsAccount,
  region = 'the region of the profile',
  subject: Stage | { readonly stack: string; readonly key: string | undefined },
): Promise<readonly Finding[]> {
  const makeErrorFailure = (error: unknown) =>
    makeFailure(convertToFailure(error).message, 'aws sso login, or another --region or --profile');
  const id = await account.readAccountId().catch(makeErrorFailure);
  if (typeof id !== 'string') return awaitFindings({ credentials: id });
  const credentials = makePass(`account ${id} in ${region}`);
  if (!('stack' in subject)) {
    const { generator } = subject;
    const model = generator.kind === 'bedrock-stability' ? checkModel(account, generator) : undefined;
    return awaitFindings({ credentials, executions: checkExecutions(account), model });
  }
  const { stack: name, key } = subject;
  const noStack = makeFailure(`There is no stack ${name}.`, writeDeployCommand(name));
  const stack = (await account.findStack(name).catch(makeErrorFailure)) ?? noStack;
  if ('outcome' in stack) return awaitFindings({ credentials, stack });
  return awaitFindings({ credentials, ...startStackChecks({ ...stack, name, account, key }) });
}

async function awaitFindings(checks: Checks): Promise<readonly Finding[]> {
  const makeErrorWarning = (error: unknown) => {
    const found = `could not be checked: ${convertToFailure(error).message}`;
    return makeWarning(found, 'Allow your credentials to read it.');
  };
  const findings = Object.entries(checks).map(async ([check, verdict]) => {
    const result = await Promise.resolve(verdict).catch(makeErrorWarning);
    return result === undefined ? [] : [{ check, ...result }];
  });
  return (await Promise.all(findings)).flat();
}

const executionsMin = 50;
/** Requests a second per execution. Lambda allows ten starts, and a request starts two functions. */
const requestsPerExecution = 5;

/** Writes the command that deploys a stack. By default the CDK app would make dev without an installation. */
function writeDeployCommand(stack: string): string {
  const [, installation, stage = 'dev'] = /^ImageRedirect-(?:(.+)-)?(\w+)$/.exec(stack) ?? [];
  const installationOption = installation === undefined ? '' : ` -c installation=${installation}`;
  return `npx cdk deploy ${stack} -c stage=${stage}${installationOption}`;
}

/** Writes the command that adds keys to a secret. The command prints no key that the secret holds. */
function writeKeysCommand(secretId: string, names: readonly string[]): string {
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'KEY'])));
  const current = `aws secretsmanager get-secret-value --secret-id "${secretId}" --query SecretString --output text`;
  const merged = `${current} | node -p 'JSON.stringify({ ...JSON.parse(fs.readFileSync(0)), ...${json} })'`;
  return `aws secretsmanager put-secret-value --secret-id "${secretId}" --secret-string "$(${merged})"`;
}

async function checkExecutions(account: AwsAccount): Promise<Verdict> {
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions = 0 } =
    await account.readExecutionQuota();
  const capacity = `${quota} at once carry ${quota * requestsPerExecution} requests a second`;
  if (quota >= executionsMin) return makePass(`${capacity}, ${UnreservedConcurrentExecutions} unreserved`);
  return makeWarning(
    `${capacity}; production needs ${executionsMin}. Requests that would wait for AI images get 503`,
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  );
}

async function checkModel(
  account: AwsAccount,
  { modelId, region }: { readonly modelId: string; readonly region: string },
): Promise<Verdict> {
  const modelText = `${modelId} in ${region}`;
  const listModels = `aws bedrock list-foundation-models --region ${region} --by-output-modality IMAGE, then set generator.modelId`;
  const invokeModel = `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`;
  const model = await account.readModelAccess(readFoundationModel(modelId), region);
  if (!model) return makeFailure(`${modelText} is not offered, or not any more`, listModels);
  const found = `no ${model.lacks.join(', ')} for ${modelText}`;
  // A first call makes the agreement. It changes neither region nor authorization.
  if (model.lacks.some((lack) => /^(region|authorization)$/.test(lack)))
    return makeFailure(found, 'Set generator.region or generator.modelId, or allow the model.');
  if (model.lacks.length > 0)
    return makeWarning(`${found}; a first call asks for it within 15 minutes`, invokeModel);
  return makePass(`${modelText} may be invoked`);
}

type DeployedStack = Readonly<StackFacts & { name: string; account: AwsAccount; key: string | undefined }>;

function startStackChecks(stack: DeployedStack): Checks {
  const createKey = `npm run keys -- create --name doctor --stack ${stack.name}, and set ${keyVariable} to the key`;
  const noKey = makeWarning('not checked: it takes an API key', createKey);
  const check = (slot: string) => (stack.key || slot === stockSlots[0] ? checkImage(stack, slot) : noKey);
  return {
    stack: checkDeployment(stack),
    alarms: checkAlarms(stack),
    'provider keys': checkProviderKeys(stack),
    ...Object.fromEntries(stockSlots.map((slot) => [`slot ${slot}`, check(slot)])),
    'AI image': check('ai'),
  };
}

function checkDeployment({ name, status, outputs: stackOutputs }: DeployedStack): Verdict {
  const deployAgain = `Once a deployment has ended: ${writeDeployCommand(name)}. docs/operate.md describes what to do with others.`;
  if (!stackOutputs[outputs.apiUrl]) return makeFailure('it is no image redirect service', deployAgain);
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return makePass(status);
  if (status === 'UPDATE_ROLLBACK_COMPLETE') return makeWarning(status, deployAgain);
  return makeFailure(status, deployAgain);
}

async function checkAlarms({ name, account }: DeployedStack): Promise<Verdict> {
  const alarms = await account.listAlarms(name);
  const ringing = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  const names = ringing.map(({ AlarmName }) => AlarmName).join(' ');
  if (names) return makeFailure(`${names} is on`, `aws cloudwatch describe-alarms --alarm-names ${names}`);
  const found = `${formatCount(alarms.length, 'alarm')}, none is on`;
  if (alarms.some(({ AlarmActions = [] }) => AlarmActions.length > 0)) return makePass(found);
  const fix = `${writeDeployCommand(name)} -c alarmEmail=EMAIL`;
  return makeWarning(`${found}, none notifies anybody`, fix);
}

async function checkProviderKeys({ account, outputs: stackOutputs }: DeployedStack): Promise<Verdict> {
  const settings: Readonly<Record<string, string>> = JSON.parse(stackOutputs[outputs.stockProviders] ?? '{}');
  const { SLOT_BINDINGS = '{}', PROVIDER_SECRET_ID: secretId } = settings;
  const bindings: Readonly<Record<string, StockProviderName>> = JSON.parse(SLOT_BINDINGS);
  const keyProviders = [...new Set(Object.values(bindings))].filter(needsKey);
  if (keyProviders.length === 0 || secretId === undefined) return makePass('no stock provider needs a key');
  const keys = parseJson(await account.readSecretText(secretId)) as Record<string, unknown> | undefined;
  const withoutKey = keyProviders.filter((provider) => !keys?.[provider]);
  if (withoutKey.length === 0) return makePass(`${keyProviders.join(', ')} set`);
  return makeFailure(`${withoutKey.join(', ')} not set`, writeKeysCommand(secretId, withoutKey));
}

/** Requests an image of a slot or of `ai`, and the file behind its redirect. */
async function checkImage(stack: DeployedStack, source: string): Promise<Verdict> {
  const { name, outputs: stackOutputs, key } = stack;
  const root = stackOutputs[outputs.apiUrl];
  const logCommand = `aws logs tail --since 10m "$(aws cloudformation describe-stack-resource --stack-name ${name} --logical-resource-id ApiFunctionLogs --query StackResourceDetail.PhysicalResourceId --output text)"`;
  const networkAdvice = 'Check the network of this machine, and with a domain its DNS record.';
  const providersCommand = `npm run image-redirect -- providers --stack ${name}`;
  const request = (url: string | null, headers = {}) => {
    const signal = AbortSignal.timeout(doctorTimeoutMs);
    return fetch(url ?? '', { headers, redirect: 'manual', signal }).catch(() => undefined);
  };
  const url = `${root}${routes.image}/200x200-mountain-lake?provider=${source}`;
  const response = await request(url, key === undefined ? {} : { 'X-API-Key': key });
  if (!response) return makeFailure(`${root} does not answer`, networkAdvice);
  if (response.status !== 302) {
    const { code, requestId } = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    const responseText = `answered with ${response.status} ${code} (request ${requestId})`;
    if (response.status === 429)
      return makeWarning(responseText, `Set ${keyVariable} to another API key, or wait for an hour.`);
    if (code === 'generation_in_progress')
      return makeWarning(responseText, 'The model is slow: run doctor again in a minute.');
    return makeFailure(responseText, response.status === 404 ? providersCommand : logCommand);
  }
  const file = await request(response.headers.get('location'));
  if (file?.status !== 200)
    return makeFailure(`its file is answered with ${file?.status ?? 'nothing'}`, networkAdvice);
  const answeringSource = response.headers.get('x-image-source');
  if (answeringSource === source) return makePass('serves an image');
  return makeWarning(`${answeringSource} answered in its place`, providersCommand);
}
