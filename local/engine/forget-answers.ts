/** Deletes what the local service has cached about stock images, where it is no longer true. */

import { DeleteItemCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';

/** @param keptPrefix items whose keys begin with it stay; none by default */
export async function forgetAnswers(client: DynamoDBClient, table: string, keptPrefix = ''): Promise<void> {
  const pages = paginateScan({ client }, { TableName: table, ProjectionExpression: 'pk' });
  for await (const { Items = [] } of pages) {
    for (const { pk } of Items) {
      if (pk?.S === undefined || (keptPrefix !== '' && pk.S.startsWith(keptPrefix))) continue;
      await client.send(new DeleteItemCommand({ TableName: table, Key: { pk } }));
    }
  }
}
