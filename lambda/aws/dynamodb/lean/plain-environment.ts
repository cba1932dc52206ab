/** Region, endpoint and credentials from an environment that says them in full, as Lambda's does; credentials are fetched where it does not. */

import { lazily } from '../../../base/lazily';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface DynamoDbPlace {
  readonly region: string;
  readonly endpoint: URL;
}

/** Regions of the `aws` partition: those of other partitions have endpoints of other names. */
const ordinaryRegion = /^(?:af|ap|ca|eu|il|me|mx|sa|us)-(?!gov|iso)[a-z]+-\d+$/;

/**
 * Where DynamoDB answers. `undefined` where only the SDK's own rules lead there: profiles, FIPS or dual-stack endpoints,
 * other partitions.
 */
export function dynamoDbPlaceIn(environment: Environment): DynamoDbPlace | undefined {
  const { AWS_REGION: region, AWS_PROFILE: profile } = environment;
  const isOn = (name: string) => environment[name]?.toLowerCase() === 'true';
  if (!region || profile || isOn('AWS_USE_FIPS_ENDPOINT') || isOn('AWS_USE_DUALSTACK_ENDPOINT'))
    return undefined;
  const configured = isOn('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS')
    ? undefined
    : environment['AWS_ENDPOINT_URL_DYNAMODB'] || environment['AWS_ENDPOINT_URL'];
  if (configured) return { region, endpoint: new URL(configured) };
  if (!ordinaryRegion.test(region)) return undefined;
  return { region, endpoint: new URL(`https://dynamodb.${region}.amazonaws.com`) };
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Fetches credentials. @throws when there are none */
export type CredentialSource = () => Promise<Credentials>;

/** The credentials that the environment itself holds; `undefined` where they have to be fetched. */
export function credentialsIn(environment: Environment): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const { AWS_SESSION_TOKEN: sessionToken, AWS_CREDENTIAL_EXPIRATION: expiration } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    ...(expiration ? { expiration: new Date(expiration) } : {}),
  };
}

/** Credentials are fetched again this long before they expire, as the SDK does. */
const refreshMs = 300_000;

/** Callers share one fetch; a fetch that failed is tried again by the next call. */
export function keepCredentials(source: CredentialSource, nowMs: () => number): CredentialSource {
  let load = lazily(source);
  return async () => {
    const current = load;
    const credentials = await current();
    const { expiration } = credentials;
    if (expiration === undefined || expiration.getTime() - nowMs() >= refreshMs) return credentials;
    if (load === current) load = lazily(source);
    return load();
  };
}

/** The environment's own credentials, or those that AWS's chain of providers finds, which is loaded only then. */
export function credentialsOf(environment: Environment): CredentialSource {
  const chain = lazily(async () => (await import('./credential-chain')).createCredentialChain());
  return async () => credentialsIn(environment) ?? (await chain())();
}
