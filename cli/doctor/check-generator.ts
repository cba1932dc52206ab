/** Checks of the deployed generator: whether its model or its server can be used, and how much of the day's ceiling is left. */

import { isoSeconds } from '../../lambda/base/window';
import { variables } from '../../lambda/contract/environment';
import { type GeneratorFacts, generatorFacts } from '../../lambda/contract/generators';
import { outputs } from '../../lambda/contract/outputs';
import { dailyGenerations } from '../../lambda/quota/fair-use';
import type { Account, StackFacts, StackResource } from './account';
import { putKeys } from './check-account';
import { modelChecks } from './check-model';
import { type Ask, warningShare } from './check-service';
import { deployAgain } from './deploy-again';
import { type Check, failure, pass, type Verdict, warning } from './finding';
import { missingKeys } from './missing-keys';

/** The stack whose generator is examined. */
export interface DeployedStack {
  readonly name: string;
  readonly facts: StackFacts;
  /** Throws what reading them threw. */
  readonly resources: () => readonly StackResource[];
}

/**
 * Reads first what the generator is, which decides on the checks; where that fails, the check `generator` says so.
 * @param nowMs moment (epoch, milliseconds)
 */
export async function generatorChecks(
  account: Account,
  stack: DeployedStack,
  ask: Ask,
  nowMs: number,
): Promise<Check[]> {
  const ceiling = { name: 'generations today', examine: () => generationsToday(account, stack, nowMs) };
  const name = 'generator';
  try {
    const fn = stack.resources().find(({ logicalId }) => logicalId === 'GeneratorFunction');
    if (!fn) {
      const missing = failure('the stack has no generator', deployAgain(stack.name));
      return [{ name, examine: async () => missing }, ceiling];
    }
    const environment = await account.functionVariables(fn.physicalId);
    const facts = generatorFacts(JSON.parse(environment[variables.generator] ?? ''));
    const secretId = environment[variables.providerSecretId];
    if (facts.bedrockModel) return [...modelChecks(account, facts.bedrockModel, nowMs), ceiling];
    return [{ name, examine: () => keyAndServer(account, facts, secretId, ask) }, ceiling];
  } catch (error) {
    return [{ name, examine: () => Promise.reject(error) }, ceiling];
  }
}

/** Checks that the generator's key is set, and asks its server, where it has one. */
export async function keyAndServer(
  account: Account,
  { keyName, server }: GeneratorFacts,
  secretId: string | undefined,
  ask: Ask,
): Promise<Verdict> {
  if (keyName === undefined)
    return server ? modelList(server, undefined, ask) : pass('it needs neither a key nor a server');
  if (secretId === undefined) return failure('there is no secret for the generator’s key', 'Deploy again.');
  const { value } = await account.secret(secretId);
  const put = putKeys(secretId, [keyName]);
  if (missingKeys(value, [keyName]).length > 0) return failure(`the key ${keyName} is not set`, put);
  if (!server) return pass(`the key ${keyName} is set`);
  return modelList(server, { name: keyName, value: JSON.parse(value ?? '')[keyName], put }, ask);
}

/** A key that is sent to a generator's server. */
interface SentKey {
  readonly name: string;
  readonly value: string;
  /** The command that sets another. */
  readonly put: string;
}

/** Asks for the list of models, which costs nothing, with the key that the generator uses. */
async function modelList(
  { baseUrl, model }: NonNullable<GeneratorFacts['server']>,
  key: SentKey | undefined,
  ask: Ask,
): Promise<Verdict> {
  const { host } = new URL(baseUrl);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key.value}` } : {};
  const url = `${baseUrl}/models`;
  const answer = await ask(url, headers).catch(() => undefined);
  if (!answer) return warning(`${host} does not answer here`, `curl -i ${url}, and check generator.baseUrl`);
  const { status } = answer;
  if (status === 401 || status === 403)
    return key === undefined
      ? failure(`${host} requires a key`, 'Set generator.apiKeyName, deploy, and set the key.')
      : failure(`${host} refuses the key ${key.name}`, key.put);
  if (status !== 200)
    return warning(
      `${host} answers ${status} to ${new URL(url).pathname}, so its models are not known`,
      'Check that generator.baseUrl includes the version (/v1), and request a private image.',
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
async function generationsToday(
  account: Account,
  { name, facts }: DeployedStack,
  nowMs: number,
): Promise<Verdict> {
  const limit = Number(facts.outputs[outputs.generationsPerDay]);
  const table = facts.outputs[outputs.quotaCountersTable];
  if (!(limit > 0) || !table) return pass('no ceiling');
  const allowance = dailyGenerations(limit, nowMs);
  const used = await account.taken(table, allowance);
  const found = `${used} of ${limit} images`;
  const raise = `${deployAgain(name)} -c generationsPerDay=${limit * 2}`;
  if (used >= limit)
    return failure(`${found}: generation is paused until ${isoSeconds(allowance.window.endMs)}`, raise);
  return used >= limit * warningShare ? warning(found, raise) : pass(found);
}
