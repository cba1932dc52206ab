/** The client package against the service: the records that it declares are those that the service sends. */

import {
  fetchBatch,
  fetchRecord,
  hosts,
  imageProps,
  imageUrl,
  isProblem,
} from '../../packages/client/src/client';
import { fixtureOf } from '../fakes/fixture';
import { sharedService } from './shared-service';

const service = fixtureOf(sharedService);

const spec = { query: 'mountain lake', width: 600, height: 400 };
const statusesOf = (urls: readonly string[], headers: Record<string, string> = keyed()) =>
  Promise.all(urls.map(async (url) => (await fetch(url, { redirect: 'manual', headers })).status));
const keyed = () => ({ 'X-API-Key': service.keys.pro.live });
const urlsOf = (srcset: string) => srcset.split(', ').map((each) => each.split(' ')[0] ?? '');

it('the client reads a record, whose URLs all load', async () => {
  const record = await fetchRecord(service.url, spec, { key: service.keys.pro.live });
  expect(record).toEqual({
    url: expect.stringMatching(/^http/),
    width: 600,
    height: 400,
    source: 'stock_a',
    cache: expect.stringMatching(/^(HIT|MISS)$/),
    imageId: null,
    attribution: expect.objectContaining({ creditLine: expect.any(String) }),
    alt: 'Drawing: mountain, lake',
    altLang: 'en',
    title: 'mountain, lake',
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    placeholder: {
      dataUri: expect.stringMatching(/^data:image\/webp;base64,/),
    },
    fit: expect.stringMatching(/^(exact|partial|loose)$/),
    fallback: null,
    pick: expect.stringMatching(/^[0-9a-f]{20}$/),
    src: expect.stringMatching(/&pick=[0-9a-f]{20}&.*&signature=/),
    srcset: expect.stringContaining(' 640w'),
    note: null,
    aiGenerated: false,
    html: expect.stringMatching(/^<(img|figure)/),
    expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect((await fetch(record.url)).headers.get('content-type')).toMatch(/^image\//);
  // They are signed, so they need no key.
  const statuses = await statusesOf(urlsOf(record.srcset ?? ''), {});
  expect(new Set(statuses)).toEqual(new Set([302]));
  expect(hosts(record)).toContain(new URL(service.url).origin);
});

it('the client reads a batch as records by slot, and as a problem where a slot has no image', async () => {
  const images = await fetchBatch(
    service.url,
    {
      exclude: [],
      images: [
        { slot: 'hero', query: 'mountain lake', ratio: '3:2', width: 600 },
        { slot: 'also', query: 'mountain lake', width: 300, height: 300 },
        { slot: 'drawn', query: 'red fox', provider: 'ai', width: 300, height: 300 },
        { slot: 'again', query: 'red fox', provider: 'ai', width: 600, height: 600 },
      ],
    },
    { key: service.keys.pro.live },
  );
  const { hero, also, drawn, again } = images;
  if (!hero || !also || !drawn || !again) throw new Error('A slot is missing.');
  if (isProblem(hero) || isProblem(also) || isProblem(drawn)) throw new Error(JSON.stringify(images));
  expect([hero.width, hero.height, also.width]).toEqual([600, 400, 300]);
  expect(hero.pick).not.toBe(also.pick);
  expect(drawn).toMatchObject({ source: 'ai', srcset: expect.stringContaining('&signature='), fit: null });
  expect(isProblem(again) && again).toMatchObject({ code: 'duplicate_image', status: 409 });
});

it('the client builds attributes of which every URL is answered', async () => {
  const { src, srcSet } = imageProps(service.url, { ...spec, alt: 'A lake' });
  const statuses = await statusesOf([src, imageUrl(service.url, spec), ...urlsOf(srcSet)]);
  expect(new Set(statuses)).toEqual(new Set([302]));
});
