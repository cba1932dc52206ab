/** What `onmiss=ai` does: an image is generated where no stock image fits, for callers with a key. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { ImageRequest } from '../../lambda/requests/image-request';
import { createServeImage } from '../../lambda/serving/serve-image';
import { request } from '../stock/stock-bench';

const keyed = { kind: 'live' } as unknown as KeyedCaller;
const anonymous: Caller = { kind: 'anonymous' };
const context = {} as RequestContext;
const refused = (code: 'no_image_found' | 'upstream_unavailable' | 'quota_exceeded') =>
  ({ outcome: 'refused', refusal: { code } }) as Answer;
const served = { outcome: 'served' } as Answer;

/** What was generated for a stock answer. */
async function generatedFor(stock: Answer, asked: ImageRequest, caller: Caller = keyed) {
  const generated: ImageRequest[] = [];
  const serve = createServeImage(
    async () => stock,
    async (ai) => {
      generated.push(ai);
      return served;
    },
    () => Promise.reject(new Error('No pick is requested')),
  );
  return { answer: await serve(asked, caller, context), generated };
}

const onMiss = request('quixotic', { filters: { onmiss: 'ai' } });

test('no stock image that fits: a private AI image of the same words and size', async () => {
  const { answer, generated } = await generatedFor(refused('no_image_found'), onMiss);
  expect(answer).toBe(served);
  expect(generated).toEqual([
    {
      query: 'quixotic',
      widthPx: 1_920,
      heightPx: 1_080,
      asJson: false,
      provider: 'ai',
      style: 'photo',
      visibility: 'private',
    },
  ]);
});

test.each([
  ['a stock image that fits', served, onMiss],
  ['an outage of the providers', refused('upstream_unavailable'), onMiss],
  ['a used-up quota', refused('quota_exceeded'), onMiss],
  ['no onmiss', refused('no_image_found'), request('quixotic')],
])('%s: nothing is generated', async (_, stock, asked) => {
  const { answer, generated } = await generatedFor(stock, asked);
  expect(answer).toBe(stock);
  expect(generated).toEqual([]);
});

test('without a key it is refused before anything is looked up', async () => {
  const { answer, generated } = await generatedFor(served, onMiss, anonymous);
  expect(answer).toEqual({ outcome: 'refused', refusal: { code: 'authentication_required' } });
  expect(generated).toEqual([]);
});
