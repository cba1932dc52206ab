/** Creates the environment of the functions, here or in SAM's containers, and the part that commands read. */

import type { LocalDescription } from '../cli/local-services';
import { parseJson } from '../lambda/base/parse';
import { functionNames, nameFunctionId } from '../lambda/contract/functions';
import { makePlanTexts, type PlanName, planNames, tiers } from '../lambda/contract/plans';
import type { SlotBindings } from '../lambda/contract/providers';
import type { AiLabel, ImageDelivery } from '../lambda/contract/settings';
import { type TableName, tableNames, tableVariables } from '../lambda/contract/tables';
import { cutCertificate } from '../lib/key-maker/certificates';
import { containerHost } from './http';
import type { LocalState } from './state';

/** The ids of functions, secrets and keys in a local service. */
export const localIds = {
  renderer: 'renderer',
  generator: 'generator',
  signingSecret: 'signing-key',
  addressSecret: 'local-addresses',
  signerSecret: 'signer-master',
  contentSecret: 'content-credentials',
  providerSecret: 'provider-keys',
  keyPairId: 'LOCALKEYPAIR',
} as const;

/** The options of `image-redirect start`, by their names on the command line. */
export interface LocalOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Folder of tables and images; `undefined` to keep everything in memory. */
  readonly data: string | undefined;
  readonly json?: true;
  /** True for a log in the JSON of the functions, with metrics. By default it has a line a request. */
  readonly jsonLogs?: true;
  readonly fakeProviders?: true;
  readonly bind: SlotBindings;
  /** True for photos of the bound providers. When none is reached, the service shows drawings. */
  readonly photos?: true;
  readonly imageDelivery: ImageDelivery;
  readonly aiLabel: AiLabel;
  /** `self`: AI images have signed manifests. */
  readonly contentCredentials: 'self' | 'off';
  /** Folder of photographs that are added at the start. */
  readonly library?: string;
  /** Requests per hour without a key; `unlimitedRequests` for no limit. */
  readonly anonymousPerHour: number;
  /** True if functions in SAM's containers may call the service. Their environment is written to a file. */
  readonly forSam?: true;
}

/** URLs of a started service for functions and commands, and the names of its tables. */
export type LocalAddresses = Pick<LocalDescription, 'dynamodb' | 'aws'> & {
  readonly tables: Readonly<Record<TableName, string>>;
};

interface LocalEnvironment {
  readonly options: Omit<LocalOptions, 'port' | 'data'>;
  readonly addresses: LocalAddresses;
  readonly state: Pick<LocalState, 'contentCredentials'>;
  readonly endpoints: Readonly<Record<string, string>>;
  /** The access key id of functions that call tables and other services. */
  readonly token: string;
  readonly imageStoreUrl: string;
  readonly demoKey: string;
  readonly url: string;
}

/** Creates the environment of all functions. A variable that must be absent is `undefined`. */
export function makeEnvironment({
  options,
  addresses: { dynamodb, aws, tables },
  state,
  url,
  ...local
}: LocalEnvironment): Readonly<Record<string, string | undefined>> {
  const isSigned = options.contentCredentials === 'self';
  return {
    ...Object.fromEntries(tableNames.map((table) => [tableVariables[table], tables[table]])),
    // The functions must not use the AWS credentials of this machine.
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
    ADDRESS_SECRET_ID: localIds.addressSecret,
    IMAGE_BASE_URL: `${url}/cdn`,
    DEMO_KEY: local.demoKey,
    PLANS: addPlanTexts(process.env['PLANS']),
    IMAGE_STORE: local.imageStoreUrl,
    RENDERER_FUNCTION: localIds.renderer,
    GENERATOR_FUNCTION: localIds.generator,
    SIGNING_SECRET_ID: localIds.signingSecret,
    SIGNING_KEY_PAIR_ID: localIds.keyPairId,
    SIGNER_SECRET_ID: localIds.signerSecret,
    PROVIDER_SECRET_ID: localIds.providerSecret,
    CONTACT: process.env['CONTACT'] ?? url,
    PROVIDER_ENDPOINTS: JSON.stringify(local.endpoints),
    GENERATOR: process.env['GENERATOR'] ?? '{"kind":"sandbox"}',
    CONTENT_SECRET_ID: isSigned ? localIds.contentSecret : undefined,
    CONTENT_CERTIFICATES: isSigned ? cutCertificate(state.contentCredentials) : undefined,
  };
}

/** Adds default texts to plans without texts. Broken JSON is returned unchanged, and the functions refuse it. */
function addPlanTexts(changes = '{}'): string {
  const plans = parseJson(changes) as Readonly<Partial<Record<PlanName, object>>> | undefined;
  if (!plans) return changes;
  const texts = makePlanTexts();
  return JSON.stringify(
    Object.fromEntries(planNames.map((name) => [name, { texts: texts[name], ...plans[name] }])),
  );
}

/** Sets the environment of this process. */
export function setEnvironment(variables: ReturnType<typeof makeEnvironment>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** Writes the environment for SAM's containers, by logical id, in the form of `--env-vars`. */
export function writeSamEnvironment(variables: ReturnType<typeof makeEnvironment>): string {
  const entries = Object.entries(variables).map(([name, value = '']) => [
    name,
    name.startsWith('AWS_ENDPOINT_URL_') ? value.replace('127.0.0.1', containerHost) : value,
  ]);
  // The `_` is not allowed in host names, so the SDK puts the bucket into the path.
  const environment = { ...Object.fromEntries(entries), IMAGE_STORE: 's3://local_images' };
  const functions = functionNames.map(nameFunctionId);
  return `${JSON.stringify(Object.fromEntries(functions.map((id) => [id, environment])), undefined, 2)}\n`;
}

/** Writes the description of the service, which commands read at `GET /_local`, from the functions' environment. */
export function writeDescription(
  addresses: LocalAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const names = ['SLOT_BINDINGS', 'PROVIDER_ENDPOINTS', 'PROVIDER_QUOTAS', 'PROVIDER_SECRET_ID', 'CONTACT'];
  return JSON.stringify({
    ...addresses,
    imageStoreUrl: environment['IMAGE_STORE'],
    signerSecretId: environment['SIGNER_SECRET_ID'],
    plans: environment['PLANS'],
    generationsPerDay: environment['GENERATIONS_PER_DAY'],
    stockProviders: Object.fromEntries(names.map((name) => [name, environment[name]])),
  });
}
