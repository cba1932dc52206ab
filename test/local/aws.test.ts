/** Tests the services beside the tables as the SDK and a container call them. */

import { createLocalAws } from '../../local/aws';
import { startFixture } from '../fakes/fixture';
import { createFakeImageStore } from '../fakes/image-store';
import { listenOnLoopback } from '../fakes/loopback';

const failures: unknown[] = [];
const imageStore = createFakeImageStore();
const aws = createLocalAws({
  functions: {
    double: async (event) => ({ twice: Number((event as { n: number }).n) * 2 }),
    timed: async (_, context) => [context.functionName, context.getRemainingTimeInMillis() > 29_000],
    broken: async () => Promise.reject(new TypeError('It burns')),
  },
  findSecret: (id) => ({ known: 'a text' })[id],
  imageStore,
  onFailure: (error) => failures.push(error),
});
const server = startFixture(() => listenOnLoopback((request, response) => aws.respond(request, response)));

async function call(path: string, method = 'POST', headers: Record<string, string> = {}, body?: string) {
  const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body && { body }) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const invoke = (name: string, body = '{}', headers = {}) =>
  call(`/2015-03-31/functions/${name}/invocations`, 'POST', headers, body);

test('an invocation returns the result or the error of a function', async () => {
  expect(await invoke('double', '{"n":4}')).toMatchObject({ status: 200, text: '{"twice":8}' });
  expect((await invoke('timed')).text).toBe('["timed",true]');
  const { status, headers, text } = await invoke('broken');
  expect([status, headers.get('x-amz-function-error')]).toEqual([200, 'Unhandled']);
  expect(JSON.parse(text)).toMatchObject({ errorType: 'TypeError', errorMessage: 'It burns' });
});

test('the failure of an asynchronous invocation is reported after its response', async () => {
  expect((await invoke('broken', '{}', { 'x-amz-invocation-type': 'Event' })).status).toBe(202);
  await aws.awaitDrained();
  expect(failures).toEqual([expect.objectContaining({ message: 'It burns' })]);
});

test('GetSecretValue returns a secret by its id', async () => {
  const target = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
  const read = (SecretId: string) => call('/', 'POST', target, JSON.stringify({ SecretId }));
  expect(JSON.parse((await read('known')).text)).toMatchObject({ SecretString: 'a text' });
  expect(await read('other')).toMatchObject({
    status: 400,
    text: expect.stringContaining('ResourceNotFound'),
  });
});

test('the local bucket stores, lists by prefix, reads and removes a file', async () => {
  const path = '/bucket/masters/a/master.png';
  const png = { 'content-type': 'image/png' };
  const once = { ...png, 'if-none-match': '*' };
  expect((await call(path, 'PUT', once, 'one')).status).toBe(200);
  expect(await call(path, 'PUT', once, 'two')).toMatchObject({
    status: 412,
    text: expect.stringContaining('PreconditionFailed'),
  });
  const read = await call(path, 'GET');
  expect([read.status, read.headers.get('content-type'), read.text]).toEqual([200, 'image/png', 'one']);
  expect((await call(path, 'HEAD')).text).toBe('');
  await call('/bucket/stock/b/c.webp', 'PUT', png, 'other');
  const listObjects = (prefix: string) =>
    call(`/bucket?list-type=2&prefix=${encodeURIComponent(prefix)}`, 'GET');
  expect((await listObjects('masters/a/')).text).toContain(
    '<Contents><Key>masters/a/master.png</Key></Contents></List',
  );
  expect((await listObjects('masters/b/')).text).not.toContain('<Contents>');
  expect((await call(path, 'DELETE')).status).toBe(204);
  expect(await call(path, 'GET')).toMatchObject({ status: 404, text: expect.stringContaining('NoSuchKey') });
});

test('the account settings allow every request to wait', async () => {
  const { AccountLimit } = JSON.parse((await call('/2016-08-19/account-settings', 'GET')).text);
  expect(AccountLimit).toEqual({ ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000_000 });
});
