/** Which service a command works on, a local one that runs or a deployed stack: its tables, images, secrets and settings. */

import { userInfo } from 'node:os';
import { outputs } from '../lambda/contract/outputs';
import type { ImageLibrary } from '../lambda/images/image-library';
import { type AwsAccess, describeStack, invalidate, readCaller, readSecret, useAws } from './aws';
import { type AwsPlace, explain, failed, notFound, wrongUsage } from './failure';
import { describeLocal, localNames, type ServiceFacts } from './local-services';

/** The options that name a service, as they are parsed. */
export interface ServiceOptions extends AwsPlace {
  readonly local?: string;
  readonly stack?: string;
}

/** An opened service, as the functions' own stores and searches take it. What needs AWS throws what the SDK throws. */
export type Service = Awaited<ReturnType<typeof openStack>>;

/** The service that the options name; its database client is the caller's to close. @throws `Failure` */
export async function openService({ stack, local, region, profile }: ServiceOptions): Promise<Service> {
  if (stack !== undefined) return openStack(stack, useAws({ region, profile } as AwsPlace));
  if ((region ?? profile) !== undefined) throw wrongUsage('--region and --profile go with --stack NAME.');
  return openLocal(local);
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { token, dynamodb, aws, imageStore, ...told } = await describeLocal(serviceUrl);
  const credentials = { accessKeyId: token ?? 'local', secretAccessKey: 'local' };
  const access = { region: 'local', credentials } satisfies AwsAccess;
  return {
    ...told,
    ...(await connect({ ...access, endpoint: dynamodb })),
    name: told.url,
    place: {},
    openLibrary: () => openLibrary(imageStore),
    signerSecretId: localNames.signerSecret,
    readSecret: (secretId) => readSecret(secretId, { ...access, endpoint: aws }),
    // Nothing stands before the folder of images.
    invalidate: async () => undefined,
    readPrincipal: async () => `local user ${userInfo().username}`,
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}

async function openStack(stack: string, place: AwsPlace) {
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
  const bucket = told('imageBucket');
  const names = ['apiKeys', 'quotaCounters', 'images', 'generationIndex'] as const;
  const tables = Object.fromEntries(names.map((name) => [name, told(`${name}Table`)]));
  const facts: ServiceFacts = {
    url: told('apiUrl'),
    tables: tables as ServiceFacts['tables'],
    plans: told('plans'),
    generationsPerDay: told('generationsPerDay'),
    stockProviders: JSON.parse(told('stockProviders')),
  };
  return {
    ...facts,
    ...(await connect()),
    /** Its URL or its stack, for people. */
    name: `stack ${stack}`,
    /** Where errors of AWS happen. */
    place,
    openLibrary: () => openLibrary(`s3://${bucket}`),
    /** Id of the secret from which signers' secrets are derived. */
    signerSecretId: told('signerSecret'),
    /** The text of a secret, empty where it holds none. */
    readSecret: (secretId: string) => readSecret(secretId),
    /** Has the distributions forget the images below some folders, and answers that lead there. */
    async invalidate(folders: readonly string[]) {
      const paths = folders.map((folder) => `/${folder}*`);
      if (paths.length > 0) await invalidate(told('imageDistribution'), paths);
      // What the edge has kept is redirects, whose URLs do not say which image they lead to.
      const edge = described.outputs[outputs.edgeDistribution];
      if (edge) await invalidate(edge, ['/*']);
    },
    /** Who works on it: the ARN of the AWS principal, or the user of this machine. */
    readPrincipal: async () => (await readCaller()).arn,
    /** How an operator replaces a provider's key, in words. @param secretId of the secret with the keys */
    howToSetKey: (provider: string, secretId = '(none yet: deploy again)') =>
      `Put it as "${provider}" into the JSON of the secret ${secretId}.`,
  };
}

// The SDK is loaded by what needs it only, so that help and refusals are quick.

async function connect(access?: AwsAccess) {
  const { connectDynamoDb, untimed } = await import('../lambda/aws/dynamodb');
  const { systemIds: ids } = await import('../lambda/base/system');
  return { ...untimed(connectDynamoDb(access)), ids };
}

async function openLibrary(storeUrl: string): Promise<ImageLibrary> {
  return (await import('../lambda/images/s3/open-library')).createImageLibrary(storeUrl);
}
