/** The read at a function's start: one request, whose failure never prevents the start. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { warmUp } from '../../../lambda/adapters/dynamodb/warm-up';

type Client = Pick<DynamoDBDocumentClient, 'send'>;

function recorded(answer: () => Promise<unknown>) {
  const inputs: unknown[] = [];
  const send = (command: { readonly input: unknown }) => {
    inputs.push(command.input);
    return answer();
  };
  return { inputs, client: { send } as unknown as Client };
}

test('it reads one item that is never there', async () => {
  const { inputs, client } = recorded(async () => ({}));
  await warmUp(client, 'lookups');
  expect(inputs).toEqual([{ TableName: 'lookups', Key: { pk: 'none' } }]);
});

test('a table that refuses or does not answer holds no start up', async () => {
  const { inputs, client } = recorded(() => Promise.reject(new Error('AccessDeniedException')));
  await expect(warmUp(client, 'lookups')).resolves.toBeUndefined();
  expect(inputs).toHaveLength(1);
});
