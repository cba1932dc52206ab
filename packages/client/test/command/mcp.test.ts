/** Messages of a model's host go to the service line by line, and each request has an answer whatever the service does. */

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { mcp } from '../../src/command/mcp';

const { env, stdin } = process;
const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });

let server: Loopback;
let seen: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
/** What the service answers to a message. */
let answer: (body: string) => string = () => '';

beforeAll(async () => {
  server = await listenOnLoopback(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ headers: request.headers, body });
    response.end(answer(body));
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  seen = [];
  Object.assign(env, { IMAGE_REDIRECT_URL: `${server.address}/`, IMAGE_REDIRECT_KEY: 'pk_test_x' });
});
afterEach(() => {
  jest.restoreAllMocks();
  Object.defineProperty(process, 'stdin', { value: stdin });
});

/** What stands on standard output after some messages, or texts, on standard input. */
async function answersTo(...messages: readonly (object | string)[]): Promise<unknown[]> {
  let written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  const lines = messages.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([`${lines.join('\n')}\n`]),
    configurable: true,
  });
  expect(await mcp()).toBe(0);
  return written
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

it('passes a message on with the key, and its answer back', async () => {
  answer = (body) => `${JSON.stringify(result(JSON.parse(body).id))}\n`;
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(await answersTo(list, '  ', { ...list, id: 'b' })).toEqual(
    expect.arrayContaining([result(1), result('b')]),
  );
  expect(seen.map(({ body }) => body).sort()).toEqual(
    [list, { ...list, id: 'b' }].map((each) => JSON.stringify(each)).sort(),
  );
  const [{ headers } = { headers: {} }] = seen;
  expect(headers).toMatchObject({
    'x-api-key': 'pk_test_x',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name'])
    expect(headers).not.toHaveProperty(name);
  delete env['IMAGE_REDIRECT_KEY'];
  await answersTo(list);
  expect(seen.at(-1)?.headers).not.toHaveProperty('x-api-key');
});

it.each([
  [{ name: 'find_images' }, { 'mcp-name': 'find_images' }],
  [{ uri: 'image-redirect://guide' }, { 'mcp-name': 'image-redirect://guide' }],
  [{ name: 'größe' }, {}],
  [{ name: 7 }, {}],
])('repeats in headers what the newer revision asks for: %j', async (params, name) => {
  answer = () => JSON.stringify(result(1));
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  await answersTo({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } });
  const repeated = Object.entries(seen[0]?.headers ?? {}).filter(([header]) => header.startsWith('mcp-'));
  expect(Object.fromEntries(repeated)).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    ...name,
  });
});

it('answers no notification, whatever the service says, and leaves what is no message to it', async () => {
  const fault = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'No JSON' } };
  answer = () => JSON.stringify(fault);
  expect(await answersTo({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([]);
  expect(await answersTo('{')).toEqual([fault]);
  answer = () => '';
  expect(await answersTo({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual([]);
});

const failedCall = (text: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { resultType: 'complete', content: [{ type: 'text', text }], isError: true },
});

it.each([
  [JSON.stringify({ code: 'rate_limited', detail: 'Too many.' }), () => 'Too many.'],
  ['<html>', () => `${server.address} has no answer.`],
])('says what a service answers instead: %s', async (body, text) => {
  answer = () => body;
  expect(await answersTo({ id: 1, method: 'tools/call', params: {} })).toEqual([failedCall(text())]);
  expect(await answersTo({ id: 1, method: 'tools/list' })).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: text() } },
  ]);
});

it('starts without the service, and says at each call that it cannot be reached', async () => {
  env['IMAGE_REDIRECT_URL'] = 'http://127.0.0.1:1';
  const initialize = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
  expect(await answersTo(initialize)).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'image-redirect', version: '1.0.0' },
      },
    },
  ]);
  expect(await answersTo({ method: 'notifications/initialized' })).toEqual([]);
  expect(await answersTo({ id: 1, method: 'tools/call' })).toEqual([
    failedCall(expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached: ./)),
  ]);
});
