/** What a model on Amazon Bedrock is sent, and what of its answers is read. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { judgeSettings } from '../../../lambda/contract/judges';
import { createRequestModel } from '../../../lambda/images/models/models';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

let server: Loopback;
let leaveAws: (() => void) | undefined;
let answer: (response: ServerResponse) => unknown;
const sent: { readonly request: IncomingMessage; readonly body: object }[] = [];

beforeAll(async () => {
  server = await listenOnLoopback(async (request, response) => {
    sent.push({ request, body: JSON.parse(Buffer.concat(await request.toArray()).toString()) });
    answer(response.setHeader('content-type', 'application/json'));
  });
  leaveAws = reachAwsAt(server.address);
});
beforeEach(() => sent.splice(0));
afterAll(async () => {
  leaveAws?.();
  await server?.stop();
});

const ask = (image?: Uint8Array, timeoutMs = 3_000) => {
  const settings = { kind: 'bedrock', modelId: 'amazon.nova-lite-v1:0', region: 'eu-west-1', timeoutMs };
  const request = createRequestModel(judgeSettings.read(settings), { readKey: async () => undefined });
  const question = {
    system: 'You choose.',
    text: '{"query":"lake"}',
    schema: { type: 'object' },
    name: 'judgement',
    ...(image && { image: { bytes: image, mediaType: 'image/jpeg' } as const }),
  };
  return request?.(question, new AbortController().signal);
};
const using = (...content: object[]) =>
  JSON.stringify({ output: { message: { role: 'assistant', content } }, stopReason: 'tool_use' });

it('is asked once by HTTP/1.1, with the image beside the text, and answers with the input of its tool', async () => {
  answer = (response) =>
    response.end(
      using({ text: 'Well' }, { toolUse: { toolUseId: '1', name: 'judgement', input: { a: 1 } } }),
    );
  expect(await ask(Buffer.from('jpeg'))).toBe('{"a":1}');
  expect(
    sent.map(({ request: { httpVersion, url } }) => [httpVersion, decodeURIComponent(url ?? '')]),
  ).toEqual([['1.1', '/model/amazon.nova-lite-v1:0/converse']]);
  expect(sent[0]?.body).toEqual({
    system: [{ text: 'You choose.' }],
    messages: [
      {
        role: 'user',
        content: [
          { text: '{"query":"lake"}' },
          { image: { format: 'jpeg', source: { bytes: Buffer.from('jpeg').toString('base64') } } },
        ],
      },
    ],
    inferenceConfig: { temperature: 0 },
    toolConfig: {
      tools: [{ toolSpec: { name: 'judgement', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: { tool: { name: 'judgement' } },
    },
  });
});

it.each<[string, (response: ServerResponse) => unknown, string]>([
  ['uses another tool', (response) => response.end(using({ toolUse: { name: 'x', input: {} } })), 'no tool'],
  ['says a text alone', (response) => response.end(using({ text: 'A lake' })), 'no tool'],
  [
    'has too much to do',
    (response) => response.writeHead(429, { 'x-amzn-errortype': 'ThrottlingException' }).end('{}'),
    'Bedrock answered with ThrottlingException',
  ],
  ['is late', () => undefined, 'Bedrock answered with AbortError'],
])('is asked once, and gives no answer, where it %s', async (_, script, message) => {
  answer = script;
  await expect(ask(undefined, 300)).rejects.toThrow(message);
  expect(sent).toHaveLength(1);
});
