/** Issuing, listing and changing API keys in DynamoDB: what the operator's tools need beyond looking one up. */

import { PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { itemsOf } from '../../aws/dynamodb/items';
import { callFailureOf } from '../../aws/errors';
import type { IndexName } from '../../contract/tables';
import { type ApiKeyRegister, DuplicateKey, type KeyChange, refOf } from '../api-keys';
import { createApiKeys, keyOf, recordOf } from './api-keys';

/** Every write may be sent twice without harm. Calls throw when the table does not answer after three attempts. */
export function createApiKeyRegister(client: Database, tableName: string): ApiKeyRegister {
  const ofAccount: ApiKeyRegister['ofAccount'] = async (account) => {
    const byAccount = new QueryCommand({
      TableName: tableName,
      IndexName: 'byAccount' satisfies IndexName<'apiKeys'>,
      KeyConditionExpression: 'account = :account',
      ExpressionAttributeValues: { ':account': account },
    });
    const records = [];
    for await (const item of itemsOf(client, byAccount)) records.push(recordOf(item));
    return records;
  };

  return {
    ...createApiKeys(client, tableName),
    ofAccount,

    async add(record) {
      const item = { pk: keyOf(refOf(record)), ...record };
      const condition = {
        ConditionExpression: 'attribute_not_exists(pk) OR keyId = :id',
        ExpressionAttributeValues: { ':id': record.keyId },
      };
      try {
        // The same record may be put twice, so that a lost answer can be repeated.
        await call(
          client,
          new PutCommand({ TableName: tableName, Item: item, ...condition }),
          retryIdempotent,
        );
      } catch (error) {
        if (callFailureOf(error) === 'conditionFailed')
          throw new DuplicateKey('This key was issued before.', { cause: error });
        throw error;
      }
    },

    async *all() {
      // Consistent: an operator who has just made a key looks for it at once.
      const scan = new ScanCommand({ TableName: tableName, ConsistentRead: true });
      for await (const item of itemsOf(client, scan)) yield recordOf(item);
    },

    async change(ref, change) {
      const fields = Object.entries(change) as [keyof KeyChange, string][];
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: keyOf(ref) },
        ConditionExpression: 'attribute_exists(pk)',
        UpdateExpression: `SET ${fields.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      });
      try {
        await call(client, command, retryIdempotent);
        return true;
      } catch (error) {
        if (callFailureOf(error) === 'conditionFailed') return false;
        throw error;
      }
    },
  };
}
