/** The least work of a redirect with AWS's SDK: it counts the request, and reads the image once. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }));
const { QUOTA_COUNTERS_TABLE: counters, CACHE_TABLE: cache } = process.env;
const images = new Map<string, string>();

async function readImage(pk: string): Promise<string> {
  const { Item } = await client.send(new GetCommand({ TableName: cache, Key: { pk } }));
  images.set(pk, Item?.['value']);
  return Item?.['value'];
}

export const handler = async ({ requestContext, multiValueQueryStringParameters }: APIGatewayProxyEvent) => {
  const { account } = requestContext.authorizer ?? {};
  const pk = `R#${JSON.stringify(multiValueQueryStringParameters)}`;
  const count = new UpdateCommand({
    TableName: counters,
    Key: { pk: `Q#${account}#${new Date().toISOString().slice(0, 7)}` },
    UpdateExpression: 'ADD taken :one',
    ConditionExpression: 'attribute_not_exists(taken) OR taken < :max',
    ExpressionAttributeValues: { ':one': 1, ':max': 1_000 },
    ReturnValues: 'ALL_NEW',
  });
  const [{ Attributes }, image] = await Promise.all([client.send(count), images.get(pk) ?? readImage(pk)]);
  const headers = {
    Location: JSON.parse(image).image.location,
    'X-RateLimit-Remaining': String(1_000 - Attributes?.['taken']),
  };
  return { statusCode: 302, headers, body: image };
};
