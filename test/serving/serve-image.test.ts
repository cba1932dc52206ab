/** Who answers a request: stock, generation, an AI image's pick or a test value; and `onmiss=ai`. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { UnpaidAnswer } from '../../lambda/images/answer';
import type { Answer } from '../../lambda/quota/answer';
import type { Payment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest, StockRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { imageServices } from '../fakes/image-services';
import { aContext, accountId, aiRequest, anImage, noImage, request } from '../fakes/values';

const keyed: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const testKey: KeyedCaller = { ...keyed, kind: 'test' };
const anonymous: Caller = { kind: 'anonymous' };
const context = aContext(keyed, 0);
const refused = (code: 'no_image_found' | 'upstream_unavailable' | 'generation_paused') =>
  ({ outcome: 'refused', refusal: { code } }) as UnpaidAnswer;
const served = { outcome: 'served' } as Answer;
const found: UnpaidAnswer = { outcome: 'served', image: anImage, cache: 'MISS' };

/** The answer, and who was asked for it with what. @param isLost whether the answer to the charge is lost */
async function answered(asked: ImageRequest, caller: Caller, stock: UnpaidAnswer = found, isLost = false) {
  const calls: { by: string; request: ImageRequest; settledPayment?: Payment | undefined }[] = [];
  const { services, limits } = imageServices({
    findImage: async (request) => {
      calls.push({ by: 'stock', request });
      return stock;
    },
    async serveAiByWordsOrPick(request, _, { settledPayment }: RequestContext) {
      const isByWords = request.source === 'ai' && request.pick === undefined;
      calls.push({ by: isByWords ? 'ai' : 'picked', request, settledPayment });
      return request.query === 'of no image' ? noImage : served;
    },
    renderGoneCard: async () => {
      calls.push({ by: 'test', request: asked });
      return { outcome: 'stored', image: anImage, isNew: true };
    },
  });
  if (isLost) limits.script.push('unknown');
  return { answer: await serveImage(services, asked, caller, context), calls };
}

const lake = request('quixotic');
const onMiss = request('quixotic', { filters: { onmiss: 'ai' } });
const picked: StockRequest = { ...lake, pick: '7f2c9b1e04d85a36c1f0' };
const drawn = { ...aiRequest, query: 'quixotic', widthPx: 1_920, heightPx: 1_080 };
const missed: UnpaidAnswer = noImage;

describe('requests', () => {
  test.each<[string, ImageRequest, Caller, UnpaidAnswer, readonly string[]]>([
    ['a stock image, for anybody', lake, anonymous, found, ['stock']],
    ['a stock image, for a key', lake, keyed, found, ['stock']],
    ['an AI image', drawn, keyed, found, ['ai']],
    ['an AI image by its pick', { ...drawn, pick: '7f2c9b1e04d85a36c1f0' }, keyed, found, ['picked']],
    ['a pick of a stock image', picked, keyed, found, ['stock']],
    ['a pick that no provider has', picked, keyed, missed, ['stock', 'picked']],
    ['a pick that no provider has, without a key', picked, anonymous, missed, ['stock']],
    ['a pick whose provider fails', picked, keyed, refused('upstream_unavailable'), ['stock']],
    ['an image where nothing fits', onMiss, keyed, missed, ['stock', 'ai']],
    ['an image where something fits', onMiss, keyed, found, ['stock']],
    ['an image where the providers fail', onMiss, keyed, refused('upstream_unavailable'), ['stock']],
    ['an image where the day is used up', onMiss, keyed, refused('generation_paused'), ['stock']],
    ['a stock image where nothing fits', lake, keyed, missed, ['stock']],
    [
      'a pick of no image, which is not drawn either,',
      { ...picked, query: 'of no image', filters: { onmiss: 'ai' } },
      keyed,
      missed,
      ['stock', 'picked'],
    ],
    [
      'a pick, which is never drawn anew,',
      { ...picked, filters: { onmiss: 'ai' } },
      keyed,
      missed,
      ['stock', 'picked'],
    ],
    ['a test value with a test key', request('test:gone'), testKey, found, ['test']],
    ['a test value of the sandbox', request('test:gone', { source: 'stock_c' }), anonymous, found, ['test']],
    [
      'one of the sandbox with a live key',
      request('test:gone', { source: 'stock_c' }),
      keyed,
      found,
      ['test'],
    ],
    ['a test value without a key', request('test:gone'), anonymous, found, ['stock']],
    ['a test value with a live key', request('test:gone'), keyed, found, ['stock']],
    ['words that only begin like one', request('test:nones'), testKey, found, ['stock']],
    ['words that hold one', request('a test:gone'), testKey, found, ['stock']],
  ])('%s is asked of its sources in their order', async (_, asked, caller, stock, by) => {
    const { calls } = await answered(asked, caller, stock);
    expect(calls.map((call) => call.by)).toEqual(by);
  });

  test('a request with onmiss=ai gets a private AI image of its words where no stock image fits', async () => {
    const { answer, calls } = await answered(onMiss, keyed, missed);
    expect(answer).toBe(served);
    expect(calls[1]?.request).toEqual(drawn);
  });

  test.each<[string, ImageRequest]>([
    ['onmiss', onMiss],
    ['a pick', picked],
  ])('an unrefunded charge of a stock image pays for the AI image: %s', async (_, asked) => {
    const owed = await answered(asked, keyed, missed, true);
    expect(owed.calls[1]?.settledPayment).toMatchObject({ state: 'unknown' });
    const back = await answered(asked, keyed, missed);
    expect(back.calls[1]?.settledPayment).toBeUndefined();
  });

  test('a pick without an image is answered with what became of its charge', async () => {
    const { answer } = await answered({ ...picked, query: 'of no image' }, keyed, missed);
    expect(answer).toMatchObject({ refusal: { code: 'no_image_found' }, payment: { state: 'refunded' } });
  });

  test.each<[string, ImageRequest]>([
    ['an AI image', drawn],
    ['onmiss', onMiss],
  ])('%s needs a key, without which nothing is looked up', async (_, asked) => {
    const { answer, calls } = await answered(asked, anonymous);
    expect(answer).toEqual({ outcome: 'refused', refusal: { code: 'authentication_required' } });
    expect(calls).toEqual([]);
  });
});
