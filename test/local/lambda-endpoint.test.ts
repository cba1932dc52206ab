/** The local Lambda over HTTP: what it runs and with what, what it refuses, and whom it tells of a failure. */

import { createLambdaEndpoint } from '../../local/aws';
import { createDeferred, type Deferred } from '../fakes/deferred';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

let loopback: Loopback;
let ran: unknown[];
let failures: unknown[];
let drained: () => Promise<void>;
let held: Deferred<void>;
beforeEach(async () => {
  [ran, failures, held] = [[], [], createDeferred()];
  const functions = {
    renderer: { handler: async (event: unknown) => void ran.push(event) },
    held: { handler: () => held.promise },
    failing: { handler: () => Promise.reject(new RangeError('too wide')) },
    slow: { handler: () => new Promise(() => undefined), timeoutMs: 1 },
  };
  const lambda = createLambdaEndpoint(functions, (name, error) => failures.push([name, String(error)]));
  ({ drained } = lambda);
  loopback = await listenOnLoopback(lambda.handle);
});
afterEach(() => loopback.stop());

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(loopback.address + path, { method: 'POST', ...init });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
};
const invoke = (name: string, body?: string, type = 'RequestResponse') =>
  ask(`/2015-03-31/functions/${name}/invocations?Qualifier=live`, {
    headers: { 'x-amz-invocation-type': type },
    ...(body !== undefined && { body }),
  });

it('tells how many executions the account has', async () => {
  const path = '/2016-08-19/account-settings';
  expect((await ask(path, { method: 'GET' })).body).toEqual({
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  });
  expect((await ask(path)).status).toBe(404);
});

it.each([
  ['renderer', '{"a":1}', { a: 1 }],
  ['renderer', undefined, {}],
  ['renderer:live', '[]', []],
  ['arn%3Aaws%3Alambda%3Aeu-west-1%3A1%3Afunction%3Arenderer%3Alive', '1', 1],
])('runs %s with the event %j', async (name, body, event) => {
  const answer = await invoke(name, body);
  expect([answer.status, answer.body, ran]).toEqual([200, null, [event]]);
  expect(answer.headers.get('x-amz-executed-version')).toBe('$LATEST');
  expect(answer.headers.get('x-amz-function-error')).toBeNull();
});

it('answers who waits with the error, and tells of one that nobody waits for', async () => {
  const { status, headers, body } = await invoke('failing', '{}');
  expect([status, headers.get('x-amz-function-error')]).toEqual([200, 'Unhandled']);
  expect(body).toEqual({ errorType: 'RangeError', errorMessage: 'too wide', trace: [] });
  expect((await invoke('slow', '{}')).body).toMatchObject({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringMatching(/Task timed out after 0\.00 seconds$/),
  });
  expect(failures).toEqual([]);
  const later = await invoke('failing', '{}', 'Event');
  expect([later.status, later.body]).toEqual([202, '']);
  await drained();
  expect(failures).toEqual([['failing', 'RangeError: too wide']]);
});

it('is drained once every invocation has ended, of those that nobody waits for too', async () => {
  for (const name of ['held', 'renderer']) await invoke(name, '{}', 'Event');
  let isDrained = false;
  const ended = drained().then(() => {
    isDrained = true;
  });
  await invoke('renderer', '{}');
  expect(isDrained).toBe(false);
  held.resolve();
  await ended;
});

const megabyte = JSON.stringify('x'.repeat(1_048_574));
it.each<[string, number, string, () => Promise<{ status: number; headers: Headers }>]>([
  ['a function that there is not', 404, 'ResourceNotFoundException', () => invoke('other', '{}')],
  ['a name of every object', 404, 'ResourceNotFoundException', () => invoke('constructor', '{}')],
  ['another path', 404, 'ResourceNotFoundException', () => ask('/2015-03-31/functions/renderer')],
  [
    'another method',
    404,
    'ResourceNotFoundException',
    () => ask('/2015-03-31/functions/renderer/invocations', { method: 'PUT', body: '{}' }),
  ],
  ['no JSON', 400, 'InvalidRequestContentException', () => invoke('renderer', '{')],
  ['a large event', 413, 'RequestTooLargeException', () => invoke('renderer', `${megabyte} `, 'Event')],
  ['a larger request', 413, 'RequestTooLargeException', () => invoke('renderer', megabyte.repeat(7))],
])('refuses %s with %d', async (_, status, type, request) => {
  const answer = await request();
  expect([answer.status, answer.headers.get('x-amzn-errortype'), ran]).toEqual([status, type, []]);
});

it('takes the largest event, and a larger request', async () => {
  expect((await invoke('renderer', megabyte, 'Event')).status).toBe(202);
  expect((await invoke('renderer', `${megabyte} `)).status).toBe(200);
});
