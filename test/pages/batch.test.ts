/** A batch over HTTP: which bodies are read, and what its answer, its usage and its notes hold. */

import { batchBounds } from '../../lambda/contract/batch';
import { postImages } from '../../lambda/pages/batch';
import { createDeferred, isSettled } from '../fakes/deferred';
import { anImage } from '../fakes/stock';
import { pageService } from './page-service';

const post = pageService(postImages);
const json = JSON.stringify;
const one = json({ images: [{ slot: 'a', query: 'lake' }] });
const two = json({
  exclude: ['0123456789abcdef0123'],
  publish: false,
  images: [
    { slot: 'a', query: 'lake' },
    { slot: 'b', query: 'sea' },
  ],
});

it('a batch answers each slot with its record or problem, and states what is left of the quota', async () => {
  for (const images of [
    [{}, undefined],
    [undefined, {}],
  ]) {
    const { result, searched } = await post(two, { images });
    if ('refusal' in result) throw new Error(result.refusal.code);
    expect(result).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-RateLimit-Remaining': '7',
        RateLimit: '"month";r=7;t=60',
      },
    });
    const shown = JSON.parse(result.body).images;
    const [slot, other] = images[0] ? ['a', 'b'] : ['b', 'a'];
    expect(shown[slot]).toMatchObject({ url: anImage.location, cache: 'HIT' });
    expect(shown[slot].note).toContain('publish is false');
    expect(shown[other]).toMatchObject({ code: 'no_image_found', requestId: 'r1' });
    expect(searched).toEqual(['lake', 'sea']);
  }
});

it('a batch counts each image in metrics, in the usage, and as paid for the day', async () => {
  const images = [{ pick: '0123456789abcdef0124' }, undefined];
  const { telemetry, usage, noted } = await post(two, { images });
  expect(telemetry.counts).toEqual([
    { metric: 'refunds' },
    { metric: 'requests', dimensions: { source: 'stock_a', cache: 'HIT', caller: 'live' } },
    { metric: 'refusals', dimensions: { code: 'no_image_found' } },
  ]);
  expect(usage()).toEqual([{ 'n#stock_a#HIT': 1, 'k#k': 1, 'r#no_image_found': 1 }]);
  expect(noted).toMatchObject([{ key: expect.stringMatching(/^PAID#acc_1#/) }]);
});

it.each(['USAGE#', 'PAID#'] as const)(
  'a batch is answered after %s is written, as the function is frozen then',
  async (key) => {
    const { promise, resolve } = createDeferred<void>();
    const answering = post(one, {
      images: [{ pick: '0123456789abcdef0124' }],
      held: { key, until: promise },
    });
    expect(await isSettled(answering)).toBe(false);
    void resolve();
    await answering;
  },
);

it('a batch has at most as many bytes as its bound says, and nothing is served beyond it', async () => {
  const longest = Buffer.from(one.padEnd(batchBounds.bytesMax));
  expect((await post(longest)).result).toMatchObject({ status: 200 });
  const { result, searched, usage } = await post(one.padEnd(batchBounds.bytesMax + 1));
  expect(result).toMatchObject({ refusal: { code: 'content_too_large' } });
  expect([searched, usage()]).toEqual([[], []]);
});

it('a batch that cannot be published as it says is refused before anything is charged', async () => {
  const { result, searched } = await post(
    json({ publish: 'sg_live_000000000000', images: [{ slot: 'a', query: 'lake' }] }),
  );
  expect(result).toMatchObject({ refusal: { faults: [{ parameter: 'publish' }] } });
  expect(searched).toEqual([]);
});

it('a refused batch takes a unit of work, and is rate limited once the work of its account is used up', async () => {
  const { result, taken } = await post('{"images": []}');
  expect([result, taken.length]).toEqual([
    expect.objectContaining({ refusal: expect.objectContaining({ code: 'invalid_parameter' }) }),
    1,
  ]);
  const spent = await post('{"images": []}', { isSpent: true });
  expect(spent.result).toMatchObject({ refusal: { code: 'rate_limited', kind: 'work' } });
});
