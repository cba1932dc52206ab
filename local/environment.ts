/** The environment in which the functions run locally, and what operator commands learn of it. */

import { type Distributions, localNames } from '../cli/local-services';
import {
  type AiLabel,
  type ImageDelivery,
  switches,
  tableVariables,
  variables,
} from '../lambda/contract/environment';
import type { Tier } from '../lambda/contract/plans';
import type { SlotBindings } from '../lambda/contract/providers';
import type { TableName } from '../lambda/contract/tables';
import { certificateIn } from '../lib/deploy-time/signing-key/make-signing-key';
import type { ReachedProviders } from './providers';
import type { LocalState } from './state';

/** The options of `image-redirect start`, by their names on the command line. */
export interface LocalOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of data and images; `undefined` for a service that keeps everything in memory. */
  readonly data: string | undefined;
  /** Whether stdout gets one line of JSON instead of nothing, for scripts. */
  readonly json?: true;
  readonly fakeProviders?: true;
  readonly bind: SlotBindings;
  /** Whether photos of the bound providers are shown, and drawings where none is reached. */
  readonly photos?: true;
  readonly imageDelivery: ImageDelivery;
  readonly aiLabel: AiLabel;
  /** Whether an emulated CloudFront distribution stands before the API, and callers reach it alone. */
  readonly edge?: true;
  /** Whether AI images carry signed manifests. */
  readonly contentCredentials: 'self' | 'off';
  /** Folder of photographs of the operator's own, which are added at the start. */
  readonly library?: string;
  /** Requests per hour without a key, `unlimitedRequests` for no limit of any kind. */
  readonly anonymousPerHour: number;
}

/** Where the parts of a started service are, as functions and commands reach them. */
interface LocalAddresses {
  /** URLs of the embedded DynamoDB, and of Lambda, Secrets Manager, EventBridge and CloudFront. */
  readonly dynamodb: string;
  readonly aws: string;
  /** Names of the tables by their names in the contract. */
  readonly tables: Readonly<Record<TableName, string>>;
  /** The emulated distribution before the API, where there is one. */
  readonly distributions: Distributions;
}

/** What the variables of the functions follow from. */
interface LocalEnvironment {
  readonly options: LocalOptions;
  readonly addresses: LocalAddresses;
  readonly state: LocalState;
  readonly reached: ReachedProviders;
  /** The access key id that the embedded services ask for. */
  readonly token: string;
  readonly imageBaseUrl: string;
  /** Path of the client package below it. */
  readonly clientPackage: string;
  /** Folder of the example pictures below it. */
  readonly examples: string;
  /** `file:///…` */
  readonly imageStore: string;
  readonly tierKeys: Readonly<Record<Tier, string>>;
  /** A test key, which the documentation page offers. */
  readonly demoKey: string;
  /** URL of the service itself, which is whom providers can turn to. */
  readonly url: string;
  /** What the edge proves itself by; absent where callers reach the API itself. */
  readonly originLock?: string | undefined;
}

/** Sets the variables of all functions at once; they share no name with different values. */
export function setEnvironment({
  options,
  addresses: { dynamodb, aws, tables },
  state,
  reached,
  token,
  url,
  originLock,
  ...local
}: LocalEnvironment): void {
  const names = Object.entries(tables).map(([table, name]) => [tableVariables[table as TableName], name]);
  const values: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(names),
    // Whatever credentials this machine has are not for the embedded engine.
    AWS_PROFILE: undefined,
    AWS_SESSION_TOKEN: undefined,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: token,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_LAMBDA: aws,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
    AWS_ENDPOINT_URL_EVENTBRIDGE: aws,
    [variables.tierKeys]: JSON.stringify(local.tierKeys),
    [variables.slotBindings]: JSON.stringify(options.bind),
    [variables.imageDelivery]: options.imageDelivery,
    [variables.aiLabel]: options.aiLabel,
    [variables.anonymousLimit]: JSON.stringify({
      limit: options.anonymousPerHour,
      hint: 'To change it: npm start -- --anonymous-per-hour N|off',
    }),
    [variables.drawWithoutProviders]: options.photos ? switches[0] : undefined,
    [variables.ipHashSecret]: state.ipHashSecret,
    [variables.imageBaseUrl]: local.imageBaseUrl,
    [variables.clientPackageUrl]: `${local.imageBaseUrl}/${local.clientPackage}`,
    [variables.examplesUrl]: `${local.imageBaseUrl}/${local.examples}`,
    [variables.demoKey]: local.demoKey,
    [variables.imageStore]: local.imageStore,
    [variables.rendererFunction]: localNames.renderer,
    [variables.generatorFunction]: localNames.generator,
    [variables.signingSecretId]: localNames.signingSecret,
    [variables.signingKeyPairId]: localNames.keyPairId,
    [variables.signerSecretId]: localNames.signerSecret,
    [variables.providerSecretId]: localNames.providerSecret,
    [variables.contact]: process.env[variables.contact] ?? url,
    [variables.providerEndpoints]: JSON.stringify(reached.endpoints),
    [variables.generator]: process.env[variables.generator] ?? '{"kind":"sandbox"}',
    ...(options.contentCredentials === 'self' && {
      [variables.contentSecretId]: localNames.contentSecret,
      [variables.contentCertificates]: certificateIn(state.contentCredentials),
    }),
    ...(originLock !== undefined && { [variables.originLock]: originLock, [variables.rootUrl]: url }),
  };
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** Variables of the functions that the commands read. */
const described = [
  variables.slotBindings,
  variables.providerEndpoints,
  variables.providerQuotas,
  variables.providerSecretId,
  variables.contact,
  variables.imageDelivery,
] as const;

/** The JSON behind `GET /_local`. @param environment of the functions */
export function describeService(
  addresses: LocalAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const stockProviders = Object.fromEntries(described.map((name) => [name, environment[name]]));
  return JSON.stringify({
    ...addresses,
    imageStore: environment[variables.imageStore],
    plans: environment[variables.plans],
    generationsPerDay: environment[variables.generationsPerDay],
    stockProviders,
  });
}
