/** Who answers a request: stock, generation, an AI image's pick or a test value; and what `onmiss=ai` does. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import type { Payment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest, StockRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { aiRequest } from '../fakes/ai';
import { accountId } from '../fakes/branded';
import { imageServices } from '../fakes/image-services';
import { aContext } from '../fakes/request-context';
import { anImage, request } from '../fakes/stock';

const keyed: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const testKey: KeyedCaller = { ...keyed, kind: 'test' };
const anonymous: Caller = { kind: 'anonymous' };
const context = aContext(keyed, 0);
const refused = (code: 'no_image_found' | 'upstream_unavailable' | 'quota_exceeded', payment?: Payment) =>
  ({ outcome: 'refused', refusal: { code }, ...(payment && { payment }) }) as Answer;
const served = { outcome: 'served' } as Answer;

/** The answer, and who was asked for it with what. */
async function answered(asked: ImageRequest, caller: Caller, stock: Answer = served) {
  const calls: {
    by: string;
    request: ImageRequest;
    context: RequestContext;
  }[] = [];
  const { services } = imageServices({
    serveStock: async (request, context) => {
      calls.push({ by: 'stock', request, context });
      return stock;
    },
    serveAi: async (request, _, context) => {
      calls.push({ by: 'ai', request, context });
      return served;
    },
    servePicked: async (request, _, context) => {
      calls.push({ by: 'picked', request, context });
      return request.query === 'of no image' ? missed : served;
    },
    goneCard: async (request, context) => {
      calls.push({ by: 'test', request, context });
      return anImage;
    },
  });
  return { answer: await serveImage(services, asked, caller, context), calls };
}

const lake = request('quixotic');
const onMiss = request('quixotic', { filters: { onmiss: 'ai' } });
const picked: StockRequest = { ...lake, pick: '7f2c9b1e04d85a36c1f0' };
const drawn = { ...aiRequest, query: 'quixotic', widthPx: 1_920, heightPx: 1_080 };
const missed = refused('no_image_found');

test.each<[string, ImageRequest, Caller, Answer, readonly string[]]>([
  ['a stock image, for anybody', lake, anonymous, served, ['stock']],
  ['a stock image, for a key', lake, keyed, served, ['stock']],
  ['an AI image', drawn, keyed, served, ['ai']],
  ['an AI image by its pick', { ...drawn, pick: '7f2c9b1e04d85a36c1f0' }, keyed, served, ['picked']],
  ['a pick of a stock image', picked, keyed, served, ['stock']],
  ['a pick that no provider has', picked, keyed, missed, ['stock', 'picked']],
  ['a pick that no provider has, without a key', picked, anonymous, missed, ['stock']],
  ['a pick whose provider fails', picked, keyed, refused('upstream_unavailable'), ['stock']],
  ['an image where nothing fits', onMiss, keyed, missed, ['stock', 'ai']],
  ['an image where something fits', onMiss, keyed, served, ['stock']],
  ['an image where the providers fail', onMiss, keyed, refused('upstream_unavailable'), ['stock']],
  ['an image with a used-up quota', onMiss, keyed, refused('quota_exceeded'), ['stock']],
  ['a stock image where nothing fits', lake, keyed, missed, ['stock']],
  [
    'a pick of no image is not drawn either',
    { ...picked, query: 'of no image', filters: { onmiss: 'ai' } },
    keyed,
    missed,
    ['stock', 'picked'],
  ],
  [
    'a pick is never drawn anew',
    { ...picked, filters: { onmiss: 'ai' } },
    keyed,
    missed,
    ['stock', 'picked'],
  ],
  ['a test value with a test key', request('test:gone'), testKey, served, ['test']],
  ['a test value of the sandbox', request('test:gone', { provider: 'stock_c' }), anonymous, served, ['test']],
  ['a test value without a key', request('test:gone'), anonymous, served, ['stock']],
  ['a test value with a live key', request('test:gone'), keyed, served, ['stock']],
  ['words that only begin like one', request('test:nones'), testKey, served, ['stock']],
  ['words that hold one', request('a test:gone'), testKey, served, ['stock']],
])('%s', async (_, asked, caller, stock, by) => {
  const { calls } = await answered(asked, caller, stock);
  expect(calls.map((call) => call.by)).toEqual(by);
});

test('no stock image that fits: a private AI image of the same words and size', async () => {
  const { answer, calls } = await answered(onMiss, keyed, missed);
  expect(answer).toBe(served);
  expect(calls[1]?.request).toEqual(drawn);
});

test.each([
  ['nothing is generated', lake, missed],
  ['an outage is told', onMiss, refused('upstream_unavailable')],
])('where no other image may answer, %s', async (_, asked, stock) => {
  expect((await answered(asked, keyed, stock)).answer).toBe(stock);
});

test.each<[string, ImageRequest]>([
  ['onmiss', onMiss],
  ['a pick', picked],
])(
  'what was charged for a stock image and could not be given back pays for the next one: %s',
  async (_, asked) => {
    const rateLimit = { limit: 1, remaining: 0 } as Payment['rateLimit'];
    const owed = await answered(
      asked,
      keyed,
      refused('no_image_found', { state: 'unknown', units: [], rateLimit }),
    );
    expect(owed.calls[1]?.context).toEqual({
      ...context,
      payment: { state: 'unknown', units: [], rateLimit },
    });
    const back = await answered(
      asked,
      keyed,
      refused('no_image_found', { state: 'refunded', units: [], rateLimit }),
    );
    expect(back.calls[1]?.context).toBe(context);
  },
);

test.each<[string, ImageRequest]>([
  ['an AI image', drawn],
  ['onmiss', onMiss],
])('%s is refused without a key before anything is looked up', async (_, asked) => {
  const { answer, calls } = await answered(asked, anonymous);
  expect(answer).toEqual({ outcome: 'refused', refusal: { code: 'authentication_required' } });
  expect(calls).toEqual([]);
});
