/** The tables of a deployed stack, found through its CloudFormation outputs. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { outputs } from '../../../lambda/contract/outputs';
import { exitCodes, Failure } from '../../failure';
import { readStackOutputs, type StackPlace } from '../../stack-outputs';
import { readMaster } from './read-master';
import type { Store } from './store';

/** @throws `Failure` */
export async function stackStore({ stack, ...options }: StackPlace): Promise<Store> {
  const { output, client, place } = await readStackOutputs({ stack, ...options });
  const apiKeysTable = output(outputs.apiKeysTable);
  const quotaCountersTable = output(outputs.quotaCountersTable);
  if (apiKeysTable === undefined || quotaCountersTable === undefined)
    throw new Failure(exitCodes.failed, `Stack ${stack} is no image redirect service: it names no tables.`);
  const plans = output(outputs.plans);
  const generationsPerDay = output(outputs.generationsPerDay);
  return {
    client: new DynamoDBClient({ ...client, maxAttempts: 1 }),
    place: { ...place, tables: [apiKeysTable, quotaCountersTable] },
    apiKeysTable,
    quotaCountersTable,
    readSignerMaster: () => readMaster(output(outputs.signerSecret), client),
    ...(plans === undefined ? {} : { plans }),
    ...(generationsPerDay === undefined ? {} : { generationsPerDay }),
  };
}
