/** A request whose image is lost, made again and lost again says whether a charge of it stands. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Generation } from '../../lambda/generation/generation';
import { quotaOf, rateLimitStatusOf } from '../../lambda/quota/quota';
import { aiCaller, aiRequest } from '../fakes/ai';
import { imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { aContext, generousLedger } from '../fakes/request-context';
import { serveAiWith, servedMs } from '../fakes/serve-ai';
import { anImage } from '../fakes/stock';

test.each([
  { refunds: [true, true], state: 'refunded' },
  { refunds: [true, false], state: 'owed' },
  { refunds: [false], state: 'owed' },
])('refunds that went through: $refunds → $state', async ({ refunds, state }) => {
  const left = [...refunds];
  const quota = quotaOf(aiCaller, '', defaultPlans, servedMs);
  const rateLimit = rateLimitStatusOf(quota, 1);
  const serve = serveAiWith({
    index: { markLost: async () => true },
    renditions: { isMade: async () => true, deliver: async () => ({ outcome: 'lost' }) },
    ledger: {
      ...generousLedger(rateLimit),
      refund: async (_, payment) =>
        payment.state === 'charged' ? { state: left.shift() ? 'refunded' : 'owed', rateLimit } : payment,
    },
  });
  const answer = await serve(aiRequest, aiCaller, aContext(aiCaller, servedMs));
  expect(answer).toMatchObject({
    outcome: 'refused',
    refusal: { code: 'upstream_unavailable' },
    payment: { state },
  });
});

test('an image of others that is lost gives way to the next one, though the listing still holds it', async () => {
  const [lost, next] = ['b', 'c'].map((digit) =>
    readyGeneration(imageKey(`G#live#acc_2#public#${digit.repeat(64)}`), `masters/${digit}/01/master.png`),
  ) as [Generation, Generation];
  const ended: string[] = [];
  const serve = serveAiWith({
    index: {
      publicOf: async () => [{ ...lost, due: true }, next],
      markLost: async () => Boolean(ended.push('lost')),
      takeDelivery: async () => Boolean(ended.push('taken')),
    },
    make: () => Promise.reject(new Error('It is there')),
    renditions: {
      isMade: async () => true,
      deliver: async ({ key: of }) =>
        of === lost.key ? { outcome: 'lost' } : { outcome: 'delivered', image: { ...anImage, imageId: of } },
    },
  });
  expect(await serve({ ...aiRequest, alt: 1 }, aiCaller, aContext(aiCaller, servedMs))).toMatchObject({
    outcome: 'served',
    image: { imageId: next.key },
    payment: { state: 'free', because: 'alternative' },
  });
  // What its account has paid for stays due.
  expect(ended).toEqual([]);
});
