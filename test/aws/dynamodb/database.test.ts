/** The reads at a function's start: one for each connection, whose failure never prevents the start. */

import type { Database } from '../../../lambda/aws/dynamodb/call';
import { warmUp } from '../../../lambda/aws/dynamodb/database';

function recorded(answer: () => Promise<unknown>) {
  const inputs: unknown[] = [];
  const send = (command: { readonly input: unknown }) => {
    inputs.push(command.input);
    return answer();
  };
  return { inputs, client: { send } as unknown as Database };
}

test('it reads an item that is never there, once for each connection and all at once', async () => {
  const started: (() => void)[] = [];
  const { inputs, client } = recorded(() => new Promise((resolve) => started.push(() => resolve({}))));
  const warmed = warmUp(client, 'lookups', 2);
  expect(inputs).toEqual(Array(2).fill({ TableName: 'lookups', Key: { pk: 'none' } }));
  for (const finish of started) finish();
  await warmed;
});

test('a table that refuses or does not answer holds no start up', async () => {
  const { inputs, client } = recorded(() => Promise.reject(new Error('AccessDeniedException')));
  await expect(warmUp(client, 'lookups', 1)).resolves.toBeUndefined();
  expect(inputs).toHaveLength(1);
});
