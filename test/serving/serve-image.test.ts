/** `serveImage`: where the image of a request is looked up, and who pays when another image replaces it. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { AiDecision } from '../../lambda/generation/decide-ai-request';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import type { AiRequest, ImageRequest, StockRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { createScriptedServices } from '../fakes/image-services';
import {
  aiRequest,
  makeAccountId,
  makeContext,
  makeStockRequest,
  noImage,
  servedImage,
} from '../fakes/values';

const keyed: KeyedCaller = { kind: 'live', account: makeAccountId('acc_1'), plan: 'free', keyId: 'key_1' };
const testKey: KeyedCaller = { ...keyed, kind: 'test' };
const anonymous: Caller = { kind: 'anonymous' };
const context = makeContext(keyed, 0);
const makeRefusal = (code: 'no_image_found' | 'upstream_unavailable') =>
  ({ outcome: 'refused', refusal: { code } }) as ImageOutcome;
const servedOutcome = { outcome: 'served', image: servedImage, cache: 'MISS' } as const;
const anAiImage = { ...servedImage, source: 'ai' } as const;

/** The refusals of alternatives: the first is gone, the second is refused. */
const alternativeCodes = [undefined, 'not_found', 'content_refused'] as const;

/** Serves a request. Returns the answer with the calls of parts. @param isLost the response to the charge is lost */
async function serveScripted(
  request: ImageRequest,
  caller: Caller,
  stock: ImageOutcome = servedOutcome,
  { isLost = false, onmissRequest = undefined as AiRequest | undefined } = {},
) {
  const calls: { part: string; request: ImageRequest }[] = [];
  const decision = { kind: 'await' } as AiDecision;
  const { services, limits } = createScriptedServices({
    obtainStockImage: async (request) => {
      calls.push({ part: 'stock', request });
      return stock;
    },
    async decideAndReserve(aiRequest) {
      const request = aiRequest as AiRequest;
      calls.push({ part: 'ai', request });
      const code = request.query === 'of no image' ? 'no_image_found' : alternativeCodes[request.alt ?? 0];
      return code ? { outcome: 'refused', refusal: { code } } : decision;
    },
    async decideRequestByPick(request) {
      calls.push({ part: 'picked', request });
      return request.query === 'of no image' ? noImage : decision;
    },
    obtainAiImage: async () => ({ ...servedOutcome, image: anAiImage }),
    renderGoneCard: async () => {
      calls.push({ part: 'test', request });
      return { outcome: 'stored', image: servedImage, isNew: true };
    },
  });
  if (isLost) limits.script.push('unknown');
  const answer = await serveImage(services, { request, caller, context }, onmissRequest);
  const unitsTaken = limits.calls.filter(({ operation }) => operation === 'take').length;
  return { answer, calls, unitsTaken };
}

const lake = makeStockRequest('quixotic');
const onMiss = makeStockRequest('quixotic', { filters: { onmiss: 'ai' } });
const pickRequest: StockRequest = { ...lake, pick: '7f2c9b1e04d85a36c1f0' };
const aiLakeRequest = { ...aiRequest, query: 'quixotic', widthPx: 1_920, heightPx: 1_080 };

describe('serveImage', () => {
  const aiPickRequest = { ...aiLakeRequest, pick: '7f2c9b1e04d85a36c1f0' };
  const pickOrDraw: StockRequest = { ...pickRequest, filters: { onmiss: 'ai' } };
  const sandboxTest = makeStockRequest('test:gone', { source: 'stock_c' });
  const providerDown = makeRefusal('upstream_unavailable');
  const makeRow = (
    asked: string,
    request: ImageRequest,
    calledParts: readonly string[],
    { caller = keyed as Caller, stock = servedOutcome as ImageOutcome } = {},
  ) => ({ asked, request, caller, stock, calledParts });
  test.each([
    makeRow('a stock image without a key', lake, ['stock'], { caller: anonymous }),
    makeRow('a stock image with a key', lake, ['stock']),
    makeRow('a stock image that does not exist', lake, ['stock'], { stock: noImage }),
    makeRow('an AI image', aiLakeRequest, ['ai']),
    makeRow('an alternative that is gone', { ...aiLakeRequest, alt: 1 }, ['ai', 'ai']),
    makeRow('an alternative that is refused', { ...aiLakeRequest, alt: 2 }, ['ai']),
    makeRow('an AI image by its pick', aiPickRequest, ['ai']),
    makeRow('a pick of a stock image', pickRequest, ['stock']),
    makeRow('a pick that no provider has', pickRequest, ['stock', 'picked'], { stock: noImage }),
    makeRow('an unknown pick without a key', pickRequest, ['stock'], { stock: noImage, caller: anonymous }),
    makeRow('a pick of a failing provider', pickRequest, ['stock'], { stock: providerDown }),
    makeRow('a pick with onmiss=ai', pickOrDraw, ['stock', 'picked'], { stock: noImage }),
    makeRow('an unknown pick with onmiss=ai', { ...pickOrDraw, query: 'of no image' }, ['stock', 'picked'], {
      stock: noImage,
    }),
    makeRow('a miss with onmiss=ai', onMiss, ['stock', 'ai'], { stock: noImage }),
    makeRow('a stock image with onmiss=ai', onMiss, ['stock']),
    makeRow('onmiss=ai of a failing provider', onMiss, ['stock'], { stock: providerDown }),
    makeRow('a test value with a test key', makeStockRequest('test:gone'), ['test'], { caller: testKey }),
    makeRow('a test value without a key', makeStockRequest('test:gone'), ['stock'], { caller: anonymous }),
    makeRow('a test value with a live key', makeStockRequest('test:gone'), ['stock']),
    makeRow('a test value of the sandbox without a key', sandboxTest, ['test'], { caller: anonymous }),
    makeRow('a test value of the sandbox with a live key', sandboxTest, ['test']),
    makeRow('a query that begins like a test value', makeStockRequest('test:nones'), ['stock'], {
      caller: testKey,
    }),
  ])('$asked is looked up in $calledParts', async ({ request, caller, stock, calledParts }) => {
    const { calls } = await serveScripted(request, caller, stock);
    expect(calls.map(({ part }) => part)).toEqual(calledParts);
  });

  test('if no stock image fits, onmiss=ai gives a private AI image of the same words', async () => {
    const { answer, calls } = await serveScripted(onMiss, keyed, noImage);
    expect(answer).toMatchObject({ image: anAiImage });
    expect(calls[1]?.request).toEqual(aiLakeRequest);
    const onmissRequest = { ...aiLakeRequest, style: 'dark' } as const;
    const inStyle = await serveScripted(onMiss, keyed, noImage, { onmissRequest });
    expect(inStyle.calls[1]?.request).toEqual(onmissRequest);
  });

  test('when the charge of a missed stock image cannot be refunded, it pays for the AI image', async () => {
    const afterLostCharge = await serveScripted(onMiss, keyed, noImage, { isLost: true });
    expect(afterLostCharge).toMatchObject({ answer: { payment: { state: 'unknown' } }, unitsTaken: 1 });
    const afterRefund = await serveScripted(onMiss, keyed, noImage);
    expect(afterRefund).toMatchObject({ answer: { payment: { state: 'charged' } }, unitsTaken: 2 });
  });

  test('the pick of an AI image is charged once', async () => {
    const { answer, unitsTaken } = await serveScripted(pickRequest, keyed, noImage);
    const payment = { state: 'charged', rateLimit: { generations: { limit: 25 } } };
    expect([answer, unitsTaken]).toMatchObject([{ image: anAiImage, payment }, 1]);
  });

  test.each([
    ['a pick', pickRequest],
    ['a request with onmiss=ai', onMiss],
  ])('the refusal of %s without an image has its refunded payment', async (_, request) => {
    const { answer } = await serveScripted({ ...request, query: 'of no image' }, keyed, noImage);
    expect(answer).toMatchObject({ refusal: { code: 'no_image_found' }, payment: { state: 'refunded' } });
  });

  test.each<[string, ImageRequest]>([
    ['an AI image', aiLakeRequest],
    ['a request with onmiss=ai', onMiss],
  ])('without a key, %s is refused before it is looked up', async (_, request) => {
    const { answer, calls } = await serveScripted(request, anonymous);
    expect(answer).toEqual({ outcome: 'refused', refusal: { code: 'authentication_required' } });
    expect(calls).toEqual([]);
  });
});
