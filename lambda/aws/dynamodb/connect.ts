/** Connects a process to DynamoDB: region, endpoint and credentials from its environment variables, as AWS's SDK reads them. */

import { lazily } from '../../base/lazily';
import { warmUpTimeoutMs } from '../../contract/timeouts';
import type { Database } from './call';
import { GetCommand } from './commands';
import { type Credentials, createTransport, type DynamoDbTransport } from './transport';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The transport for an environment such as Lambda's. Credentials that it does not hold come from AWS's chain of providers,
 * which is loaded with the first call that needs it.
 * @throws `Error` for an endpoint that has to be configured and is not
 */
export function connectDynamoDb(environment: Environment, nowMs: () => number): DynamoDbTransport {
  const credentials = keepCredentials(credentialsOf(environment), nowMs);
  return createTransport({ ...endpointIn(environment), credentials, nowMs });
}

/** Domains of DynamoDB by partition: AWS, GovCloud (US) and China. The isolated ones (`us-iso-…`) have others. */
const domains: readonly (readonly [RegExp, string])[] = [
  [/^cn-[a-z]+-\d+$/, 'amazonaws.com.cn'],
  [/^(?!cn-)[a-z]{2}-(?!iso)(?:gov-)?[a-z]+-\d+$/, 'amazonaws.com'],
];

/**
 * Where DynamoDB answers: at the configured endpoint, or the region's own.
 * @throws `Error` without a region, and for isolated regions, FIPS and dual stack without a configured endpoint
 */
export function endpointIn(environment: Environment): { readonly region: string; readonly endpoint: URL } {
  const { AWS_REGION: region } = environment;
  if (!region) throw new Error('Region is missing: set AWS_REGION');
  const isOn = (name: string) => environment[name]?.toLowerCase() === 'true';
  const configured = isOn('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS')
    ? undefined
    : environment['AWS_ENDPOINT_URL_DYNAMODB'] || environment['AWS_ENDPOINT_URL'];
  if (configured) return { region, endpoint: new URL(configured) };
  const domain = domains.find(([regions]) => regions.test(region))?.[1];
  if (!domain || isOn('AWS_USE_FIPS_ENDPOINT') || isOn('AWS_USE_DUALSTACK_ENDPOINT'))
    throw new Error(
      `The endpoint of DynamoDB in ${region} has to be configured: set AWS_ENDPOINT_URL_DYNAMODB (isolated regions, FIPS and dual stack need it)`,
    );
  return { region, endpoint: new URL(`https://dynamodb.${region}.${domain}`) };
}

type CredentialSource = () => Promise<Credentials>;

/**
 * The credentials that the environment itself holds; `undefined` where they have to be fetched, which a named profile asks
 * for as well.
 */
export function credentialsIn(environment: Environment): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const { AWS_SESSION_TOKEN: sessionToken, AWS_CREDENTIAL_EXPIRATION: expiration } = environment;
  if (!accessKeyId || !secretAccessKey || environment['AWS_PROFILE']) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    ...(expiration ? { expiration: new Date(expiration) } : {}),
  };
}

/** Credentials are fetched again this long before they expire, as the SDK does. */
const refreshMs = 300_000;

/** Callers share one fetch; a fetch that failed is repeated by the next call. */
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

function credentialsOf(environment: Environment): CredentialSource {
  const chain = lazily(async () => (await import('./credential-chain')).createCredentialChain());
  return async () => credentialsIn(environment) ?? (await chain())();
}

/**
 * Reads an item that does not exist, once for each connection that a request uses: the first calls of a process open the
 * connections, find the credentials and compile the transport's code, most of what a first request would otherwise take.
 * Never throws: what is wrong with the table, the first request finds out.
 */
export async function warmUp(client: Database, tableName: string, connections: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(warmUpTimeoutMs);
  const read = () =>
    client.send(new GetCommand({ TableName: tableName, Key: { pk: 'none' } }), { abortSignal });
  await Promise.allSettled(Array.from({ length: connections }, read));
}
