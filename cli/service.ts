/** Which service a command works on, a local one that runs or a deployed stack: its tables, images, secrets and settings. */

import { userInfo } from 'node:os';
import type { Database } from '../lambda/aws/dynamodb';
import { outputs } from '../lambda/contract/outputs';
import type { ImageLibrary } from '../lambda/images/image-library';
import { type AwsAccess, describeStack, invalidate, readCaller, readSecret, useAws } from './aws';
import { type AwsPlace, explain, failed, notFound, wrongUsage } from './failure';
import { describeLocal, type LocalDescription, localNames } from './local-services';

/** The options that name a service, as they are parsed. */
export interface ServiceOptions extends AwsPlace {
  readonly local?: string;
  readonly stack?: string;
}

/** An opened service. What needs AWS throws what the SDK throws. */
export interface Service {
  /** Its URL or its stack, for people. */
  readonly name: string;
  readonly url: string;
  readonly database: Database;
  /** Where errors of AWS happen. */
  readonly place: AwsPlace;
  readonly tables: LocalDescription['tables'];
  openLibrary(): Promise<ImageLibrary>;
  /** The operator's changes to the plans, as JSON. */
  readonly plans: string | undefined;
  /** Images that may be generated per day for all accounts; no number for no ceiling. */
  readonly generationsPerDay: string | undefined;
  /** How stock providers are configured, by the names of the variables. */
  readonly stockProviders: Readonly<Record<string, unknown>>;
  /** Id of the secret from which signers' secrets are derived. */
  readonly signerSecretId: string;
  /** The text of a secret, empty where it holds none. */
  readSecret(secretId: string): Promise<string>;
  /** Who works on it: the ARN of the AWS principal, or the user of this machine. */
  readPrincipal(): Promise<string>;
  /** Has the distributions forget the images below some folders, and answers that lead there. */
  invalidate(imageFolders: readonly string[]): Promise<void>;
  /** How an operator replaces a provider's key, in words. @param secretId of the secret with the keys */
  howToSetKey(provider: string, secretId: string | undefined): string;
}

/** The service that the options name; its database client is the caller's to close. @throws `Failure` */
export async function openService({ stack, local, region, profile }: ServiceOptions): Promise<Service> {
  if (stack !== undefined) return openStack(stack, useAws({ region, profile } as AwsPlace));
  if ((region ?? profile) !== undefined) throw wrongUsage('--region and --profile go with --stack NAME.');
  return openLocal(local);
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { url, token, dynamodb, tables, aws, imageStore, ...told } = await describeLocal(serviceUrl);
  const credentials = { accessKeyId: token ?? 'local', secretAccessKey: 'local' };
  const access = { region: 'local', credentials } satisfies AwsAccess;
  return {
    ...told,
    name: url,
    url,
    database: await connect({ ...access, endpoint: dynamodb }),
    place: {},
    tables,
    openLibrary: () => openLibrary(imageStore),
    signerSecretId: localNames.signerSecret,
    readSecret: (secretId) => readSecret(secretId, { ...access, endpoint: aws }),
    // Nothing stands before the folder of images.
    invalidate: async () => undefined,
    readPrincipal: async () => `local user ${userInfo().username}`,
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}

async function openStack(stack: string, place: AwsPlace): Promise<Service> {
  const described = await describeStack(stack).catch((error: unknown) => {
    throw explain(error, place);
  });
  const where = place.region === undefined ? '' : ` in ${place.region}`;
  if (!described)
    throw notFound(`There is no stack ${stack}${where}. Is it another region (--region) or account?`);
  const told = (name: keyof typeof outputs): string => {
    const value = described.outputs[outputs[name]];
    if (value) return value;
    throw failed(`Stack ${stack} is no image redirect service: it has no output ${outputs[name]}.`);
  };
  const distributions = [outputs.imageDistribution, outputs.edgeDistribution] as const;
  const [images, edge] = distributions.map((name) => described.outputs[name]);
  const bucket = told('imageBucket');
  return {
    name: `stack ${stack}`,
    url: told('apiUrl'),
    place,
    tables: {
      apiKeys: told('apiKeysTable'),
      quotaCounters: told('quotaCountersTable'),
      images: told('imagesTable'),
      generationIndex: told('generationIndexTable'),
    },
    plans: told('plans'),
    generationsPerDay: told('generationsPerDay'),
    stockProviders: JSON.parse(told('stockProviders')),
    signerSecretId: told('signerSecret'),
    database: await connect(),
    openLibrary: () => openLibrary(`s3://${bucket}`),
    readSecret,
    async invalidate(folders) {
      if (images && folders.length > 0)
        await invalidate(
          images,
          folders.map((folder) => `/${folder}*`),
        );
      // What the edge has kept is redirects, whose URLs do not say which image they lead to.
      if (edge) await invalidate(edge, ['/*']);
    },
    readPrincipal: async () => (await readCaller()).arn,
    howToSetKey: (provider, secretId = '(none yet: deploy again)') =>
      `Put it as "${provider}" into the JSON of the secret ${secretId}.`,
  };
}

// The SDK is loaded by what needs it only, so that help and refusals are quick.

async function connect(access?: AwsAccess): Promise<Database> {
  return (await import('../lambda/aws/dynamodb')).connectDynamoDb(access);
}

async function openLibrary(storeUrl: string): Promise<ImageLibrary> {
  return (await import('../lambda/images/s3/open-library')).createImageLibrary(storeUrl);
}
