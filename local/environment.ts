/** The environment in which the functions run, in this process or in SAM's containers, and what operator commands learn of it. */

import { containerHost, localNames } from '../cli/local-services';
import { type AiLabel, type ImageDelivery, tableVariables } from '../lambda/contract/environment';
import { functionIdOf, functionNames } from '../lambda/contract/functions';
import { planNames, planTexts, tiers } from '../lambda/contract/plans';
import type { SlotBindings } from '../lambda/contract/providers';
import type { TableName } from '../lambda/contract/tables';
import { certificateIn } from '../lib/key-maker/certificates';
import type { LocalState } from './state';

/** The options of `image-redirect start`, by their names on the command line. */
export interface LocalOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of data and images; `undefined` for a service that keeps everything in memory. */
  readonly data: string | undefined;
  /** Whether stdout gets one line of JSON when the service is ready, for scripts. */
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
  /** Folder of photographs of the operator's own, which are added at the start. */
  readonly library?: string;
  /** Requests per hour without a key, `unlimitedRequests` for no limit of any kind. */
  readonly anonymousPerHour: number;
  /** Whether functions in SAM's containers reach the tables and the rest, and their environment is written to a file. */
  readonly forSam?: true;
}

/** Where the parts of a started service are, as functions and commands reach them. */
export interface LocalAddresses {
  /** URLs of the tables, and of Lambda, Secrets Manager and S3. */
  readonly dynamodb: string;
  readonly aws: string;
  /** Names of the tables by their names in the contract. */
  readonly tables: Readonly<Record<TableName, string>>;
}

/** What the variables of the functions follow from. */
interface LocalEnvironment {
  readonly options: Omit<LocalOptions, 'port' | 'data'>;
  readonly addresses: LocalAddresses;
  readonly state: Pick<LocalState, 'contentCredentials'>;
  /** URLs that replace the providers' own. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** The access key id that tables and the rest ask for. */
  readonly token: string;
  /** `file:///…` */
  readonly imageStore: string;
  /** A test key, which the documentation page offers. */
  readonly demoKey: string;
  /** URL of the service itself, which is whom providers can turn to. */
  readonly url: string;
}

/** The variables of all functions by name, which share none with different values; `undefined` for one that must be absent. */
export function environmentOf({
  options,
  addresses: { dynamodb, aws, tables },
  state,
  url,
  ...local
}: LocalEnvironment): Readonly<Record<string, string | undefined>> {
  const names = Object.entries(tables).map(([table, name]) => [tableVariables[table as TableName], name]);
  const isSigned = options.contentCredentials === 'self';
  return {
    ...Object.fromEntries(names),
    // Whatever credentials this machine has are not for these services.
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
    DRAW_WITHOUT_PROVIDERS: options.photos && 'on',
    ADDRESS_SECRET_ID: localNames.addressSecret,
    IMAGE_BASE_URL: `${url}/cdn`,
    DEMO_KEY: local.demoKey,
    PLANS: plansWithTexts(process.env['PLANS']),
    IMAGE_STORE: local.imageStore,
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
    CONTENT_CERTIFICATES: isSigned ? certificateIn(state.contentCredentials) : undefined,
  };
}

/** The operator's changes of plans, with the texts of the specification where they say none; JSON that is none stays as it is. */
function plansWithTexts(changes = '{}'): string {
  try {
    const given = JSON.parse(changes);
    const texts = planTexts();
    return JSON.stringify(
      Object.fromEntries(planNames.map((name) => [name, { texts: texts[name], ...given?.[name] }])),
    );
  } catch {
    return changes;
  }
}

/** Sets them for this process. */
export function setEnvironment(values: ReturnType<typeof environmentOf>): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** A bucket whose name stands in no host name, so that it is requested in the path. */
const samBucket = 'local_images';

/**
 * The environment of functions in SAM's containers, by logical id, as `--env-vars` takes it: the same services, under the
 * name by which a container reaches this machine.
 */
export function samEnvironment(values: ReturnType<typeof environmentOf>): string {
  const reached = Object.entries(values).map(([name, value = '']) => [
    name,
    name.startsWith('AWS_ENDPOINT_URL_') ? value.replace('127.0.0.1', containerHost) : value,
  ]);
  const environment = { ...Object.fromEntries(reached), IMAGE_STORE: `s3://${samBucket}` };
  const functions = functionNames.map(functionIdOf);
  return `${JSON.stringify(Object.fromEntries(functions.map((id) => [id, environment])), undefined, 2)}\n`;
}

/** The JSON behind `GET /_local`, which commands read. @param environment of the functions */
export function describeService(
  addresses: LocalAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const described = [
    'SLOT_BINDINGS',
    'PROVIDER_ENDPOINTS',
    'PROVIDER_QUOTAS',
    'PROVIDER_SECRET_ID',
    'CONTACT',
  ];
  return JSON.stringify({
    ...addresses,
    imageStore: environment['IMAGE_STORE'],
    plans: environment['PLANS'],
    generationsPerDay: environment['GENERATIONS_PER_DAY'],
    stockProviders: Object.fromEntries(described.map((name) => [name, environment[name]])),
  });
}
