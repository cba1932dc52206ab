/** A page that was bought with a key, as its visitors see it: every image shows, and its account has paid once. */

import { get } from 'node:http';
import type { ImageRecord } from '../../lambda/images/record';
import { postJson, usedBy } from './ask';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let key: string;
beforeAll(async () => {
  service = await sharedService();
  key = service.keys.business.live;
});

const asAccount = (apiKey = key) => ({ headers: { Authorization: `Bearer ${apiKey}` } });

const used = () => usedBy(service.url, key);

/** Status and `Location` of an image load from an address of this machine, without a key. */
function visit(
  url: string,
  localAddress: string,
): Promise<{ status?: number | undefined; location?: string | undefined }> {
  const headers = { 'Sec-Fetch-Dest': 'image', Accept: 'image/webp,*/*' };
  return new Promise((resolve, reject) => {
    get(url, { localAddress, headers, agent: false }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, location: answer.headers.location });
    }).on('error', reject);
  });
}

const urlsOf = ({ src, srcset }: ImageRecord) => [
  src ?? '',
  ...(srcset ?? '').split(', ').map((each) => each.split(' ')[0] ?? ''),
];

it('shows every image, stock and AI, in every size to any number of visitors, and charges each image once', async () => {
  const before = await used();
  const size = { width: 300, height: 200 };
  const images = [
    { slot: 'a', query: 'published lake', ...size },
    { slot: 'b', query: 'published lake', seed: '3', ...size },
    { slot: 'c', query: 'published robot', provider: 'ai', style: 'dark', ...size },
  ];
  const response = await postJson(service.url, '/api/images', key, { images });
  const records = Object.values(((await response.json()) as { images: Record<string, ImageRecord> }).images);
  expect(await used()).toBe(before + 3);
  const seen = new Map<string, Set<string>>();
  for (let visitor = 1; visitor <= 20; visitor++)
    for (const record of records)
      for (const url of visitor === 1 ? urlsOf(record) : [record.src ?? '']) {
        const { status, location = '' } = await visit(url, `127.0.0.${visitor % 3 === 0 ? 1 : visitor}`);
        expect(status).toBe(302);
        seen.set(url, (seen.get(url) ?? new Set()).add(location));
      }
  for (const url of seen.keys()) {
    const [location = ''] = seen.get(url) ?? [];
    expect((await fetch(location)).status).toBe(200);
  }
  expect(await used()).toBe(before + 3);
});

it('shows a visitor who has a signed URL no usage of its account', async () => {
  const answer = await fetch(`${service.url}/api/image?query=signed+usage&format=json`, asAccount());
  const { src } = (await answer.json()) as ImageRecord;
  const { status, body } = await fetch(`${service.url}/api/usage${new URL(src ?? '').search}`).then(
    async (response) => ({ status: response.status, body: await response.json() }),
  );
  expect([status, body]).toEqual([401, expect.objectContaining({ code: 'authentication_required' })]);
});

it('has one image across orientations by its pick, which asks no search and is an account’s own for AI images', async () => {
  const recordOf = async (query: string): Promise<ImageRecord> =>
    (
      await fetch(`${service.url}/api/image?format=json&${query}`, asAccount())
    ).json() as Promise<ImageRecord>;
  const landscape = await recordOf('query=pick+of+a+page&width=400&height=200');
  const portrait = await recordOf(`pick=${landscape.pick}&width=200&height=400`);
  expect(portrait).toMatchObject({ pick: landscape.pick, width: 200, height: 400, alt: landscape.alt });
  expect((await visit(`${service.url}/api/image?pick=${landscape.pick}&width=200`, '127.0.0.1')).status).toBe(
    302,
  );
  const { pick } = await recordOf('query=pick+of+ours&provider=ai&width=200&height=200');
  const own = await fetch(`${service.url}/api/image?pick=${pick}&width=240`, {
    ...asAccount(),
    redirect: 'manual',
  });
  expect([own.status, own.headers.get('x-image-source')]).toEqual([302, 'ai']);
  const others = [{}, asAccount(service.keys.pro.live), asAccount(service.keys.business.test)];
  for (const caller of others)
    expect(
      (await fetch(`${service.url}/api/image?pick=${pick}`, { ...caller, redirect: 'manual' })).status,
    ).toBe(404);
});
