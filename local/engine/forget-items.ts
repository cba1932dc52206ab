/** Empties a table of the local service whose items are no longer true. */

import { DeleteItemCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';

/** Deletes all items of a table whose only key is `pk`. */
export async function forgetItems(client: DynamoDBClient, table: string): Promise<void> {
  const pages = paginateScan({ client }, { TableName: table, ProjectionExpression: 'pk' });
  for await (const { Items = [] } of pages)
    for (const { pk } of Items)
      if (pk) await client.send(new DeleteItemCommand({ TableName: table, Key: { pk } }));
}
