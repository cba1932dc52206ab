/** Issuing, listing and changing API keys in DynamoDB: what the operator's tools need beyond looking one up. */

import {
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandOutput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type ApiKeyRegister, DuplicateKey, type KeyChange } from '../../../ports/tables/api-keys';
import { call, failureOf, whateverHappens } from '../call';
import { createApiKeys, keyOf, recordOf } from './api-keys';

export function createApiKeyRegister(client: DynamoDBDocumentClient, tableName: string): ApiKeyRegister {
  const ofAccount: ApiKeyRegister['ofAccount'] = async (account) => {
    const records = [];
    let start: Record<string, unknown> | undefined;
    do {
      const command = new QueryCommand({
        TableName: tableName,
        IndexName: 'byAccount',
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: { ':account': account },
        ExclusiveStartKey: start,
      });
      const page = await call<QueryCommandOutput>(client, command, whateverHappens);
      records.push(...(page.Items ?? []).map(recordOf));
      start = page.LastEvaluatedKey;
    } while (start);
    return records;
  };

  return {
    ...createApiKeys(client, tableName),
    ofAccount,

    async add(record) {
      const item = { pk: keyOf(record.hash), ...record };
      const condition = {
        ConditionExpression: 'attribute_not_exists(pk) OR keyId = :id',
        ExpressionAttributeValues: { ':id': record.keyId },
      };
      try {
        // The same record may be put twice, so that a lost answer can be repeated.
        await call(
          client,
          new PutCommand({ TableName: tableName, Item: item, ...condition }),
          whateverHappens,
        );
      } catch (error) {
        if (failureOf(error) === 'refused')
          throw new DuplicateKey('This key was issued before.', { cause: error });
        throw error;
      }
    },

    async *all() {
      let start: Record<string, unknown> | undefined;
      do {
        const command = new ScanCommand({
          TableName: tableName,
          // An operator who has just made a key looks for it at once.
          ConsistentRead: true,
          ExclusiveStartKey: start,
        });
        const page = await call<ScanCommandOutput>(client, command, whateverHappens);
        for (const item of page.Items ?? []) yield recordOf(item);
        start = page.LastEvaluatedKey;
      } while (start);
    },

    async change(hash, change) {
      const fields = Object.entries(change) as [keyof KeyChange, string][];
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: keyOf(hash) },
        ConditionExpression: 'attribute_exists(pk)',
        UpdateExpression: `SET ${fields.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      });
      try {
        await call(client, command, whateverHappens);
        return true;
      } catch (error) {
        if (failureOf(error) === 'refused') return false;
        throw error;
      }
    },
  };
}
