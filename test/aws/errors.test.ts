/** Each way in which the SDK fails, as a server or a network brings it about, and what is read from it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { connectDynamoDb, type Database } from '../../lambda/aws/dynamodb';
import { classifyCallFailure } from '../../lambda/aws/errors';
import { DeadlineReached } from '../../lambda/base/deadline';
import { Outage } from '../../lambda/base/outage';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

const put = new PutCommand({ TableName: 'keys', Item: { pk: 'a' } });

let server: Loopback;
let answer: (response: ServerResponse, request: IncomingMessage) => void;
let database: Database;

beforeEach(async () => {
  server = await listenOnLoopback(async (request, response) => {
    await request.toArray();
    answer(response, request);
  });
  database = connectDynamoDb({
    endpoint: server.address,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
});
afterEach(async () => {
  database.client.destroy();
  await server.stop();
});

const catchFailure = async (abortSignal?: AbortSignal): Promise<unknown> =>
  database.client.send(put, abortSignal ? { abortSignal } : {}).then(
    () => undefined,
    (error: unknown) => error,
  );
const setAnswer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  answer = (response) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(text);
};
const type = (name: string) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'why' });

test.each([
  ['conditionFailed', 400, type('ConditionalCheckFailedException')],
  ['notApplied', 400, type('ProvisionedThroughputExceededException')],
  ['notApplied', 400, type('RequestLimitExceeded')],
  ['notApplied', 400, type('LimitExceededException')],
  ['notApplied', 400, type('ThrottlingException')],
  ['notApplied', 400, type('Throttling')],
  ['rejected', 400, type('ValidationException')],
  ['rejected', 400, type('ResourceNotFoundException')],
  ['rejected', 400, type('ExpiredTokenException')],
  ['rejected', 400, type('InvalidSignatureException')],
  ['rejected', 403, type('AccessDeniedException')],
  ['unknownOutcome', 500, type('InternalServerError')],
  ['unknownOutcome', 503, type('ServiceUnavailableException')],
  ['unknownOutcome', 503, '<html>Sorry</html>'],
  ['unknownOutcome', 413, '<html>Sorry</html>'],
  ['unknownOutcome', 200, '<html>Welcome</html>'],
])('a failure is classified as %s after a response %d (%#)', async (failure, status, body) => {
  setAnswer(status, body);
  const error = await catchFailure();
  expect(error).toBeInstanceOf(Error);
  expect(classifyCallFailure(error)).toBe(failure);
  expect(classifyCallFailure(new Outage('keys did not answer', { cause: error }))).toBe(failure);
});

test('a call that DynamoDB refuses for a wrong clock is not applied', async () => {
  const date = new Date(Date.now() + 3_600_000);
  const isInTime = ({ headers }: IncomingMessage) =>
    String(headers['x-amz-date']).slice(0, 11) === date.toISOString().replace(/[-:]/g, '').slice(0, 11);
  answer = (response, request) => {
    const isRight = isInTime(request);
    response
      .writeHead(isRight ? 200 : 400, {
        'content-type': 'application/x-amz-json-1.0',
        date: date.toUTCString(),
      })
      .end(JSON.stringify(isRight ? {} : type('InvalidSignatureException')));
  };
  expect(classifyCallFailure(await catchFailure())).toBe('notApplied');
  expect(await catchFailure()).toBeUndefined();
});

test.each<[string, () => void]>([
  ['a connection that is reset', () => (answer = (response) => response.destroy())],
  [
    'half an answer',
    () =>
      (answer = (response) =>
        response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy())),
  ],
  ['a connection that is refused', () => server.stop()],
])('a call has an unknown outcome after %s', async (_, breaks) => {
  await breaks();
  expect(classifyCallFailure(await catchFailure())).toBe('unknownOutcome');
});

test('an aborted call has an unknown outcome if it was sent', async () => {
  const abort = new AbortController();
  answer = () => abort.abort();
  expect(classifyCallFailure(await catchFailure(abort.signal))).toBe('unknownOutcome');
  expect(classifyCallFailure(new DeadlineReached('no time left'))).toBe('notApplied');
  expect(classifyCallFailure('not even an error')).toBe('unknownOutcome');
});
