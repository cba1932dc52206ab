/** Opens the service that a command works on: a local one that runs, or a deployed stack. */

import { userInfo } from 'node:os';
import { outputs } from '../lambda/contract/outputs';
import { type AwsAccess, describeStack, invalidatePaths, readCaller, readSecret, useAws } from './aws';
import { type AwsTarget, failed, notFound, toFailure, wrongUsage } from './failure';
import { describeLocal, localNames, type ServiceFacts } from './local-services';

/** The parsed options that name a service. */
export interface ServiceOptions extends AwsTarget {
  readonly local?: string;
  readonly stack?: string;
}

/** An opened service, in the form of the functions' `Services`. Its functions throw what the SDK throws. */
export interface Service extends ServiceFacts, Awaited<ReturnType<typeof connect>> {
  /** The service's URL or stack, for people. */
  readonly name: string;
  /** The account and region of AWS, for errors. */
  readonly awsTarget: AwsTarget;
  /** Id of the secret from which signers' secrets are derived. */
  readonly signerSecretId: string;
  readonly readSecret: (secretId: string) => Promise<string>;
  /** Removes the images below some folders from the caches, and answers that lead there. */
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
  /** Reads who runs the command: the ARN of the AWS principal, or the user of this machine. */
  readonly readPrincipal: () => Promise<string>;
  /** A sentence on how to replace a provider's key. @param secretId id of the secret with the keys */
  readonly howToSetKey: (provider: string, secretId?: string) => string;
}

/** Opens the service that the options name. The caller closes its database client. @throws `Failure` */
export async function openService({ stack, local, region, profile }: ServiceOptions): Promise<Service> {
  if (stack !== undefined) return openStack(stack, useAws({ region, profile } as AwsTarget));
  if ((region ?? profile) !== undefined) throw wrongUsage('--region and --profile go with --stack NAME.');
  return openLocal(local);
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { token, dynamodb, aws, imageStore, ...described } = await describeLocal(serviceUrl);
  const credentials = { accessKeyId: token ?? 'local', secretAccessKey: 'local' };
  const access = { region: 'local', credentials } satisfies AwsAccess;
  return {
    ...described,
    ...(await connect(imageStore, { ...access, endpoint: dynamodb })),
    name: described.url,
    awsTarget: {},
    signerSecretId: localNames.signerSecret,
    readSecret: (secretId) => readSecret(secretId, { ...access, endpoint: aws }),
    // No cache stands before the folder of images.
    invalidate: async () => undefined,
    readPrincipal: async () => `local user ${userInfo().username}`,
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}

async function openStack(stack: string, awsTarget: AwsTarget): Promise<Service> {
  const stackFacts = await describeStack(stack).catch((error: unknown) => {
    throw toFailure(error, awsTarget);
  });
  const inRegion = awsTarget.region === undefined ? '' : ` in ${awsTarget.region}`;
  if (!stackFacts)
    throw notFound(`There is no stack ${stack}${inRegion}. Is it another region (--region) or account?`);
  const outputOf = (name: keyof typeof outputs): string => {
    const value = stackFacts.outputs[outputs[name]];
    if (value) return value;
    throw failed(`Stack ${stack} is no image redirect service: it has no output ${outputs[name]}.`);
  };
  return {
    ...factsOf(outputOf),
    ...(await connect(`s3://${outputOf('imageBucket')}`)),
    name: `stack ${stack}`,
    awsTarget,
    signerSecretId: outputOf('signerSecret'),
    readSecret: (secretId) => readSecret(secretId),
    async invalidate(folders) {
      const paths = folders.map((folder) => `/${folder}*`);
      if (paths.length > 0) await invalidatePaths(outputOf('imageDistribution'), paths);
      // The edge keeps redirects, whose own URLs do not tell to which image they lead.
      const edge = stackFacts.outputs[outputs.edgeDistribution];
      if (edge) await invalidatePaths(edge, ['/*']);
    },
    readPrincipal: async () => (await readCaller()).arn,
    howToSetKey: (provider, secretId = '(none yet: deploy again)') =>
      `Put it as "${provider}" into the JSON of the secret ${secretId}.`,
  };
}

/** The facts that a stack's outputs state. */
function factsOf(outputOf: (name: keyof typeof outputs) => string): ServiceFacts {
  return {
    url: outputOf('apiUrl'),
    tables: {
      apiKeys: outputOf('apiKeysTable'),
      quotaCounters: outputOf('quotaCountersTable'),
      images: outputOf('imagesTable'),
      generationIndex: outputOf('generationIndexTable'),
    },
    plans: outputOf('plans'),
    generationsPerDay: outputOf('generationsPerDay'),
    stockProviders: JSON.parse(outputOf('stockProviders')),
  };
}

/** Connects to tables and images. The SDK is loaded here, so that help and refusals are quick. */
async function connect(imageStore: string, access?: AwsAccess) {
  const { connectDynamoDb, toolServices } = await import('../lambda/aws/dynamodb');
  const { openImageStore } = await import('../lambda/images/stores/open-image-store');
  const { systemIds: ids } = await import('../lambda/base/ids');
  return { ...toolServices(connectDynamoDb(access)), ids, bucket: openImageStore(imageStore) };
}
