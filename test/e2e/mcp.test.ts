/** The Model Context Protocol with the official client SDK: over HTTP and over stdio. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createSigner } from '../../packages/client/src/signer';
import { runTool } from '../cli/run-tool';
import { type SharedService, sharedService } from './shared-service';

const root = join(__dirname, '../..');
let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
}, 60_000);

function overHttp(headers: Record<string, string>): Transport {
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  });
  return transport as Transport;
}

function overStdio(environment: Record<string, string>): Transport {
  const { PATH = '' } = process.env;
  return new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', '--import', 'tsx', join(root, 'bin/image-redirect.ts'), 'mcp'],
    env: { PATH, IMAGE_REDIRECT_URL: service.url, ...environment },
    cwd: root,
  });
}

async function connected<T>(transport: Transport, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** An upper estimate of tokens: the pieces that tokenizers begin with, of which each holds at most six characters. */
function tokensOf(text: string): number {
  const pieces = text.match(/ ?[A-Za-z]+|\d{1,3}| ?[^\sA-Za-z\d]+|\s+/g) ?? [];
  return pieces.reduce((sum, piece) => sum + Math.ceil(piece.length / 6), 0);
}

type Structured = {
  readonly structuredContent: Record<string, unknown>;
  readonly content: { readonly text: string }[];
};

describe.each([
  ['HTTP, with the key in X-API-Key', () => overHttp({ 'X-API-Key': service.keys.pro.live })],
  ['HTTP, with a bearer token', () => overHttp({ Authorization: `Bearer ${service.keys.pro.live}` })],
  ['stdio', () => overStdio({ IMAGE_REDIRECT_KEY: service.keys.pro.live })],
])('over %s', (_, transport) => {
  it(
    'lists four read-only tools, finds images, builds a URL that loads, and returns credits and the guide',
    () =>
      connected(transport(), async (client) => {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(['find_images', 'fill_page', 'image_url', 'credits']);
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
        expect(tokensOf(JSON.stringify(tools))).toBeLessThan(900);

        const images = [
          { slot: 'hero', query: 'mountain lake', width: 600, height: 400 },
          { slot: 'team', query: 'office desk', width: 300, height: 300 },
        ];
        const found = (await client.callTool({
          name: 'find_images',
          arguments: { images },
        })) as never as Structured;
        const records = found.structuredContent['images'] as Record<
          string,
          { url: string; pick: string; alt: string }
        >;
        expect(Object.keys(records)).toEqual(['hero', 'team']);
        expect(records['hero']).toMatchObject({ width: 600, height: 400, alt: 'mountain lake' });
        const [text] = found.content;
        expect(text?.text).toContain('hero: mountain lake');
        expect(text?.text.length).toBeLessThanOrEqual(JSON.stringify(found.structuredContent).length / 2);
        for (const { url } of Object.values(records)) expect((await fetch(url)).status).toBe(200);

        const built = (await client.callTool({
          name: 'image_url',
          arguments: { query: 'red fox', width: 320, height: 240 },
        })) as never as Structured;
        const loaded = await fetch(String(built.structuredContent['url']), {
          headers: { 'X-API-Key': service.keys.pro.live },
        });
        expect(loaded.headers.get('content-type')).toMatch(/^image\//);

        const pick = records['hero']?.pick ?? '';
        const credits = (await client.callTool({
          name: 'credits',
          arguments: { picks: [pick, 'unknown'] },
        })) as never as Structured;
        expect(credits.structuredContent['credits']).toMatchObject({
          [pick]: { creditLine: expect.any(String) },
          unknown: null,
        });
        expect(credits.content[0]?.text).toMatch(/^.+: .+\n1 unknown pick$/);

        const { resources } = await client.listResources();
        const guide = await client.readResource({ uri: resources[0]?.uri ?? '' });
        expect(guide.contents[0]).toMatchObject({ text: expect.stringContaining('# Image Redirect') });
      }),
    60_000,
  );
});

it('builds signed URLs that load over stdio where the environment names a signer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const keys = async (...args: string[]) =>
    (await runTool(['keys', ...args, '--local', service.url, '--json'], { cwd: folder })).json() as Record<
      string,
      string
    >;
  const { account = '' } = await keys('create', '--plan', 'pro', '--name', 'pages');
  const { signerId = '', secret = '' } = await keys('signer', 'create', '--account', account);
  rmSync(folder, { recursive: true });
  const signer = { id: signerId, secret };
  const environment = { IMAGE_REDIRECT_SIGNER: `${signer.id}:${signer.secret}` };
  const built = await connected(overStdio(environment), async (client) =>
    client.callTool({ name: 'image_url', arguments: { query: 'red fox', width: 320, height: 240 } }),
  );
  const { url, srcset } = (built as never as Structured).structuredContent as { url: string; srcset: string };
  const signed = createSigner(signer).sign(`${service.url}/api/image?query=red%20fox&width=320&height=240`);
  expect(url).toBe(await signed);
  const candidates = srcset.split(', ').map((each) => each.split(' ')[0] ?? '');
  for (const each of candidates) expect(each).toMatch(/&signature=[\w-]{22}$/);
  for (const each of [url, ...candidates.slice(0, 2)]) {
    const loaded = await fetch(each);
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
  // The signature is verified, and not passed over.
  expect((await fetch(url.replace('fox', 'box'))).status).toBe(401);
}, 60_000);

it('answers a tool without a key with what is missing, and a faulty one with its path', async () => {
  await connected(overHttp({}), async (client) => {
    const images = [{ slot: 'a', query: 'lake' }];
    expect(await client.callTool({ name: 'find_images', arguments: { images } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('API key') }],
    });
    expect(
      await client.callTool({ name: 'find_images', arguments: { images: [{ ...images[0], width: 5 }] } }),
    ).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('images[0].width') }] });
  });
}, 60_000);

it.each(['GET', 'DELETE'])('refuses %s, as there are no sessions', async (method) => {
  const response = await fetch(`${service.url}/mcp`, { method, headers: { Accept: 'text/event-stream' } });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST, OPTIONS');
});
