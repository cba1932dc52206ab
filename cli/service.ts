/** Which service a command works on, a local one that runs or a deployed stack: its options, tables and secrets. */

import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { Database } from '../lambda/aws/dynamodb';
import { outputs } from '../lambda/contract/outputs';
import type { TableName } from '../lambda/contract/tables';
import { operatorAwsTimeoutsMs } from '../lambda/contract/timeouts';
import type { ImageLibrary } from '../lambda/images/image-library';
import { type AwsPlace, explained } from './explain';
import { failed, notFound, unreachable, wrongUsage } from './failure';
import { describeLocal, localNames } from './local-services';

/** The options that name a service, as they are parsed. */
export interface ServiceOptions {
  readonly local?: string;
  readonly stack?: string;
  readonly region?: string;
  readonly profile?: string;
}

/** An opened service: its tables, secrets, image library and settings. What needs AWS throws what the SDK throws. */
export interface Service {
  /** Its URL or its stack, for people. */
  readonly name: string;
  readonly database: Database;
  /** Where errors of AWS happen. */
  readonly place: AwsPlace;
  /** Names of some of its tables. @throws `Failure` where it does not tell one of them */
  tables<Name extends TableName>(...names: readonly Name[]): Readonly<Record<Name, string>>;
  /** Its image library. @throws `Failure` where it is not told */
  openLibrary(): ImageLibrary;
  /** URL of the service, where it is told. */
  readonly url: string | undefined;
  /** The operator's changes to the plans, as JSON. */
  readonly plans: string | undefined;
  /** Images that may be generated per day for all accounts; no number for no ceiling. */
  readonly generationsPerDay: string | undefined;
  /** How stock providers are configured, by the names of the variables. */
  readonly stockProviders: Readonly<Record<string, unknown>> | undefined;
  /** Id of the secret from which signers' secrets are derived; absent before a deployment that supports them. */
  readonly signerSecretId: string | undefined;
  /** The text of a secret, empty where it holds none. */
  readSecret(secretId: string): Promise<string>;
  /** Who works on it: the ARN of the AWS principal, or the user of this machine. */
  readPrincipal(): Promise<string>;
  /** Has the distributions forget the images below some folders, and answers that lead there. */
  invalidate(imageFolders: readonly string[]): Promise<void>;
  /** How an operator replaces a provider's key, in words. @param secretId of the secret with the keys */
  howToSetKey(provider: string, secretId: string | undefined): string;
  /** The failure of a service that does not tell `what` a command needs. */
  lacks(what: string): Error;
}

/** The service that the options name; its database client is the caller's to close. @throws `Failure` */
export async function openService({ stack, local, region, profile }: ServiceOptions): Promise<Service> {
  if (stack !== undefined) return openStack(stack, region, profile);
  if ((region ?? profile) !== undefined) throw wrongUsage('--region and --profile go with --stack NAME.');
  return openLocal(local);
}

/** How clients of the service's account are made. */
interface AwsAccess {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { url, token, dynamodb, tables, aws, imageStore, ...told } = await describeLocal(serviceUrl);
  const credentials = { accessKeyId: token ?? 'local', secretAccessKey: 'local' };
  const access = { region: 'local', credentials } satisfies AwsAccess;
  const { createImageLibrary } = await import('../lambda/images/s3/open-library');
  const lacks = (what: string) => unreachable(`${url} answers, but it names no ${what}.`);
  return {
    name: url,
    database: await connect({ ...access, endpoint: dynamodb }),
    place: {},
    tables: tellTables(tables, lacks),
    openLibrary: () => createImageLibrary(imageStore),
    url,
    plans: told.plans,
    generationsPerDay: told.generationsPerDay,
    stockProviders: told.stockProviders,
    signerSecretId: localNames.signerSecret,
    readSecret: (secretId) => readSecret(secretId, { ...access, endpoint: aws }),
    // Nothing stands before the folder of images.
    invalidate: async () => undefined,
    readPrincipal: async () => `local user ${userInfo().username}`,
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
    lacks,
  };
}

/** Region and credentials as the AWS CLI finds them. */
async function openStack(stack: string, region?: string, profile?: string): Promise<Service> {
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  // The CLI reads a second variable, which the SDK does not know.
  const named = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  const access: AwsAccess = named === undefined ? {} : { region: named };
  const place: AwsPlace = { ...access, ...(profile === undefined ? {} : { profile }) };
  const { values, region: used } = await explained(place, () => readOutputs(stack, access));
  // All clients work in the same region.
  process.env['AWS_REGION'] = used;
  const { createImageLibrary } = await import('../lambda/images/s3/open-library');
  const lacks = (what: string) => failed(`Stack ${stack} is no image redirect service: it names no ${what}.`);
  const tables = {
    apiKeys: values[outputs.apiKeysTable],
    quotaCounters: values[outputs.quotaCountersTable],
    images: values[outputs.imagesTable],
    generationIndex: values[outputs.generationIndexTable],
  };
  return {
    name: `stack ${stack}`,
    database: await connect({ region: used }),
    place: { ...place, tables: Object.values(tables).filter((name) => name !== undefined) },
    tables: tellTables(tables, lacks),
    openLibrary() {
      const bucket = values[outputs.imageBucket];
      if (bucket === undefined) throw lacks('image library');
      return createImageLibrary(`s3://${bucket}`);
    },
    url: values[outputs.apiUrl],
    plans: values[outputs.plans],
    generationsPerDay: values[outputs.generationsPerDay],
    stockProviders: values[outputs.stockProviders] && JSON.parse(values[outputs.stockProviders] ?? ''),
    signerSecretId: values[outputs.signerSecret],
    readSecret: (secretId) => readSecret(secretId, access),
    invalidate: (folders) =>
      invalidate(
        // What the edge has kept is redirects, whose URLs do not say which image they lead to.
        [
          [values[outputs.imageDistribution], folders.map((folder) => `/${folder}*`)],
          [values[outputs.edgeDistribution], ['/*']],
        ],
        access,
      ),
    readPrincipal: () => readPrincipal(access),
    howToSetKey: (provider, secretId = '(none yet: deploy again)') =>
      `Put it as "${provider}" into the JSON of the secret ${secretId}.`,
    lacks,
  };
}

function tellTables(
  told: Readonly<Partial<Record<string, string>>>,
  lacks: Service['lacks'],
): Service['tables'] {
  return (...names) => {
    if (names.some((name) => !told[name])) throw lacks('tables');
    return Object.fromEntries(names.map((name) => [name, told[name]])) as Record<
      (typeof names)[number],
      string
    >;
  };
}

// The SDK is loaded by what needs it only, so that help and refusals are quick.

async function connect(access: AwsAccess): Promise<Database> {
  return (await import('../lambda/aws/dynamodb')).connectDynamoDb(access);
}

/** Works with a client, and closes its connections. */
async function using<C extends { destroy(): void }, T>(client: C, work: (client: C) => Promise<T>) {
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

async function readSecret(SecretId: string, access: AwsAccess): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  return using(new SecretsManagerClient({ ...access, maxAttempts: 2, requestHandler }), async (client) => {
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
  });
}

async function invalidate(
  wanted: readonly (readonly [distribution: string | undefined, paths: string[]])[],
  access: AwsAccess,
): Promise<void> {
  const { CloudFrontClient, CreateInvalidationCommand } = await import('@aws-sdk/client-cloudfront');
  await using(new CloudFrontClient({ ...access, maxAttempts: 3, requestHandler }), async (client) => {
    for (const [DistributionId, Items] of wanted) {
      const Paths = { Quantity: Items.length, Items };
      const InvalidationBatch = { CallerReference: randomUUID(), Paths };
      if (DistributionId !== undefined && Items.length > 0)
        await client.send(new CreateInvalidationCommand({ DistributionId, InvalidationBatch }));
    }
  });
}

async function readPrincipal(access: AwsAccess): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  return using(new STSClient({ ...access, maxAttempts: 2, requestHandler }), async (client) => {
    return (await client.send(new GetCallerIdentityCommand())).Arn ?? 'unknown';
  });
}

/** The outputs of a stack by name, and where it is: from the options, the environment or the profile. */
async function readOutputs(stack: string, access: AwsAccess) {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...access, maxAttempts: 3, requestHandler });
  const region = await client.config.region();
  const described = await describeStack(client, stack);
  if (described) return { values: described.outputs, region };
  throw notFound(`There is no stack ${stack} in ${region}. Is it another region (--region) or account?`);
}

/** A stack as CloudFormation describes it. */
export interface StackFacts {
  readonly status: string;
  /** Values by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Reads a stack; `undefined` where there is none of the name. @throws what the SDK throws */
export async function describeStack(
  client: CloudFormationClient,
  StackName: string,
): Promise<StackFacts | undefined> {
  const { DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const answer = await client.send(new DescribeStacksCommand({ StackName })).catch((error: Error) => {
    // CloudFormation has no name of its own for a missing stack.
    if (/ does not exist$/.test(error.message)) return undefined;
    throw error;
  });
  const stack = answer?.Stacks?.[0];
  if (!stack) return undefined;
  const outputs = stack.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]) ?? [];
  return { status: stack.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
}

/** The deadlines of the operator's AWS clients, as the SDK takes them. */
export const requestHandler = {
  requestTimeout: operatorAwsTimeoutsMs.request,
  connectionTimeout: operatorAwsTimeoutsMs.connection,
  throwOnRequestTimeout: true,
} as const;
