/** The environment leads the lean transport where it leads the SDK, or to the SDK itself. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '../../../../lambda/aws/dynamodb/commands';
import { createDatabase } from '../../../../lambda/aws/dynamodb/database';
import { credentialsIn, dynamoDbPlaceIn } from '../../../../lambda/aws/dynamodb/lean/plain-environment';
import { dynamoDbTransports } from '../../../../lambda/contract/environment';
import { listenOnLoopback } from '../../../fakes/loopback';

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

test.each([
  'us-east-1',
  'us-west-2',
  'eu-central-2',
  'ap-southeast-7',
  'il-central-1',
  'mx-central-1',
  'sa-east-1',
  'af-south-1',
])('in %s, DynamoDB is where the SDK finds it', async (region) => {
  const sdk = new DynamoDBClient({ region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const { url } = sdk.config.endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false });
  expect(dynamoDbPlaceIn({ AWS_REGION: region })).toEqual({ region, endpoint: new URL(url.href) });
});

test.each([
  [{}],
  [{ AWS_REGION: 'cn-north-1' }],
  [{ AWS_REGION: 'us-gov-west-1' }],
  [{ AWS_REGION: 'us-iso-east-1' }],
  [{ AWS_REGION: 'us-east-1', AWS_PROFILE: 'other' }],
  [{ AWS_REGION: 'us-east-1', AWS_USE_FIPS_ENDPOINT: 'true' }],
  [{ AWS_REGION: 'us-east-1', AWS_USE_DUALSTACK_ENDPOINT: 'true' }],
])('%j is left to the SDK', (environment) => {
  expect(dynamoDbPlaceIn(environment)).toBeUndefined();
});

test('credentials with their token and their end are taken as they stand, and half of them are none', () => {
  const expiry = '2026-11-21T12:00:00.000Z';
  expect(credentialsIn({ ...keys, AWS_SESSION_TOKEN: 't', AWS_CREDENTIAL_EXPIRATION: expiry })).toEqual({
    accessKeyId: 'a',
    secretAccessKey: 'b',
    sessionToken: 't',
    expiration: new Date(expiry),
  });
  expect(credentialsIn({ AWS_ACCESS_KEY_ID: 'a' })).toBeUndefined();
});

describe.each(dynamoDbTransports)('over the %s transport', (transport) => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it.each<[string, (here: string, elsewhere: string) => Record<string, string>]>([
    [
      'of DynamoDB wins',
      (here, elsewhere) => ({ AWS_ENDPOINT_URL_DYNAMODB: here, AWS_ENDPOINT_URL: elsewhere }),
    ],
    ['of all services counts', (here) => ({ AWS_ENDPOINT_URL: here })],
  ])('the configured endpoint %s', async (_, variables) => {
    const asked: string[] = [];
    const server = await listenOnLoopback((request, response) => {
      asked.push(String(request.headers['x-amz-target']));
      response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
    });
    Object.assign(
      process.env,
      { AWS_REGION: 'us-east-1', ...keys },
      variables(server.address, 'http://127.0.0.1:9'),
    );
    const db = createDatabase(transport, process.env, Date.now);
    await db.send(new GetCommand({ TableName: 'keys', Key: { pk: 'a' } }));
    expect(asked).toEqual(['DynamoDB_20120810.GetItem']);
    await server.stop();
  });
});
