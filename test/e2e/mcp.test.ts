/** The Model Context Protocol with the official client over HTTP, of this and of older revisions. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startFixture } from '../fakes/fixture';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);

/** The revision that a client begins with: the current one, or by a handshake one of the older ones. */
const revisions = {
  current: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  older: { versionNegotiation: { mode: 'legacy' } },
} as const;

interface Structured {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}

/** Calls tools as one client. */
async function useClient<T>(
  headers: Readonly<Record<string, string>>,
  revision: keyof typeof revisions,
  use: (client: Client, call: (name: string, args: object) => Promise<Structured>) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' }, revisions[revision]);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  try {
    return await use(client, async (name, args) => {
      const answer: unknown = await client.callTool({ name, arguments: { ...args } });
      return answer as Structured;
    });
  } finally {
    await client.close();
  }
}

const fox = { query: 'red fox', width: 320, height: 240 };

test.each([
  ['current', 'X-API-Key', ''],
  ['older', 'Authorization', 'Bearer '],
] as const)(
  'an MCP client of revision %s with its key in %s finds images and builds URLs',
  (revision, header, scheme) =>
    useClient({ [header]: `${scheme}${service.keys.business.live}` }, revision, async (client, call) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['find_images', 'build_image_url', 'fill_page']);
      const images = ['mountain lake', 'office desk'].map((query) => ({
        ...{ slot: query.replace(' ', '-'), query, width: 600, height: 400 },
      }));
      const foundImages = await call('find_images', { images });
      const records = foundImages.structuredContent['images'] as Readonly<Record<string, { url: string }>>;
      expect(Object.keys(records)).toEqual(['mountain-lake', 'office-desk']);
      expect(foundImages.content[0]?.text).toMatch(
        /^mountain-lake:\nurl: http.+\nalt: ".*mountain.*"\ncredit: ".+"\nhtml: <.+>$/m,
      );
      const builtUrls = (await call('build_image_url', fox)).structuredContent;
      expect(builtUrls['note']).toBeNull();
      const candidates = String(builtUrls['srcset']).split(', ').slice(0, 2);
      const urls = [...Object.values(records).map(({ url }) => url), String(builtUrls['url']), ...candidates];
      for (const url of urls) {
        const loaded = await fetch(url.split(' ')[0] ?? '');
        expect(loaded.headers.get('content-type')).toMatch(/^image\//);
      }
      // The signature is verified, and not passed over.
      expect((await fetch(String(builtUrls['url']).replace('fox', 'box'))).status).toBe(401);
    }),
);
