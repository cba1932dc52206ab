/** Tests `POST /api/images`: bodies, responses, usage and notes. */

import { batchBounds } from '../../lambda/contract/request-bounds';
import { postImages } from '../../lambda/pages/batch';
import { createDeferred, isSettled } from '../fakes/clock';
import { servedImage } from '../fakes/values';
import { createPageService } from './page-service';

const post = createPageService(postImages);
const writeJson = JSON.stringify;
const oneImageBody = writeJson({ images: [{ slot: 'a', query: 'lake' }] });
const twoImagesBody = writeJson({
  exclude: ['0123456789abcdef0123'],
  publish: false,
  images: [
    { slot: 'a', query: 'lake' },
    { slot: 'b', query: 'sea' },
  ],
});

test.each([
  ['first', [{}, undefined], 'a', 'b'],
  ['second', [undefined, {}], 'b', 'a'],
] as const)('if only the %s image of a batch is found, the other slot has a problem', async (...row) => {
  const [, images, slot, otherSlot] = row;
  const { result, searched } = await post(twoImagesBody, { images });
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
  const resultBySlot = JSON.parse(result.body).images;
  expect(resultBySlot[slot]).toMatchObject({ url: servedImage.location, cache: 'HIT' });
  expect(resultBySlot[slot].note).toContain('publish is false');
  expect(resultBySlot[otherSlot]).toMatchObject({ code: 'no_image_found', requestId: 'r1' });
  expect(searched).toEqual(['lake', 'sea']);
});

test('a batch counts each image in metrics and usage', async () => {
  const images = [{ pick: '0123456789abcdef0124' }, undefined];
  const { telemetry, listUsage, paidMarks } = await post(twoImagesBody, { images });
  expect(telemetry.counts).toEqual([
    { metric: 'refunds' },
    { metric: 'requests', dimensions: { source: 'stock_a', cache: 'HIT', caller: 'live' } },
    { metric: 'refusedImages', dimensions: { code: 'no_image_found' } },
  ]);
  expect(listUsage()).toEqual([{ 'n#stock_a#HIT': 1, 'k#k': 1, 'r#no_image_found': 1 }]);
  expect(paidMarks).toMatchObject([{ key: expect.stringMatching(/^PAID#acc_1#/) }]);
});

test('the refusal that a test value asks for is in no metric of a batch', async () => {
  const image = { slot: 'a', query: 'test:none', provider: 'stock_c' };
  const { result, telemetry } = await post(writeJson({ images: [image] }), { images: [] });
  expect(result).toMatchObject({ body: expect.stringContaining('no_image_found') });
  expect(telemetry.counts).toEqual([]);
});

test.each(['USAGE#', 'PAID#'] as const)('a batch is answered after %s is written', async (key) => {
  const { promise, resolve } = createDeferred<void>();
  const answering = post(oneImageBody, {
    images: [{ pick: '0123456789abcdef0124' }],
    held: { key, until: promise },
  });
  expect(await isSettled(answering)).toBe(false);
  void resolve();
  await answering;
});

describe('the body of postImages', () => {
  const padText = (bytes: number) => oneImageBody + ' '.repeat(bytes - oneImageBody.length);
  test.each<[string, string | Buffer]>([
    ['Application/JSON ; charset=utf-8', oneImageBody],
    ['application/json', Buffer.from(padText(batchBounds.bytesMax))],
    ['application/json', `\ufeff${oneImageBody}`],
  ])('a body of type %s is read even in base64 or with a byte order mark', async (type, body) => {
    expect((await post(body, { headers: { 'content-type': type } })).result).toMatchObject({ status: 200 });
  });

  const type = { 'content-type': 'application/json' };
  const inJson = 'a JSON document in UTF-8';
  test.each<[string, string | Buffer | null, object, string, string?]>([
    ['of no type', oneImageBody, {}, 'unsupported_media_type'],
    [
      'of a type that begins like JSON',
      oneImageBody,
      { 'content-type': 'application/jsonl' },
      'unsupported_media_type',
    ],
    [
      'of a type that ends like JSON',
      oneImageBody,
      { 'content-type': 'x-application/json' },
      'unsupported_media_type',
    ],
    ['one byte too long', padText(batchBounds.bytesMax + 1), type, 'content_too_large'],
    ['too long in bytes', writeJson('é'.repeat(batchBounds.bytesMax / 2)), type, 'content_too_large'],
    ['that is absent', null, type, 'invalid_parameter', inJson],
    ['that is no JSON', '{', type, 'invalid_parameter', inJson],
    ['that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), type, 'invalid_parameter', 'text in UTF-8'],
    ['of another form', '[]', type, 'invalid_parameter', 'a JSON object'],
  ])('a body %s is refused before an image is served', async (_, body, headers, code, bounds = '') => {
    const { result, searched, listUsage } = await post(body, { headers: headers as typeof type });
    const faults = bounds !== '' && { faults: [{ parameter: 'body', bounds }] };
    expect(result).toMatchObject({ refusal: { code, ...faults } });
    expect([searched, listUsage()]).toEqual([[], []]);
  });
});

test('a batch with an unknown signer is refused before a charge', async () => {
  const { result, searched } = await post(
    writeJson({ publish: 'sg_live_000000000000', images: [{ slot: 'a', query: 'lake' }] }),
  );
  expect(result).toMatchObject({ refusal: { faults: [{ parameter: 'publish' }] } });
  expect(searched).toEqual([]);
});

test('a batch without a key is refused as such, whatever its body is', async () => {
  for (const body of ['{', '{"images": []}', oneImageBody])
    expect((await post(body, { caller: { kind: 'anonymous' } })).result).toEqual({
      refusal: { code: 'authentication_required' },
    });
});

test('a refused batch takes a unit of work', async () => {
  const { result, workTaken } = await post('{"images": []}');
  expect(result).toMatchObject({ refusal: { code: 'invalid_parameter' } });
  expect(workTaken).toHaveLength(1);
  const spent = await post('{"images": []}', { isSpent: true });
  expect(spent.result).toMatchObject({ refusal: { code: 'rate_limited', kind: 'work' } });
});
