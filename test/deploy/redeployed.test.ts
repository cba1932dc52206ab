/** The next release: its code runs, its new index answers, and no data is lost. */

import { readFileSync } from 'node:fs';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { addedIndex, releaseHeader } from '../../tools/deploy-test/releases';
import { ask, header, imageBehind } from '../e2e/ask';
import { viewBySiteKey, viewSigned } from './published-image';

const { outputs: deployed, keys, memoryFile } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const headers = { 'X-API-Key': keys.business.key };

jest.setTimeout(60_000);

test('the new code answers at the same URL, and earlier keys remain valid', async () => {
  const answer = await ask(url, { path: '/api/image/200x200-forest', headers });
  expect([answer.status, header(answer, releaseHeader)]).toEqual([302, 'next']);
});

test('a URL that was signed before shows its image', async () => {
  for (const answer of [await viewSigned(), await viewBySiteKey()]) await imageBehind(answer);
});

test('the first signing key opens nothing any more, the second still does', async () => {
  const { location, second } = JSON.parse(readFileSync(memoryFile, 'utf8'));
  expect((await fetch(location)).status).toBe(403);
  expect((await fetch(second)).status).toBe(200);
});

test('the table that was replaced is still there with its items, beside the new one', async () => {
  const client = new DynamoDBClient();
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  const now = deployed[outputs.imagesTable];
  const before = TableNames.find((name) => name.includes('ImagesTable'));
  const { Count } = await client.send(new ScanCommand({ TableName: before }));
  client.destroy();
  expect(before).not.toBe(now);
  expect(TableNames).toContain(now);
  expect(Count).toBeGreaterThan(0);
});

test('the added index holds the keys that were issued before', async () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: deployed[outputs.apiKeysTable],
      IndexName: addedIndex.name,
      KeyConditionExpression: '#key = :plan',
      ExpressionAttributeNames: { '#key': addedIndex.partitionKey },
      ExpressionAttributeValues: { ':plan': 'business' },
    }),
  );
  client.destroy();
  // The account has a signer of its own beside its key.
  expect(Items.filter(({ pk }) => pk.startsWith('K#'))).toHaveLength(1);
});
