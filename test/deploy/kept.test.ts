/** Whatever was done to the stack: no key, signer, counter or image is lost. */

import { readFileSync } from 'node:fs';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask, header, imageBehind } from '../e2e/ask';
import { chargedFor, isStillPaid, notePaid, viewBySiteKey, viewSigned } from './published-image';

const { outputs: deployed, keys, memoryFile, keepsData = true } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const headers = { 'X-API-Key': keys.business.key };

jest.setTimeout(60_000);

test('a private image that was made before is delivered, and the quota counts on', async () => {
  const { imageId, remaining } = JSON.parse(readFileSync(memoryFile, 'utf8'));
  const answer = await ask(url, { path: '/api/image/256x256-lighthouse?provider=ai', headers });
  expect([answer.status, header(answer, 'x-cache'), header(answer, 'x-image-id')]).toEqual([
    302,
    'HIT',
    imageId,
  ]);
  expect(await imageBehind(answer)).toMatchObject({ width: 256, height: 256 });
  const left = Number(header(answer, 'x-ratelimit-remaining'));
  expect(left).toBeLessThan(Number(remaining));
  expect(left).toBeGreaterThan(Number(remaining) - 50);
});

test('a stock image is found, in another size too', async () => {
  const answer = await ask(url, { path: '/api/image/240x160-forest', headers });
  expect(await imageBehind(answer)).toMatchObject({ width: 240, height: 160 });
});

test('a signer and a site key from before open their image, paid for on that day', async () => {
  if (!isStillPaid()) {
    await viewSigned();
    notePaid();
  }
  const charged = await chargedFor(async () => {
    for (const answer of [await viewSigned(), await viewBySiteKey()])
      expect(await imageBehind(answer)).toMatchObject({ width: 320, height: 200 });
  });
  expect(charged).toBe(0);
});

test('the tables refuse to be deleted exactly when the stage keeps its data', async () => {
  const client = new DynamoDBClient();
  const { Table } = await client.send(
    new DescribeTableCommand({ TableName: deployed[outputs.apiKeysTable] }),
  );
  client.destroy();
  expect(Table?.DeletionProtectionEnabled).toBe(keepsData);
});
