/** Opens the service that a command works on: a local one that runs, or a deployed stack. */

import { userInfo } from 'node:os';
import { outputs } from '../lambda/contract/outputs';
import { type AwsAccess, describeStack, invalidatePaths, readCaller, readSecret, useAws } from './aws';
import { type AwsPlace, failed, notFound, toFailure, wrongUsage } from './failure';
import { describeLocal, localNames, type ServiceFacts } from './local-services';

/** The parsed options that name a service. */
export interface ServiceOptions extends AwsPlace {
  readonly local?: string;
  readonly stack?: string;
}

/** An opened service, in the form of the functions' `Services`. Its functions throw what the SDK throws. */
export type Service = Awaited<ReturnType<typeof openStack>>;

/** Opens the service that the options name. The caller closes its database client. @throws `Failure` */
export async function openService({ stack, local, region, profile }: ServiceOptions): Promise<Service> {
  if (stack !== undefined) return openStack(stack, useAws({ region, profile } as AwsPlace));
  if ((region ?? profile) !== undefined) throw wrongUsage('--region and --profile go with --stack NAME.');
  return openLocal(local);
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { token, dynamodb, aws, imageStore, ...facts } = await describeLocal(serviceUrl);
  const credentials = { accessKeyId: token ?? 'local', secretAccessKey: 'local' };
  const access = { region: 'local', credentials } satisfies AwsAccess;
  return {
    ...facts,
    ...(await connect(imageStore, { ...access, endpoint: dynamodb })),
    name: facts.url,
    place: {},
    signerSecretId: localNames.signerSecret,
    readSecret: (secretId) => readSecret(secretId, { ...access, endpoint: aws }),
    // No cache stands before the folder of images.
    invalidate: async () => undefined,
    readPrincipal: async () => `local user ${userInfo().username}`,
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}

async function openStack(stack: string, place: AwsPlace) {
  const stackFacts = await describeStack(stack).catch((error: unknown) => {
    throw toFailure(error, place);
  });
  const where = place.region === undefined ? '' : ` in ${place.region}`;
  if (!stackFacts)
    throw notFound(`There is no stack ${stack}${where}. Is it another region (--region) or account?`);
  const outputOf = (name: keyof typeof outputs): string => {
    const value = stackFacts.outputs[outputs[name]];
    if (value) return value;
    throw failed(`Stack ${stack} is no image redirect service: it has no output ${outputs[name]}.`);
  };
  const names = ['apiKeys', 'quotaCounters', 'images', 'generationIndex'] as const;
  const tables = Object.fromEntries(names.map((name) => [name, outputOf(`${name}Table`)]));
  const facts: ServiceFacts = {
    url: outputOf('apiUrl'),
    tables: tables as ServiceFacts['tables'],
    plans: outputOf('plans'),
    generationsPerDay: outputOf('generationsPerDay'),
    stockProviders: JSON.parse(outputOf('stockProviders')),
  };
  return {
    ...facts,
    ...(await connect(`s3://${outputOf('imageBucket')}`)),
    /** The service's URL or stack, for people. */
    name: `stack ${stack}`,
    /** The account and region of AWS, for errors. */
    place,
    /** Id of the secret from which signers' secrets are derived. */
    signerSecretId: outputOf('signerSecret'),
    /** The text of a secret, empty where it holds none. */
    readSecret: (secretId: string) => readSecret(secretId),
    /** Removes the images below some folders from the caches, and answers that lead there. */
    async invalidate(folders: readonly string[]) {
      const paths = folders.map((folder) => `/${folder}*`);
      if (paths.length > 0) await invalidatePaths(outputOf('imageDistribution'), paths);
      // The edge keeps redirects, whose own URLs do not tell to which image they lead.
      const edge = stackFacts.outputs[outputs.edgeDistribution];
      if (edge) await invalidatePaths(edge, ['/*']);
    },
    /** Reads who runs the command: the ARN of the AWS principal, or the user of this machine. */
    readPrincipal: async () => (await readCaller()).arn,
    /** A sentence on how to replace a provider's key. @param secretId id of the secret with the keys */
    howToSetKey: (provider: string, secretId = '(none yet: deploy again)') =>
      `Put it as "${provider}" into the JSON of the secret ${secretId}.`,
  };
}

/** Connects to tables and images. The SDK is loaded here, so that help and refusals are quick. */
async function connect(imageStore: string, access?: AwsAccess) {
  const { connectDynamoDb, toolServices } = await import('../lambda/aws/dynamodb');
  const { openImageStore } = await import('../lambda/images/stores/open-image-store');
  const { systemIds: ids } = await import('../lambda/base/ids');
  return { ...toolServices(connectDynamoDb(access)), ids, bucket: openImageStore(imageStore) };
}
