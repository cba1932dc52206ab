/** Who answers a request: stock, generation, an AI image's pick or a test value; and `onmiss=ai`. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { AiPlan } from '../../lambda/generation/plan-ai-image';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import type { ImageRequest, StockRequest } from '../../lambda/requests/image-request';
import { serveImage } from '../../lambda/serving/serve-image';
import { imageServices } from '../fakes/image-services';
import { aContext, accountId, aiRequest, anImage, noImage, request } from '../fakes/values';

const keyed: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const testKey: KeyedCaller = { ...keyed, kind: 'test' };
const anonymous: Caller = { kind: 'anonymous' };
const context = aContext(keyed, 0);
const refused = (code: 'no_image_found' | 'upstream_unavailable') =>
  ({ outcome: 'refused', refusal: { code } }) as ImageOutcome;
const found = { outcome: 'served', image: anImage, cache: 'MISS' } as const;
const anAiImage = { ...anImage, source: 'ai' } as const;

/** The answer, and who was asked for it with what. @param isLost whether the answer to the charge is lost */
async function answered(asked: ImageRequest, caller: Caller, stock: ImageOutcome = found, isLost = false) {
  const calls: { by: string; request: ImageRequest }[] = [];
  const plan = { kind: 'make' } as AiPlan;
  const { services, limits } = imageServices({
    findImage: async (request) => {
      calls.push({ by: 'stock', request });
      return stock;
    },
    async planAiImage(request) {
      calls.push({ by: 'ai', request });
      return plan;
    },
    async planAiPick(request) {
      calls.push({ by: 'picked', request });
      return request.query === 'of no image' ? noImage : plan;
    },
    makeAiImage: async () => ({ ...found, image: anAiImage }),
    renderGoneCard: async () => {
      calls.push({ by: 'test', request: asked });
      return { outcome: 'stored', image: anImage, isNew: true };
    },
  });
  if (isLost) limits.script.push('unknown');
  const answer = await serveImage(services, asked, caller, context);
  const unitsTaken = limits.calls.filter(({ operation }) => operation === 'take').length;
  return { answer, calls, unitsTaken };
}

const lake = request('quixotic');
const onMiss = request('quixotic', { filters: { onmiss: 'ai' } });
const picked: StockRequest = { ...lake, pick: '7f2c9b1e04d85a36c1f0' };
const drawn = { ...aiRequest, query: 'quixotic', widthPx: 1_920, heightPx: 1_080 };
const missed: ImageOutcome = noImage;

describe('requests', () => {
  test.each<[string, ImageRequest, Caller, ImageOutcome, readonly string[]]>([
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
  ])('%s is asked of its sources in their order', async (_, asked, caller, stock, by) => {
    const { calls } = await answered(asked, caller, stock);
    expect(calls.map((call) => call.by)).toEqual(by);
  });

  test('a request with onmiss=ai gets a private AI image of its words where no stock image fits', async () => {
    const { answer, calls } = await answered(onMiss, keyed, missed);
    expect(answer).toMatchObject({ image: anAiImage });
    expect(calls[1]?.request).toEqual(drawn);
  });

  test('a charge that is not given back for a missed image pays for the AI image in its place', async () => {
    const owed = await answered(onMiss, keyed, missed, true);
    expect(owed).toMatchObject({ answer: { payment: { state: 'unknown' } }, unitsTaken: 1 });
    const back = await answered(onMiss, keyed, missed);
    expect(back).toMatchObject({ answer: { payment: { state: 'charged' } }, unitsTaken: 2 });
  });

  test('the pick of an AI image is charged once', async () => {
    const { answer, unitsTaken } = await answered(picked, keyed, missed);
    expect([answer, unitsTaken]).toMatchObject([{ image: anAiImage, payment: { state: 'charged' } }, 1]);
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
