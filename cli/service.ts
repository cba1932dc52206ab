/** Opens the service that a command works on: a running local one, or a deployed stack. */

import { userInfo } from 'node:os';
import { connectDynamoDb, createToolServices } from '../lambda/aws/dynamodb';
import { systemIds } from '../lambda/base/ids';
import { outputs } from '../lambda/contract/outputs';
import { functionTimeoutsS } from '../lambda/contract/timeouts';
import { openImageStore } from '../lambda/images/stores/open-image-store';
import * as awsCalls from './aws';
import { createGeneralFailure, createNotFoundFailure, createUsageFailure } from './failure';
import { readLocalDescription, type ServiceFacts } from './local-services';
import { printRemark } from './output';

export interface ServiceOptions extends awsCalls.AwsTarget {
  readonly local?: string;
  readonly stack?: string;
}

/** An opened service. It has the form of the functions' `Services`, and its functions throw what the SDK throws. */
export interface Service extends ServiceFacts, ReturnType<typeof connect> {
  readonly name: string;
  /** Removes the images below some folders from the caches, and cached redirects to them. */
  readonly invalidate: (folders: readonly string[]) => Promise<void>;
  /** The longest time in milliseconds until a file that was being made is stored. */
  readonly storedLateMs: number;
  /** Reads who runs the command: the ARN of the AWS principal, or the user of this machine. */
  readonly readPrincipal: () => Promise<string>;
  /** Writes the sentence that says how to set the key of a provider. */
  readonly explainKey: (provider: string) => string;
}

/** Opens the service that the options name, or throws `Failure`. The caller must close the database client. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { stack, region, profile, local } = options;
  if (stack === undefined && (region ?? profile) !== undefined)
    throw createUsageFailure('--region and --profile go with --stack NAME.');
  awsCalls.configureAws(options);
  return stack === undefined ? openLocal(local) : openStack(stack);
}

async function openLocal(serviceUrl: string | undefined): Promise<Service> {
  const { token = 'local', dynamodb, aws, imageStoreUrl, ...facts } = await readLocalDescription(serviceUrl);
  // Clients of the SDK connect to it in place of the operator's AWS account.
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: token,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
  });
  return {
    ...facts,
    ...connect(imageStoreUrl),
    name: facts.url,
    // The folder of images has no cache.
    invalidate: async () => undefined,
    storedLateMs: 1_000,
    readPrincipal: async () => `local user ${userInfo().username}`,
    explainKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}

async function openStack(stack: string): Promise<Service> {
  const stackFacts = await awsCalls.findStack(stack);
  if (!stackFacts)
    throw createNotFoundFailure(`There is no stack ${stack}. Is it another region (--region) or account?`);
  const readOutput = (name: keyof typeof outputs): string => {
    const value = stackFacts.outputs[outputs[name]];
    if (value) return value;
    throw createGeneralFailure(
      `Stack ${stack} is no image redirect service: it has no output ${outputs[name]}.`,
    );
  };
  const stockProviders = JSON.parse(readOutput('stockProviders'));
  const { PROVIDER_SECRET_ID: providerSecretId = '(none yet: deploy again)' } = stockProviders;
  return {
    ...connect(`s3://${readOutput('imageBucket')}`),
    name: `stack ${stack}`,
    url: readOutput('apiUrl'),
    tables: {
      apiKeys: readOutput('apiKeysTable'),
      quotaCounters: readOutput('quotaCountersTable'),
      images: readOutput('imagesTable'),
      generationIndex: readOutput('generationIndexTable'),
    },
    plans: readOutput('plans'),
    generationsPerDay: readOutput('generationsPerDay'),
    stockProviders,
    signerSecretId: readOutput('signerSecret'),
    async invalidate(folders) {
      const paths = folders.map((folder) => `/${folder}*`);
      if (paths.length > 0) await awsCalls.invalidatePaths(readOutput('imageDistribution'), paths);
      // The edge caches redirects. The URL of a redirect does not name the image that it leads to.
      const edge = stackFacts.outputs[outputs.edgeDistribution];
      if (edge) await awsCalls.invalidatePaths(edge, ['/*']);
    },
    // A request that began before the removal may still ask the renderer at its end.
    storedLateMs: (functionTimeoutsS.api + functionTimeoutsS.renderer) * 1_000,
    readPrincipal: async () => (await awsCalls.readCaller()).arn,
    explainKey: (provider) => `Put it as "${provider}" into the JSON of the secret ${providerSecretId}.`,
  };
}

function connect(imageStoreUrl: string) {
  return {
    ...createToolServices(connectDynamoDb()),
    ids: systemIds,
    printRemark,
    imageStore: openImageStore(imageStoreUrl),
  };
}
