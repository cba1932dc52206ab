/** The DynamoDB client of a function: one attempt a call, because the callers know which calls may be repeated. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Region, credentials and endpoint come from the environment, as the SDK reads it. */
export function createDynamoDb(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ maxAttempts: 1 });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
