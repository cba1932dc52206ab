/** The environment in which the functions run locally, and what operator commands learn of it. */

import { failed } from '../cli/failure';
import type { Distributions } from '../cli/local-services';
import { parseJson } from '../lambda/base/parse-json';
import {
  type AiLabel,
  type ImageDelivery,
  switches,
  tableVariables,
  variables,
} from '../lambda/contract/environment';
import { judgeSettings, rewriterSettings } from '../lambda/contract/judges';
import type { Tier } from '../lambda/contract/plans';
import type { SlotBindings } from '../lambda/contract/providers';
import type { TableName } from '../lambda/contract/tables';

/** Questions to the judge and the rewriter per UTC day, where the environment does not say. */
const judgementsPerDayDefault = 500;

export interface LocalEnvironment {
  readonly tables: Readonly<Record<TableName, string>>;
  readonly dynamoDbUrl: string;
  /** Lambda, Secrets Manager and EventBridge. */
  readonly awsUrl: string;
  /** The access key id that the embedded services ask for. */
  readonly token: string;
  readonly imageBaseUrl: string;
  /** `file:///…` */
  readonly imageStore: string;
  readonly tierKeys: Readonly<Record<Tier, string>>;
  readonly bindings: SlotBindings;
  readonly imageDelivery: ImageDelivery;
  readonly aiLabel: AiLabel;
  /** Requests per hour without a key; absent for the default. */
  readonly anonymousPerHour?: number | undefined;
  /** URLs of the fake providers by provider. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly ipHashSecret: string;
  /** By which AI images are checked, as PEM; absent where none are signed. */
  readonly contentCertificates?: string | undefined;
  /** URL of the service itself, which is whom providers can turn to. */
  readonly url: string;
  /** URL of the fake judge and rewriter; absent without fake providers. */
  readonly fakeModelUrl: string | undefined;
  /** What the edge proves itself by; absent where callers reach the API itself. */
  readonly originLock?: string | undefined;
}

/** Names of the local functions and secrets, where AWS has physical ones. */
export const localNames = {
  renderer: 'renderer',
  generator: 'generator',
  signingSecret: 'signing-key',
  signerSecret: 'signer-master',
  contentSecret: 'content-credentials',
  providerSecret: 'provider-keys',
  keyPairId: 'LOCALKEYPAIR',
  edge: 'LOCALEDGE',
} as const;

/**
 * The models that the environment names, and how often the judge may be asked; absent where there are none.
 * @throws `Failure`
 */
function modelVariables(fakeModelUrl: string | undefined): Readonly<Record<string, string | undefined>> {
  const chosen = [
    [variables.judge, judgeSettings],
    [variables.rewriter, rewriterSettings],
  ] as const;
  const models = chosen.map(([name, settings]) => {
    const choice = parseJson(process.env[name] || '{"kind":"off"}');
    if (choice === undefined) throw failed(`${name} must be JSON.`);
    const { kind, ...more } = (choice ?? {}) as { readonly kind?: unknown };
    if (kind === 'fake' && fakeModelUrl === undefined)
      throw failed(`${name} names the fake model, which needs --fake-providers.`);
    const server = { kind: 'openai-compatible', baseUrl: fakeModelUrl, model: 'fake', ...more };
    try {
      const read = settings.read(kind === 'fake' ? server : choice);
      return [name, read.kind === 'off' ? undefined : JSON.stringify(read)];
    } catch (error) {
      throw failed(`${name} ${(error as Error).message}.`);
    }
  });
  const perDay = process.env[variables.judgementsPerDay] || String(judgementsPerDayDefault);
  return {
    ...Object.fromEntries(models),
    [variables.judgementsPerDay]: perDay === 'off' ? undefined : perDay,
  };
}

/** Sets the variables of all functions at once; they share no name with different values. */
export function setEnvironment(local: LocalEnvironment): void {
  const tables = Object.entries(local.tables).map(([table, name]) => [
    tableVariables[table as TableName],
    name,
  ]);
  Object.assign(process.env, Object.fromEntries(tables), {
    // Whatever credentials this machine has are not for the embedded engine.
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: local.token,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: local.dynamoDbUrl,
    AWS_ENDPOINT_URL_LAMBDA: local.awsUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: local.awsUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: local.awsUrl,
    [variables.tierKeys]: JSON.stringify(local.tierKeys),
    [variables.slotBindings]: JSON.stringify(local.bindings),
    [variables.imageDelivery]: local.imageDelivery,
    [variables.aiLabel]: local.aiLabel,
    [variables.anonymousLimit]: JSON.stringify({
      limit: local.anonymousPerHour,
      hint: 'To change it: npm start -- --anonymous-per-hour N|off',
    }),
    [variables.ipHashSecret]: local.ipHashSecret,
    [variables.imageBaseUrl]: local.imageBaseUrl,
    [variables.imageStore]: local.imageStore,
    [variables.rendererFunction]: localNames.renderer,
    [variables.generatorFunction]: localNames.generator,
    [variables.signingSecretId]: localNames.signingSecret,
    [variables.signingKeyPairId]: localNames.keyPairId,
    [variables.signerSecretId]: localNames.signerSecret,
    [variables.providerSecretId]: localNames.providerSecret,
    [variables.contact]: process.env[variables.contact] ?? local.url,
    [variables.providerEndpoints]: JSON.stringify(local.endpoints),
    [variables.libraryFirst]: process.env[variables.libraryFirst] ?? switches[0],
    [variables.generator]: process.env[variables.generator] ?? '{"kind":"sandbox"}',
  });
  const { originLock: lock, contentCertificates, url } = local;
  if (contentCertificates !== undefined)
    Object.assign(process.env, {
      [variables.contentSecretId]: localNames.contentSecret,
      [variables.contentCertificates]: contentCertificates,
    });
  if (lock !== undefined)
    Object.assign(process.env, { [variables.originLock]: lock, [variables.rootUrl]: url });
  for (const [name, value] of Object.entries(modelVariables(local.fakeModelUrl)))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete process.env[name];
}

export interface LocalEdges {
  /** URLs of the embedded DynamoDB, and of the other AWS services. */
  readonly dynamodb: string;
  readonly aws: string;
  readonly tables: Readonly<Record<TableName, string>>;
  /** The emulated distribution before the API, where there is one. */
  readonly distributions: Distributions;
}

/** Variables of the functions that the commands read. */
const described = [
  variables.slotBindings,
  variables.providerEndpoints,
  variables.providerQuotas,
  variables.providerSecretId,
  variables.contact,
] as const;

/** The JSON behind `GET /_local`. @param environment of the functions */
export function describeService(
  edges: LocalEdges,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const stockProviders = Object.fromEntries(described.map((name) => [name, environment[name]]));
  return JSON.stringify({
    ...edges,
    imageStore: environment[variables.imageStore],
    plans: environment[variables.plans],
    generationsPerDay: environment[variables.generationsPerDay],
    stockProviders,
  });
}
