/** DynamoDB over AWS's SDK with its document client. */

import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database } from './call';
import type { Operation } from './commands';

const sdkCommands = {
  BatchGetItem: documents.BatchGetCommand,
  GetItem: documents.GetCommand,
  PutItem: documents.PutCommand,
  Query: documents.QueryCommand,
  Scan: documents.ScanCommand,
  UpdateItem: documents.UpdateCommand,
} as const satisfies Readonly<Record<Operation, unknown>>;

type Make = new (input: object) => documents.GetCommand;

export interface SdkDatabase extends Database {
  /** Closes the connections. */
  destroy(): void;
}

/**
 * @param client with one attempt a call, because the adapters know which calls may be repeated; by default, one whose
 * region, credentials and endpoint come from where the SDK finds them
 */
export function createSdkDatabase(client = new DynamoDBClient({ maxAttempts: 1 })): SdkDatabase {
  const real = documents.DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    async send<Output>(
      { operation, input }: { operation: Operation; input: object },
      options: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<Output> {
      const Command = sdkCommands[operation] as unknown as Make;
      try {
        return (await real.send(new Command(input), options)) as Output;
      } catch (error) {
        // The document client converts what an answer holds, and leaves out what an error holds.
        if (error instanceof ConditionalCheckFailedException && error.Item)
          throw Object.assign(error, { Item: unmarshall(error.Item) });
        throw error;
      }
    },
    destroy: () => real.destroy(),
  };
}
