/** Checks of the generator: whether its model or server can be used, and how much of the day's ceiling is left. */

import { isoSeconds } from '../../lambda/base/window';
import { variables } from '../../lambda/contract/environment';
import {
  foundationModelOf,
  type GeneratorChoice,
  type GeneratorFacts,
  generatorFacts,
} from '../../lambda/contract/generators';
import { outputs } from '../../lambda/contract/outputs';
import { generationDayOf } from '../../lambda/quota/caller-limits';
import type { Account } from './account';
import { type Check, deployAgain, failure, missingKeys, pass, putKeys, type Verdict, warning } from './check';
import type { DeployedStack, Send } from './stack-checks';

/** Whose use of a model is checked; `nowMs` is a moment (epoch, milliseconds). */
interface ModelUser {
  readonly account: Account;
  readonly nowMs: number;
}

/** Checks of a model on Bedrock. @param factsOf what follows from the generator of a subject; nothing to check without a model */
function bedrockChecks<Subject extends ModelUser>(
  factsOf: (subject: Subject) => Promise<GeneratorFacts | undefined>,
): readonly Check<Subject>[] {
  const examined = (check: typeof checkLifecycle) => async (subject: Subject) => {
    const model = (await factsOf(subject))?.bedrockModel;
    return model ? check(subject, model) : [];
  };
  return [
    { name: 'model lifecycle', examine: examined(checkLifecycle) },
    { name: 'model access', examine: examined(checkAccess) },
  ];
}

/** Of the generator that a stage is to have. */
export const plannedModelChecks = bedrockChecks<
  ModelUser & { readonly stage: { readonly generator: GeneratorChoice } }
>(async ({ stage }) => generatorFacts(stage.generator));

/** What a deployed stack can do with its generator, and how much of the day’s ceiling is left. */
export const modelChecks: readonly Check<DeployedStack>[] = [
  // What cannot be read the check of the generator itself reports.
  ...bedrockChecks<DeployedStack>((stack) =>
    readGenerator(stack).then(
      (generator) => generator?.facts,
      () => undefined,
    ),
  ),
  { name: 'generator', examine: checkGenerator },
  { name: 'generations today', examine: generationsToday },
];

/** Reads the setting from the environment of the function; `undefined` where the stack has none. @throws what the SDK throws */
async function readGenerator({ account, resources }: DeployedStack) {
  const [fn] = await resources('AWS::Lambda::Function', 'GeneratorFunction');
  if (!fn) return undefined;
  const environment = await account.functionVariables(fn.physicalId);
  const choice = JSON.parse(environment[variables.generator] ?? '') as GeneratorChoice;
  return { facts: generatorFacts(choice), secretId: environment[variables.providerSecretId] };
}

async function checkGenerator(stack: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const deployed = await readGenerator(stack);
  if (!deployed) return failure('the stack has no generator', deployAgain(stack));
  const { facts, secretId } = deployed;
  return facts.bedrockModel ? [] : keyAndServer(stack, facts, secretId);
}

type BedrockModel = NonNullable<GeneratorFacts['bedrockModel']>;

/** Whether Bedrock still offers the model. */
async function checkLifecycle(
  { account, nowMs }: ModelUser,
  { modelId, region }: BedrockModel,
): Promise<Verdict> {
  const other = `aws bedrock list-foundation-models --region ${region} --by-output-modality IMAGE --query "modelSummaries[?modelLifecycle.status=='ACTIVE'].modelId", then set generator.modelId`;
  switch (await account.modelLifecycle(foundationModelOf(modelId), region, nowMs)) {
    case 'active':
      return pass(`${modelId} is active in ${region}`);
    case 'legacy':
      return warning(`${modelId} is legacy and will be retired`, other);
    case 'end_of_life':
      return failure(`${modelId} has been retired`, other);
    case 'absent':
      return failure(`${region} has no model ${modelId}`, other);
    case 'unknown':
      return warning(
        `Bedrock in ${region} did not answer about ${modelId}`,
        'Allow bedrock:GetFoundationModel, and run doctor again.',
      );
  }
}

/** Whether the account may invoke the model. */
async function checkAccess({ account }: ModelUser, { modelId, region }: BedrockModel): Promise<Verdict> {
  const { isAuthorized, isInRegion, isEntitled, isAgreed } = await account.modelAvailability(
    foundationModelOf(modelId),
    region,
  );
  const model = `${modelId} in ${region}`;
  if (!isInRegion)
    return failure(`${model} is not available to this account`, 'Set generator.region or generator.modelId.');
  if (!isAuthorized)
    return failure(
      `the account is not authorized for ${model}`,
      'Allow bedrock:InvokeModel in the policies of the organization.',
    );
  if (!isAgreed || !isEntitled)
    return warning(
      `the account has no agreement for ${model} yet; its first call makes one, which needs a payment method and up to 15 minutes`,
      `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`,
    );
  return pass(`${model} is available`);
}

/** Checks that the key of a model is set, and requests the models of its server, where it has one. */
export async function keyAndServer(
  { account, send }: Pick<DeployedStack, 'account' | 'send'>,
  { keyName, server }: GeneratorFacts,
  secretId: string | undefined,
): Promise<Verdict> {
  if (keyName === undefined)
    return server ? modelList(server, undefined, send) : pass('it needs neither a key nor a server');
  if (secretId === undefined)
    return failure('there is no secret for the key of the generator', 'Deploy again.');
  const { value } = await account.secret(secretId);
  const put = putKeys(secretId, [keyName]);
  if (missingKeys(value, [keyName]).length > 0) return failure(`the key ${keyName} is not set`, put);
  if (!server) return pass(`the key ${keyName} is set`);
  return modelList(server, { name: keyName, value: JSON.parse(value ?? '')[keyName], put }, send);
}

/** A key that is sent to a model's server. */
interface SentKey {
  readonly name: string;
  readonly value: string;
  /** The command that sets another. */
  readonly put: string;
}

/** Requests the list of models, which costs nothing, with the key that the service uses. */
async function modelList(
  { baseUrl, model }: NonNullable<GeneratorFacts['server']>,
  key: SentKey | undefined,
  send: Send,
): Promise<Verdict> {
  const { host } = new URL(baseUrl);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key.value}` } : {};
  const url = `${baseUrl}/models`;
  const answer = await send(url, headers).catch(() => undefined);
  if (!answer) return warning(`${host} does not answer here`, `curl -i ${url}, and check generator.baseUrl`);
  const { status } = answer;
  if (status === 401 || status === 403)
    return key === undefined
      ? failure(`${host} requires a key`, 'Set generator.apiKeyName, deploy, and set the key.')
      : failure(`${host} refuses the key ${key.name}`, key.put);
  if (status !== 200)
    return warning(
      `${host} answers ${status} to ${new URL(url).pathname}, so its models are not known`,
      'Check that generator.baseUrl includes the version (/v1), and request a new image.',
    );
  const models = await modelsIn(answer);
  if (models && !models.includes(model))
    return warning(`${host} does not list the model ${model}`, `Set generator.model to one of ${url}`);
  return pass(models ? `${host} lists ${model}` : `${host} answers`);
}

/** The ids of the models, or `undefined` where the answer has another form. */
async function modelsIn(answer: Response): Promise<readonly unknown[] | undefined> {
  const { data } = ((await answer.json().catch(() => undefined)) ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? data.map((each) => (each as { readonly id?: unknown } | null)?.id) : undefined;
}

/** Where the ceiling is reached, no image is generated for any account until midnight. */
async function generationsToday(stack: DeployedStack): Promise<Verdict> {
  const { account, facts, nowMs } = stack;
  const limit = Number(facts.outputs[outputs.generationsPerDay]);
  const table = facts.outputs[outputs.quotaCountersTable];
  if (!(limit > 0) || !table) return pass('no ceiling');
  const ceiling = generationDayOf(limit, nowMs);
  const used = await account.used(table, ceiling);
  return ceilingVerdict(
    { used, limit },
    `${used} of ${limit} images`,
    isoSeconds(ceiling.window.endMs),
    `${deployAgain(stack)} -c generationsPerDay=${limit * 2}`,
  );
}

/** Share of a ceiling from which it is worth a warning. */
const warningShare = 0.8;

/**
 * @param found what is said of a ceiling that is not reached
 * @param end until when generation is paused where it is
 * @param raise the command that raises it
 */
export function ceilingVerdict(
  { used, limit }: { readonly used: number; readonly limit: number },
  found: string,
  end: string,
  raise: string,
): Verdict {
  if (used >= limit) return failure(`${found}: generation is paused until ${end}`, raise);
  return used >= limit * warningShare ? warning(found, raise) : pass(found);
}
