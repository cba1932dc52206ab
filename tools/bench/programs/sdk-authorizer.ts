/** The least work of an authorizer with AWS's SDK: it reads a key, and allows every request. */

import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }));
const tierKeys = JSON.parse(process.env['TIER_KEYS'] ?? '{}');

export const handler = async ({ multiValueHeaders, methodArn }: APIGatewayRequestAuthorizerEvent) => {
  const hash = createHash('sha256').update(multiValueHeaders?.['X-API-Key']?.[0] ?? '');
  const Key = { pk: `K#${hash.digest('hex')}` };
  const TableName = process.env['API_KEYS_TABLE'];
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const { account, plan, mode: caller, keyId } = Item;
  const [api, stage] = methodArn.split('/');
  const Statement = [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: [`${api}/${stage}/*`] }];
  return {
    principalId: account,
    policyDocument: { Version: '2012-10-17', Statement },
    context: { caller, account, plan, keyId },
    usageIdentifierKey: tierKeys[plan],
  };
};
