/** Region, endpoint and credentials follow from the environment as with AWS's SDK; the reads at a start never fail it. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import { GetCommand } from '../../../lambda/aws/dynamodb/commands';
import { connectDynamoDb, credentialsIn, endpointIn, warmUp } from '../../../lambda/aws/dynamodb/connect';
import { isSettled } from '../../fakes/deferred';
import { listenOnLoopback } from '../../fakes/loopback';

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

test.each([
  'us-east-1',
  'us-west-2',
  'eu-central-2',
  'eu-isoe-west-1',
  'ap-southeast-7',
  'il-central-1',
  'mx-central-1',
  'sa-east-1',
  'af-south-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'cn-north-1',
])('in %s, DynamoDB is where the SDK finds it, or has to be configured', (region) => {
  const sdk = new DynamoDBClient({ region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const { url } = sdk.config.endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false });
  if (region.includes('-iso'))
    expect(() => endpointIn({ AWS_REGION: region })).toThrow(/AWS_ENDPOINT_URL_DYNAMODB/);
  else expect(endpointIn({ AWS_REGION: region })).toEqual({ region, endpoint: new URL(url.href) });
  const environment = { AWS_REGION: region, AWS_ENDPOINT_URL_DYNAMODB: url.href };
  expect(endpointIn(environment)).toEqual({ region, endpoint: new URL(url.href) });
});

test.each([
  [{}, /^Region is missing/],
  [{ AWS_REGION: 'us-east-1', AWS_USE_FIPS_ENDPOINT: 'true' }, /AWS_ENDPOINT_URL_DYNAMODB/],
  [{ AWS_REGION: 'us-east-1', AWS_USE_DUALSTACK_ENDPOINT: 'TRUE' }, /AWS_ENDPOINT_URL_DYNAMODB/],
])('%j is refused', (environment, message) => {
  expect(() => endpointIn(environment)).toThrow(message);
});

test('a configured endpoint is ignored where the environment says so', () => {
  const environment = { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
  expect(endpointIn({ ...environment, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }).endpoint.hostname).toBe(
    'dynamodb.us-east-1.amazonaws.com',
  );
});

test('credentials come with their token and expiration; half of them, or a named profile, leave them to the chain', () => {
  const expiry = '2026-11-21T12:00:00.000Z';
  expect(credentialsIn({ ...keys, AWS_SESSION_TOKEN: 't', AWS_CREDENTIAL_EXPIRATION: expiry })).toEqual({
    accessKeyId: 'a',
    secretAccessKey: 'b',
    sessionToken: 't',
    expiration: new Date(expiry),
  });
  expect(credentialsIn({ AWS_ACCESS_KEY_ID: 'a' })).toBeUndefined();
  expect(credentialsIn({ ...keys, AWS_PROFILE: 'ops' })).toBeUndefined();
});

test.each<[string, (here: string, elsewhere: string) => Record<string, string>]>([
  [
    'of DynamoDB wins',
    (here, elsewhere) => ({ AWS_ENDPOINT_URL_DYNAMODB: here, AWS_ENDPOINT_URL: elsewhere }),
  ],
  ['of all services counts', (here) => ({ AWS_ENDPOINT_URL: here })],
])('the configured endpoint %s', async (_, variables) => {
  const received: string[] = [];
  const server = await listenOnLoopback((request, response) => {
    received.push(String(request.headers['x-amz-target']));
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  const environment = {
    AWS_REGION: 'us-east-1',
    ...keys,
    ...variables(server.address, 'http://127.0.0.1:9'),
  };
  const db = connectDynamoDb(environment, Date.now);
  await db.send(new GetCommand({ TableName: 'keys', Key: { pk: 'a' } }));
  expect(received).toEqual(['DynamoDB_20120810.GetItem']);
  db.destroy();
  await server.stop();
});

test('a start reads an item that does not exist, once for each connection and all at once', async () => {
  const inputs: unknown[] = [];
  const started: (() => void)[] = [];
  const send = ({ input }: { readonly input: object }) => {
    inputs.push(input);
    return new Promise((resolve) => started.push(() => resolve({})));
  };
  const warmed = warmUp({ send } as Database, 'cache', 2);
  expect(inputs).toEqual(Array(2).fill({ TableName: 'cache', Key: { pk: 'none' } }));
  expect(await isSettled(warmed)).toBe(false);
  for (const finish of started) finish();
  await warmed;
});

test('a table that refuses does not fail the start', async () => {
  const send = () => Promise.reject(new Error('AccessDeniedException'));
  await expect(warmUp({ send }, 'cache', 1)).resolves.toBeUndefined();
});
