/** Every request says the same and carries the same signature as if AWS's SDK had signed it. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import {
  type Command,
  GetCommand,
  type Operation,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '../../../lambda/aws/dynamodb/commands';
import { createTransport } from '../../../lambda/aws/dynamodb/transport';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly body: string;
}

let server: Loopback;
let received: Received[];
beforeEach(async () => {
  received = [];
  server = await listenOnLoopback(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers as Record<string, string>, path: request.url ?? '', body });
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
});
afterEach(() => server.stop());

/** The SDK's command for each operation, as far as they differ in what is converted. */
const sdkCommands = {
  GetItem: documents.GetCommand,
  PutItem: documents.PutCommand,
  Query: documents.QueryCommand,
  UpdateItem: documents.UpdateCommand,
} as unknown as Readonly<Record<Operation, new (input: object) => documents.GetCommand>>;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const secret = fc.stringMatching(/^[A-Za-z0-9+/]{16,40}$/);
const command: fc.Arbitrary<Command<unknown>> = fc
  .record({ TableName: fc.stringMatching(/^[\w.-]{3,40}$/), pk: text, value: fc.oneof(text, fc.integer()) })
  .chain(({ TableName, pk, value }) =>
    fc.constantFrom<Command<unknown>>(
      new GetCommand({ TableName, Key: { pk }, ConsistentRead: true }),
      new PutCommand({ TableName, Item: { pk, value } }),
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ExclusiveStartKey: { pk, value },
      }),
      new UpdateCommand({
        TableName,
        Key: { pk },
        UpdateExpression: 'ADD #n :v',
        ExpressionAttributeNames: { '#n': 'n' },
        ExpressionAttributeValues: { ':v': value },
      }),
    ),
  );
const sending = fc.record({
  command,
  region: fc.constantFrom('us-east-1', 'eu-central-1', 'ap-southeast-7'),
  accessKeyId: fc.stringMatching(/^A[A-Z0-9]{15,19}$/),
  secretAccessKey: secret,
  sessionToken: fc.option(fc.base64String({ minLength: 16, maxLength: 400 }), { nil: undefined }),
  nowMs: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2060, 0) }),
  path: fc.constantFrom('/', '/prefix'),
});

test('300 requests say what the SDK says, signed as the SDK signs them', async () => {
  await fc.assert(
    fc.asyncProperty(sending, async ({ command, region, nowMs, path, sessionToken, ...keys }) => {
      const credentials = { ...keys, ...(sessionToken === undefined ? {} : { sessionToken }) };
      const endpoint = new URL(path, server.address);
      const sdk = new DynamoDBClient({ region, credentials, endpoint: endpoint.href, maxAttempts: 1 });
      const transport = createTransport({
        region,
        endpoint,
        credentials: async () => credentials,
        nowMs: () => nowMs,
      });
      received = [];
      await transport.send(command);
      await documents.DynamoDBDocumentClient.from(sdk).send(
        new sdkCommands[command.operation](command.input),
      );
      const [ours, theirs] = received as [Received, Received];
      expect(JSON.parse(ours.body)).toEqual(JSON.parse(theirs.body));
      expect(ours.path).toBe(theirs.path);
      for (const name of ['content-type', 'host', 'x-amz-target', 'x-amz-security-token'])
        expect(ours.headers[name]).toBe(theirs.headers[name]);

      const { authorization, connection: _, ...headers } = ours.headers;
      const signer = await sdk.config.signer(undefined);
      const unsigned = {
        method: 'POST',
        hostname: endpoint.hostname,
        path: ours.path,
        headers: { ...headers },
        body: ours.body,
        protocol: 'http:',
        query: {},
      };
      const signed = await signer.sign(unsigned, {
        signingDate: new Date(nowMs),
        signingRegion: region,
        signingService: 'dynamodb',
        unsignableHeaders: new Set(['x-amz-content-sha256']),
      });
      expect(authorization).toBe(signed.headers['authorization']?.replace(';x-amz-content-sha256', ''));
      transport.destroy();
      sdk.destroy();
    }),
    { numRuns: 300 },
  );
}, 60_000);
