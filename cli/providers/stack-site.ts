/** A deployed stack, found through its CloudFormation outputs. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { variables } from '../../lambda/contract/environment';
import { outputs } from '../../lambda/contract/outputs';
import { exitCodes, Failure } from '../failure';
import { readStackOutputs, type StackPlace } from '../stack-outputs';
import { readConfiguration, type Site } from './site';

/** @throws `Failure` */
export async function stackSite({ stack, ...options }: StackPlace): Promise<Site> {
  const { output, client, place } = await readStackOutputs({ stack, ...options });
  const lookupCacheTable = output(outputs.lookupCacheTable);
  const stockProviders = output(outputs.stockProviders);
  if (lookupCacheTable === undefined || stockProviders === undefined)
    throw new Failure(
      exitCodes.failed,
      `Stack ${stack} is no image redirect service: it names no stock providers.`,
    );
  // The adapter of Secrets Manager finds its region where the functions do.
  if (client.region !== undefined) process.env['AWS_REGION'] = client.region;
  const configuration = readConfiguration(
    JSON.parse(stockProviders),
    output(outputs.apiUrl) ?? 'https://localhost',
  );
  return {
    name: `stack ${stack}`,
    client: new DynamoDBClient({ ...client, maxAttempts: 2 }),
    place: { ...place, tables: [lookupCacheTable] },
    lookupCacheTable,
    configuration,
    howToSetKey: (provider) =>
      `Put it as "${provider}" into the JSON of the secret ${configuration[variables.providerSecretId] ?? '(none yet: deploy again)'}.`,
  };
}
