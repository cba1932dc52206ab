/** Makes the environment of the functions, here or in SAM's containers, and what commands read of it. */

import { type LocalDescription, localNames } from '../cli/local-services';
import { functionNames, nameFunctionId } from '../lambda/contract/functions';
import { planNames, planTexts, tiers } from '../lambda/contract/plans';
import type { SlotBindings } from '../lambda/contract/providers';
import type { AiLabel, ImageDelivery } from '../lambda/contract/settings';
import { type TableName, tableNames, tableVariables } from '../lambda/contract/tables';
import { cutCertificate } from '../lib/key-maker/certificates';
import { containerHost } from './http';
import type { LocalState } from './state';

/** The options of `image-redirect start`, by their names on the command line. */
export interface LocalOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Folder of tables and images; `undefined` to keep everything in memory. */
  readonly data: string | undefined;
  readonly json?: true;
  /** Whether the log is the JSON of the functions, metrics included, in place of a line a request. */
  readonly jsonLogs?: true;
  readonly fakeProviders?: true;
  readonly bind: SlotBindings;
  /** Whether photos of the bound providers are shown, and drawings where none is reached. */
  readonly photos?: true;
  readonly imageDelivery: ImageDelivery;
  readonly aiLabel: AiLabel;
  /** Whether AI images carry signed manifests. */
  readonly contentCredentials: 'self' | 'off';
  /** Folder of photographs that are added at the start. */
  readonly library?: string;
  /** Requests per hour without a key, `unlimitedRequests` for no limit of any kind. */
  readonly anonymousPerHour: number;
  /** Whether functions in SAM's containers reach the service, by an environment that is written to a file. */
  readonly forSam?: true;
}

/** The URLs of a started service for functions and commands, and its tables by the contract's names. */
export type LocalAddresses = Pick<LocalDescription, 'dynamodb' | 'aws'> & {
  readonly tables: Readonly<Record<TableName, string>>;
};

interface LocalEnvironment {
  readonly options: Omit<LocalOptions, 'port' | 'data'>;
  readonly addresses: LocalAddresses;
  readonly state: Pick<LocalState, 'contentCredentials'>;
  readonly endpoints: Readonly<Record<string, string>>;
  /** The access key id with which functions call tables and other services. */
  readonly token: string;
  readonly imageStoreUrl: string;
  /** A test key, which the documentation page offers. */
  readonly demoKey: string;
  /** URL of the service; providers get it as the contact. */
  readonly url: string;
}

/** Makes the environment of all functions; a variable that must be absent is `undefined`. */
export function createEnvironment({
  options,
  addresses: { dynamodb, aws, tables },
  state,
  url,
  ...local
}: LocalEnvironment): Readonly<Record<string, string | undefined>> {
  const isSigned = options.contentCredentials === 'self';
  return {
    ...Object.fromEntries(tableNames.map((table) => [tableVariables[table], tables[table]])),
    // The AWS credentials of this machine are not for these services.
    AWS_PROFILE: undefined,
    AWS_SESSION_TOKEN: undefined,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: local.token,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_LAMBDA: aws,
    AWS_ENDPOINT_URL_S3: aws,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
    TIER_KEYS: JSON.stringify(Object.fromEntries(tiers.map((tier) => [tier, tier]))),
    SLOT_BINDINGS: JSON.stringify(options.bind),
    IMAGE_DELIVERY: options.imageDelivery,
    AI_LABEL: options.aiLabel,
    ANONYMOUS_LIMIT: JSON.stringify({
      max: options.anonymousPerHour,
      hint: 'To change it: npm start -- --anonymous-per-hour N|off',
    }),
    FALLBACK_PROVIDER: options.photos && 'sandbox',
    ADDRESS_SECRET_ID: localNames.addressSecret,
    IMAGE_BASE_URL: `${url}/cdn`,
    DEMO_KEY: local.demoKey,
    PLANS: addPlanTexts(process.env['PLANS']),
    IMAGE_STORE: local.imageStoreUrl,
    RENDERER_FUNCTION: localNames.renderer,
    GENERATOR_FUNCTION: localNames.generator,
    SIGNING_SECRET_ID: localNames.signingSecret,
    SIGNING_KEY_PAIR_ID: localNames.keyPairId,
    SIGNER_SECRET_ID: localNames.signerSecret,
    PROVIDER_SECRET_ID: localNames.providerSecret,
    CONTACT: process.env['CONTACT'] ?? url,
    PROVIDER_ENDPOINTS: JSON.stringify(local.endpoints),
    GENERATOR: process.env['GENERATOR'] ?? '{"kind":"sandbox"}',
    CONTENT_SECRET_ID: isSigned ? localNames.contentSecret : undefined,
    CONTENT_CERTIFICATES: isSigned ? cutCertificate(state.contentCredentials) : undefined,
  };
}

/** Adds texts of the default plans to the setting `plans` where it has none. Broken JSON stays as it is. */
function addPlanTexts(changes = '{}'): string {
  try {
    const plans = JSON.parse(changes);
    const texts = planTexts();
    return JSON.stringify(
      Object.fromEntries(planNames.map((name) => [name, { texts: texts[name], ...plans?.[name] }])),
    );
  } catch {
    return changes;
  }
}

/** Sets the environment of this process. */
export function setEnvironment(values: ReturnType<typeof createEnvironment>): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** The bucket in containers. As its name has `_`, and host names have none, the SDK puts it into the path. */
const samBucket = 'local_images';

/** Writes the environment for SAM's containers, by logical id, as the file that `--env-vars` takes. */
export function writeSamEnvironment(values: ReturnType<typeof createEnvironment>): string {
  const variables = Object.entries(values).map(([name, value = '']) => [
    name,
    name.startsWith('AWS_ENDPOINT_URL_') ? value.replace('127.0.0.1', containerHost) : value,
  ]);
  const environment = { ...Object.fromEntries(variables), IMAGE_STORE: `s3://${samBucket}` };
  const functions = functionNames.map(nameFunctionId);
  return `${JSON.stringify(Object.fromEntries(functions.map((id) => [id, environment])), undefined, 2)}\n`;
}

/** Writes the JSON of `GET /_local`, which commands read, by the environment of the functions. */
export function describeService(
  addresses: LocalAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const names = ['SLOT_BINDINGS', 'PROVIDER_ENDPOINTS', 'PROVIDER_QUOTAS', 'PROVIDER_SECRET_ID', 'CONTACT'];
  return JSON.stringify({
    ...addresses,
    imageStoreUrl: environment['IMAGE_STORE'],
    plans: environment['PLANS'],
    generationsPerDay: environment['GENERATIONS_PER_DAY'],
    stockProviders: Object.fromEntries(names.map((name) => [name, environment[name]])),
  });
}
