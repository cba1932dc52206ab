/** The Model Context Protocol with the official client over HTTP, of the current revision and of older ones. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const about = { name: 'test', version: '1.0.0' };
/** The revision that a client begins with: the current one, or by a handshake one of the older ones. */
const clients = {
  current: () => new Client(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  older: () => new Client(about, { versionNegotiation: { mode: 'legacy' } }),
};
type Revision = keyof typeof clients;

const overHttp = (headers: Record<string, string>) =>
  new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } });

async function connected<T>(
  transport: StreamableHTTPClientTransport,
  use: (client: Client) => Promise<T>,
  revision: Revision = 'current',
): Promise<T> {
  const client = clients[revision]();
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

type Structured = {
  readonly structuredContent: Record<string, unknown>;
  readonly content: { readonly text: string }[];
};

it.each<readonly [string, Revision, () => StreamableHTTPClientTransport]>([
  ['HTTP, with the key in X-API-Key', 'current', () => overHttp({ 'X-API-Key': service.keys.pro.live })],
  [
    'HTTP, with a bearer token',
    'older',
    () => overHttp({ Authorization: `Bearer ${service.keys.pro.live}` }),
  ],
])(
  'over %s, the %s revision lists its tools, finds images, builds a URL that loads, and returns the guide',
  (_, revision, transport) =>
    connected(
      transport(),
      async (client) => {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(['find_images', 'build_image_url', 'fill_page']);

        const images = [
          { slot: 'hero', query: 'mountain lake', width: 600, height: 400 },
          { slot: 'team', query: 'office desk', width: 300, height: 300 },
        ];
        const found = (await client.callTool({
          name: 'find_images',
          arguments: { images },
        })) as never as Structured;
        const records = found.structuredContent['images'] as Record<string, { url: string; alt: string }>;
        expect(Object.keys(records)).toEqual(['hero', 'team']);
        expect(records['hero']).toMatchObject({
          width: 600,
          height: 400,
          alt: expect.stringContaining('mountain'),
        });
        expect(found.content[0]?.text).toMatch(
          /^hero:\nurl: http.+\nalt: ".*mountain.*"\ncredit: ".+"\nhtml: <.+>$/m,
        );
        for (const { url } of Object.values(records)) expect((await fetch(url)).status).toBe(200);

        const built = (await client.callTool({
          name: 'build_image_url',
          arguments: { query: 'red fox', width: 320, height: 240 },
        })) as never as Structured;
        const loaded = await fetch(String(built.structuredContent['url']));
        expect(loaded.headers.get('content-type')).toMatch(/^image\//);

        const { resources } = await client.listResources();
        const guide = await client.readResource({ uri: resources[0]?.uri ?? '' });
        expect(guide.contents[0]).toMatchObject({ text: expect.stringContaining('# Image Redirect') });
      },
      revision,
    ),
);

it('builds URLs that every visitor loads, where the host has a key, and says what they are without one', async () => {
  const build = async (transport: StreamableHTTPClientTransport) => {
    const call = { name: 'build_image_url', arguments: { query: 'red fox', width: 320, height: 240 } };
    const built = await connected(transport, async (client) => client.callTool(call));
    return (built as never as Structured).structuredContent as { url: string; srcset: string; note: string };
  };
  const { url, srcset, note } = await build(overHttp({ 'X-API-Key': service.keys.business.live }));
  expect(note).toBeNull();
  const candidates = srcset.split(', ').map((each) => each.split(' ')[0] ?? '');
  for (const each of [url, ...candidates.slice(0, 2)]) {
    const loaded = await fetch(each);
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
  // The signature is verified, and not passed over.
  expect((await fetch(url.replace('fox', 'box'))).status).toBe(401);
  expect(await build(overHttp({}))).toMatchObject({
    url: expect.not.stringContaining('signature'),
    note: expect.stringContaining('With an API key, they are published'),
  });
});

it('challenges a wrong key with metadata that names the documentation, and no authorization server', async () => {
  const refused = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer pk_live_wrong' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const [, url = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  expect([refused.status, url]).toEqual([401, `${service.url}/.well-known/oauth-protected-resource`]);
  const metadata = (await (await fetch(url)).json()) as object;
  expect(metadata).toEqual({
    resource: service.url,
    resource_name: 'Image Redirect',
    resource_documentation: `${service.url}/`,
    bearer_methods_supported: ['header'],
  });
  expect(await (await fetch(`${url}/mcp`)).json()).toEqual({ ...metadata, resource: `${service.url}/mcp` });
});

it.each(['GET', 'DELETE'])('refuses %s, as there are no sessions', async (method) => {
  const response = await fetch(`${service.url}/mcp`, { method, headers: { Accept: 'text/event-stream' } });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST, OPTIONS');
});
