/** After a production stage is destroyed: the stack is gone, the data is retained. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { ask } from '../e2e/ask';

const { stack, outputs: deployed } = readFacts();

test('the stack is gone, and its URL does not answer', async () => {
  const client = new CloudFormationClient();
  await expect(client.send(new DescribeStacksCommand({ StackName: stack }))).rejects.toThrow(
    'does not exist',
  );
  client.destroy();
  // Its DNS record is gone too.
  await expect(ask(deployed[outputs.tryIt] ?? '', { path: '' })).rejects.toThrow('There is no ');
});

test.each([outputs.apiKeysTable, outputs.quotaCountersTable])('%s is kept with its items', async (table) => {
  const client = new DynamoDBClient();
  const { Count } = await client.send(new ScanCommand({ TableName: deployed[table] }));
  client.destroy();
  expect(Count).toBeGreaterThan(0);
});
