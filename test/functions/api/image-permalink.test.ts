/** `getPermalink` of `image.ts`: the permanent URL of an image takes a size and a format only. */

import type { Caller } from '../../../lambda/credentials/caller';
import type { DeliveryDecision } from '../../../lambda/generation/decide-ai-request';
import type { ServedImage } from '../../../lambda/images/image';
import type { PermalinkRequest } from '../../../lambda/requests/image-request';
import { servedImage } from '../../fakes/values';
import { parseXml } from '../../requests/well-formed';
import { createImageService, imageTag } from './image-service';
import { liveContext } from './proxy-event';

function start(change: object = {}) {
  const calls: (readonly [PermalinkRequest, Caller])[] = [];
  const service = createImageService({
    decideAndReserve: async (request, caller) => {
      calls.push([request as PermalinkRequest, caller]);
      return { kind: 'deliver' } as DeliveryDecision;
    },
    obtainAiImage: async () => ({
      outcome: 'served',
      cache: 'HIT',
      image: { ...servedImage, source: 'ai', imageId: calls[0]?.[0].imageId, ...change } as ServedImage,
    }),
  });
  return { ...service, calls };
}

describe('permalinks', () => {
  test('a permalink without a size shows the image in its own', async () => {
    const { ask, calls } = start();
    const { status, headers } = await ask({ imageId: 'img_1', context: liveContext });
    expect(status).toBe(302);
    expect(headers).toMatchObject({ 'X-Image-Id': 'img_1', 'X-Image-Source': 'ai' });
    expect(calls[0]).toMatchObject([
      { imageId: 'img_1', size: {} },
      { kind: 'live', account: 'acc_1', plan: 'free', keyId: 'key_1' },
    ]);
  });

  test('a permalink takes only a size and a format', async () => {
    const { ask, calls } = start();
    const size = { width: ['300'], height: ['200'] };
    const query = { ...size, format: ['json'], query: ['x', 'y'], provider: ['nonsense'] };
    const { status } = await ask({ imageId: 'img_1', query });
    expect(status).toBe(200);
    await ask({ imageId: 'img_1', query: { height: ['200'] } });
    expect(calls.map(([{ size }]) => size)).toEqual([{ widthPx: 300, heightPx: 200 }, { heightPx: 200 }]);
  });

  test.each([
    ['a caller without a key', {}],
    ['an account without a signer', { context: liveContext }],
  ])('the record of a permalink has no HTML for %s', async (_, options) => {
    const { ask } = start();
    const { json } = await ask({ imageId: 'img_1', query: { format: ['json'] }, ...options });
    expect(json['html']).toBeNull();
  });

  test('a permalink is noted as published where a record names it to an account', async () => {
    const { ask, paidMarks } = start({ pick: '0123456789abcdef0123' });
    await ask({ imageId: 'img_1', context: liveContext });
    await ask({ imageId: 'img_1', query: { format: ['json'] } });
    expect(paidMarks).toEqual([]);
    await ask({ imageId: 'img_1', query: { format: ['json'] }, context: liveContext });
    expect(paidMarks).toMatchObject([{ key: expect.stringMatching(/^PAID#acc_1#/) }]);
  });

  test.each([
    ['width', 'a small width', { width: ['99'] }],
    ['height', 'a large height', { height: ['4001'] }],
    ['width', 'two widths', { width: ['300', '300'] }],
    ['format', 'another format', { format: ['xml'] }],
  ])('a permalink names only %s in the refusal of %s', async (parameter, _, query) => {
    const { ask, calls } = start();
    const { status, json } = await ask({ imageId: 'img_1', query });
    expect(status).toBe(400);
    expect(json['parameters']).toEqual([
      { parameter, bounds: expect.any(String), received: Object.values(query)[0]?.join(', ') },
    ]);
    expect(json['detail']).not.toContain('nearest');
    expect(calls).toEqual([]);
  });

  test('a permalink of an image that its caller may not see answers 404, or a card of its size', async () => {
    const { ask } = createImageService();
    const options = { imageId: 'img_1', query: { width: ['300'], height: ['200'] } };
    expect(await ask(options)).toMatchObject({
      status: 404,
      json: {
        code: 'not_found',
        detail: expect.stringMatching(/does not exist or belongs to another/),
      },
    });
    const card = await ask({ ...options, headers: imageTag });
    expect(parseXml(card.body).attributes).toMatchObject({ width: '300', height: '200' });
  });
});
