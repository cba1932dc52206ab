/** The protocol's messages: answered by JSON-RPC 2.0, within few tokens, and without what a fault says. */

import { parameterNames } from '../../../lambda/contract/parameters';
import { answerMessage, type McpBackend } from '../../../lambda/pages/mcp/protocol';
import { toolList } from '../../../lambda/pages/mcp/tools';
import { parseBatch } from '../../../lambda/pages/parse-batch';

interface InputSchema {
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly items?: InputSchema }>
  >;
}

const backend: McpBackend = {
  rootUrl: 'https://img.example',
  guide: async () => 'the guide',
  call: async (tool) => {
    if (tool === 'credits') throw new Error('secret');
    return { content: { images: 'x'.repeat(100) }, summary: 'y'.repeat(1_000) };
  },
};
const faults: unknown[] = [];
const ask = (message: unknown) => answerMessage(message, backend, (error) => faults.push(error));
const request = (method: string, params?: object) => ask({ jsonrpc: '2.0', id: 1, method, params });

describe('the protocol', () => {
  it('lists its tools in fewer than 900 tokens, at three characters each', async () => {
    expect(JSON.stringify(await toolList()).length / 3).toBeLessThan(900);
  });

  it('offers by both tools every parameter that an image of a batch takes', async () => {
    const listed = (await toolList()) as readonly {
      readonly name: string;
      readonly inputSchema: InputSchema;
    }[];
    // A list is no value of any parameter: it is refused by name where the parameter is read, and ignored elsewhere.
    const isRead = (name: string) =>
      parseBatch({ images: [{ slot: 'a', query: 'x', [name]: [] }] }).outcome === 'refused';
    const schemaOf = (tool: string): InputSchema =>
      listed.find(({ name }) => name === tool)?.inputSchema as InputSchema;
    const { slot: _, ...ofBatch } = schemaOf('find_images').properties['images']?.items?.properties ?? {};
    for (const offered of [ofBatch, schemaOf('image_url').properties])
      expect(Object.keys(offered)).toEqual(parameterNames.filter(isRead));
    for (const [name, { enum: values = [] }] of Object.entries(ofBatch))
      for (const value of values)
        expect([name, value, parseBatch({ images: [{ slot: 'a', query: 'x', [name]: value }] })]).toEqual([
          name,
          value,
          expect.objectContaining({ outcome: 'valid' }),
        ]);
  });

  it('agrees on the version that the client asks for, else offers the newest', async () => {
    expect(await request('initialize', { protocolVersion: '2025-03-26' })).toMatchObject({
      result: { protocolVersion: '2025-03-26', serverInfo: { name: 'image-redirect' } },
    });
    expect(await request('initialize', { protocolVersion: '1999-01-01' })).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
  });

  it('sends a text of at most half the structured content', async () => {
    const answer = await request('tools/call', { name: 'find_images', arguments: {} });
    const { result } = answer as { result: { content: [{ text: string }]; structuredContent: object } };
    expect(result.content[0].text.length).toBe(
      Math.floor(JSON.stringify(result.structuredContent).length / 2),
    );
    expect(result.content[0].text).toMatch(/^y+…$/);
  });

  it.each<[string, unknown, number]>([
    ['no object', 'x', -32_600],
    ['null', null, -32_600],
    ['a list of messages', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32_600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32_600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'toString' }, -32_601],
    [
      'an unknown tool',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'constructor' } },
      -32_602,
    ],
    [
      'another resource',
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///' } },
      -32_002,
    ],
  ])('refuses %s', async (_, message, code) => {
    expect(await ask(message)).toMatchObject({ error: { code } });
  });

  it('answers neither notifications nor responses', async () => {
    expect(await ask({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    expect(await ask({ jsonrpc: '2.0', id: 1, result: {} })).toBeUndefined();
  });

  it('keeps to itself what a fault says', async () => {
    const answer = await request('tools/call', { name: 'credits' });
    expect(answer).toMatchObject({ error: { code: -32_603 } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(faults).toHaveLength(1);
  });
});
