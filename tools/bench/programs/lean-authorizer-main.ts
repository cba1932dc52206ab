/** A hand-written authorizer function: reads the key of an event and allows every request. */

import { createHash } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { connectByHand } from './lean-dynamodb';

const environment = process.env as Record<string, string>;
const call = connectByHand(environment);
const tierKeys = JSON.parse(environment['TIER_KEYS'] as string) as Record<string, string>;

interface KeyItem {
  readonly account: { readonly S: string };
  readonly plan: { readonly S: string };
  readonly mode: { readonly S: string };
  readonly keyId: { readonly S: string };
}

/** Allows the routes of the API to the account of a key. */
export const handler = async (event: APIGatewayRequestAuthorizerEvent) => {
  const key = event.multiValueHeaders?.['X-API-Key']?.[0] as string;
  const pk = `K#${createHash('sha256').update(key).digest('hex')}`;
  const input = { TableName: environment['API_KEYS_TABLE'], Key: { pk: { S: pk } }, ConsistentRead: true };
  const { Item } = (await call('GetItem', input)) as { Item: KeyItem };
  const [account, plan] = [Item.account.S, Item.plan.S];
  const [api = '', stage = ''] = event.methodArn.split('/');
  return {
    principalId: account,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: [`${api}/${stage}/*`] }],
    },
    context: { caller: Item.mode.S, account, plan, keyId: Item.keyId.S },
    usageIdentifierKey: tierKeys[plan],
  };
};
