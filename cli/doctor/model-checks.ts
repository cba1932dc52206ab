/** Checks of the generator, the judge and the rewriter: whether their models or servers can be used, and how much of the day's ceiling is left. */

import { isoSeconds } from '../../lambda/base/window';
import { variables } from '../../lambda/contract/environment';
import {
  foundationModelOf,
  type GeneratorChoice,
  type GeneratorFacts,
  generatorFacts,
} from '../../lambda/contract/generators';
import { judgeSettings, modelFacts, rewriterSettings } from '../../lambda/contract/judges';
import { outputs } from '../../lambda/contract/outputs';
import { dailyGenerations } from '../../lambda/quota/fair-use';
import type { Account } from './account';
import { type Check, deployAgain, failure, missingKeys, pass, putKeys, type Verdict, warning } from './check';
import type { DeployedStack, Send } from './stack-checks';

/** The settings that name models, with the function that asks each and what follows from what a setting is. */
const models = {
  generator: {
    functionId: 'GeneratorFunction',
    factsOf: (value) => generatorFacts(value as GeneratorChoice),
  },
  judge: { functionId: 'RendererFunction', factsOf: (value) => modelFacts(judgeSettings.read(value)) },
  rewriter: { functionId: 'RendererFunction', factsOf: (value) => modelFacts(rewriterSettings.read(value)) },
} as const satisfies Readonly<
  Record<string, { readonly functionId: string; readonly factsOf: (value: unknown) => GeneratorFacts }>
>;
type ModelSetting = keyof typeof models;
const settings = Object.keys(models) as readonly ModelSetting[];

/** Whose use of a model is checked; `nowMs` is a moment (epoch, milliseconds). */
interface ModelUser {
  readonly account: Account;
  readonly nowMs: number;
}

/** Checks of the models on Bedrock. @param factsOf what follows from a setting of a subject; nothing to check without a model */
function bedrockChecks<Subject extends ModelUser>(
  factsOf: (subject: Subject, setting: ModelSetting) => Promise<GeneratorFacts | undefined>,
): readonly Check<Subject>[] {
  return settings.flatMap((setting) => {
    const examined = (check: typeof checkLifecycle) => async (subject: Subject) => {
      const model = (await factsOf(subject, setting))?.bedrockModel;
      return model ? check(subject, model, setting) : [];
    };
    const name = setting === 'generator' ? 'model' : setting;
    return [
      { name: `${name} lifecycle`, examine: examined(checkLifecycle) },
      { name: `${name} access`, examine: examined(checkAccess) },
    ];
  });
}

type PlannedModels = Readonly<Record<ModelSetting, unknown>>;

/** Names of the keys that the models of a stage need, each once. */
export function modelKeysOf(stage: PlannedModels): readonly string[] {
  return [...new Set(settings.flatMap((setting) => models[setting].factsOf(stage[setting]).keyName ?? []))];
}

/** Of the models that a stage is to have. */
export const plannedModelChecks = bedrockChecks<ModelUser & { readonly stage: PlannedModels }>(
  async ({ stage }, setting) => models[setting].factsOf(stage[setting]),
);

/** What a deployed stack can do with its generator, judge and rewriter, and how much of the day’s ceiling is left. */
export const modelChecks: readonly Check<DeployedStack>[] = [
  // What cannot be read the check of the setting itself reports.
  ...bedrockChecks<DeployedStack>((stack, setting) =>
    readModel(stack, setting).then(
      (model) => model?.facts,
      () => undefined,
    ),
  ),
  ...settings.map((setting) => ({
    name: setting,
    examine: (stack: DeployedStack) => checkSetting(stack, setting),
  })),
  { name: 'generations today', examine: generationsToday },
];

/** Reads a setting from the environment of its function; `undefined` where the stack has none. @throws what the SDK throws */
async function readModel({ account, resources }: DeployedStack, setting: ModelSetting) {
  const { functionId, factsOf } = models[setting];
  const [fn] = await resources('AWS::Lambda::Function', functionId);
  if (!fn) return undefined;
  const environment = await account.functionVariables(fn.physicalId);
  const text = environment[variables[setting]];
  if (text === undefined && setting !== 'generator') return undefined;
  return { facts: factsOf(JSON.parse(text ?? '')), secretId: environment[variables.providerSecretId] };
}

async function checkSetting(
  stack: DeployedStack,
  setting: ModelSetting,
): Promise<Verdict | readonly Verdict[]> {
  const deployed = await readModel(stack, setting);
  if (!deployed)
    return setting === 'generator' ? failure('the stack has no generator', deployAgain(stack)) : [];
  const { facts, secretId } = deployed;
  return facts.bedrockModel ? [] : keyAndServer(stack, facts, secretId, setting);
}

type BedrockModel = NonNullable<GeneratorFacts['bedrockModel']>;

/** Whether Bedrock still offers the model. */
async function checkLifecycle(
  { account, nowMs }: ModelUser,
  { modelId, region }: BedrockModel,
  setting: ModelSetting,
): Promise<Verdict> {
  const modality = setting === 'generator' ? 'IMAGE' : 'TEXT';
  const other = `aws bedrock list-foundation-models --region ${region} --by-output-modality ${modality} --query "modelSummaries[?modelLifecycle.status=='ACTIVE'].modelId", then set ${setting}.modelId`;
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
async function checkAccess(
  { account }: ModelUser,
  { modelId, region }: BedrockModel,
  setting: ModelSetting,
): Promise<Verdict> {
  const { isAuthorized, isInRegion, isEntitled, isAgreed } = await account.modelAvailability(
    foundationModelOf(modelId),
    region,
  );
  const model = `${modelId} in ${region}`;
  if (!isInRegion)
    return failure(
      `${model} is not available to this account`,
      `Set ${setting}.region or ${setting}.modelId.`,
    );
  if (!isAuthorized)
    return failure(
      `the account is not authorized for ${model}`,
      'Allow bedrock:InvokeModel in the policies of the organization.',
    );
  if (!isAgreed || !isEntitled)
    return warning(
      `the account has no agreement for ${model} yet; its first call makes one, which needs a payment method and up to 15 minutes`,
      setting === 'generator'
        ? `aws bedrock-runtime invoke-model --region ${region} --model-id ${modelId} --cli-binary-format raw-in-base64-out --body '{"prompt":"a lake"}' image.json`
        : `aws bedrock-runtime converse --region ${region} --model-id ${modelId} --messages '[{"role":"user","content":[{"text":"a lake"}]}]'`,
    );
  return pass(`${model} is available`);
}

/** Checks that the key of a model is set, and requests the models of its server, where it has one. */
export async function keyAndServer(
  { account, send }: Pick<DeployedStack, 'account' | 'send'>,
  { keyName, server }: GeneratorFacts,
  secretId: string | undefined,
  setting: ModelSetting,
): Promise<Verdict> {
  if (keyName === undefined)
    return server ? modelList(server, undefined, send, setting) : pass('it needs neither a key nor a server');
  if (secretId === undefined)
    return failure(`there is no secret for the key of the ${setting}`, 'Deploy again.');
  const { value } = await account.secret(secretId);
  const put = putKeys(secretId, [keyName]);
  if (missingKeys(value, [keyName]).length > 0) return failure(`the key ${keyName} is not set`, put);
  if (!server) return pass(`the key ${keyName} is set`);
  return modelList(server, { name: keyName, value: JSON.parse(value ?? '')[keyName], put }, send, setting);
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
  setting: ModelSetting,
): Promise<Verdict> {
  const { host } = new URL(baseUrl);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key.value}` } : {};
  const url = `${baseUrl}/models`;
  const answer = await send(url, headers).catch(() => undefined);
  if (!answer) return warning(`${host} does not answer here`, `curl -i ${url}, and check ${setting}.baseUrl`);
  const { status } = answer;
  if (status === 401 || status === 403)
    return key === undefined
      ? failure(`${host} requires a key`, `Set ${setting}.apiKeyName, deploy, and set the key.`)
      : failure(`${host} refuses the key ${key.name}`, key.put);
  if (status !== 200)
    return warning(
      `${host} answers ${status} to ${new URL(url).pathname}, so its models are not known`,
      `Check that ${setting}.baseUrl includes the version (/v1), and request a new image.`,
    );
  const models = await modelsIn(answer);
  if (models && !models.includes(model))
    return warning(`${host} does not list the model ${model}`, `Set ${setting}.model to one of ${url}`);
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
  const ceiling = dailyGenerations(limit, nowMs);
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
