/** What an image is ordered with: the limits that it counts in, for whom and until when. */

import { monthWindow } from '../../lambda/base/window';
import { defaultPlans, testGenerationsAtOnce } from '../../lambda/contract/plans';
import { renditionReserveMs } from '../../lambda/contract/timeouts';
import { nameOfCeiling } from '../../lambda/generation/generation-job';
import type { ImageOrder } from '../../lambda/generation/lead-generation';
import type { ServeAiDeps } from '../../lambda/generation/serve-ai';
import { type Refusal, throttleRefusal } from '../../lambda/problems/problem';
import { refusedPromptsOf } from '../../lambda/quota/fair-use';
import type { Payment } from '../../lambda/quota/payment';
import type { RequestContext } from '../../lambda/quota/request-context';
import type { AiRequest } from '../../lambda/requests/image-request';
import { aiCaller, aiRequest } from '../fakes/ai';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { servedGeneration as generation, serveAiWith, servedMs } from '../fakes/serve-ai';

type Change = Parameters<typeof serveAiWith>[0];

async function ordersOf(
  kind: 'live' | 'test',
  change: Change = {},
  how: Partial<AiRequest> = {},
  paid: Partial<RequestContext> = {},
) {
  const orders: ImageOrder[] = [];
  const by = { ...aiCaller, kind, maxPerMonth: 7 };
  const context = aContext(by, servedMs, paid);
  const serve = serveAiWith({
    index: { read: async () => undefined, takeDelivery: async () => true },
    make: async (order) => {
      orders.push(order);
      return { outcome: 'ready', generation, led: true };
    },
    generationsPerDay: 50,
    ...change,
  });
  const answer = await serve({ ...aiRequest, ...how }, by, context);
  return { orders, context, answer };
}

it.each<[string, 'live' | 'test', Change, readonly string[]]>([
  ['of a live key', 'live', {}, ['month', 'day']],
  ['of a live key, without a ceiling of the operator', 'live', { generationsPerDay: undefined }, ['month']],
  ['of a test key, which the sandbox draws', 'test', {}, ['month']],
  ['of a test key, with the real generator', 'test', { testKeysGenerate: true }, ['month', 'day']],
])('an image %s counts in its ceilings alone', async (_, kind, change, ceilings) => {
  const { orders } = await ordersOf(kind, change);
  expect(orders.map((order) => order.ceilings.map(nameOfCeiling))).toEqual([ceilings]);
});

it('counts AI images of live and test keys apart; those of test keys are the same few on every plan', async () => {
  const month = async (kind: 'live' | 'test') => (await ordersOf(kind)).orders[0]?.ceilings[0];
  const [live, test] = [await month('live'), await month('test')];
  expect([live?.limit, test?.limit]).toEqual([defaultPlans[aiCaller.plan].generationsPerMonth, 25]);
  expect(live?.counter).not.toEqual(test?.counter);
});

it.each(['live', 'test'] as const)(
  'an image of a %s key is made within the limits of its credential',
  async (kind) => {
    const { orders, context } = await ordersOf(kind);
    const { generationsAtOnce } = defaultPlans[aiCaller.plan];
    expect(orders).toMatchObject([
      {
        limits: {
          quota: context.quota,
          heldMax: kind === 'test' ? testGenerationsAtOnce : generationsAtOnce,
        },
        credentialLimits: context.credentialLimits,
        isFree: false,
        refusedPrompts: refusedPromptsOf(`${kind}#${aiCaller.account}`, servedMs),
        deadlineMs: context.deadlineMs - renditionReserveMs,
      },
    ]);
    expect(context.credentialLimits).toHaveLength(1);
  },
);

it('a variation that exists is free, and is not made again', async () => {
  const index = { read: async () => generation };
  const { orders, answer } = await ordersOf('live', { index }, { variation: 3 });
  expect([orders, answer]).toMatchObject([
    [],
    { outcome: 'served', payment: { state: 'free', because: 'variation' } },
  ]);
});

it('a variation is made for nothing, from the master of its base', async () => {
  const { orders } = await ordersOf('live', {}, { variation: 3 });
  expect(
    orders.map(({ isFree, basePath, identity }) => [isFree, basePath, identity.order.variation]),
  ).toEqual([
    [false, undefined, undefined],
    [true, generation.master?.path, 3],
  ]);
});

const rateLimit = { limit: 9, remaining: 0, window: monthWindow(servedMs) };
const owed = { state: 'owed', rateLimit } as const;
const limited = { code: 'rate_limited', rateLimit, use: 'refused-prompts' } as const;
it.each<[string, Refusal, Payment | undefined, Payment | undefined, object | undefined]>([
  ['by a limit states that limit alone', limited, undefined, undefined, undefined],
  ['by a throttled counter reads it no more', throttleRefusal, undefined, undefined, undefined],
  ['by a filter states what is left', { code: 'content_refused' }, undefined, undefined, { state: 'free' }],
  ['after it has paid keeps the payment', { code: 'content_refused' }, owed, undefined, owed],
  ['that was paid before keeps that payment', limited, undefined, owed, owed],
])('an image that is refused %s', async (_, refusal, making, before, payment) => {
  const make = async () => ({ outcome: 'refused', refusal, ...(making && { payment: making }) }) as const;
  const { answer } = await ordersOf('live', { make }, {}, before && { payment: before });
  expect(answer).toMatchObject({ outcome: 'refused', refusal, ...(payment && { payment }) });
  expect('payment' in answer).toBe(payment !== undefined);
});

it('a variation is shown though the delivery of its base could not be claimed', async () => {
  const telemetry = createRecordedTelemetry();
  const takeDelivery = () => Promise.reject(new Error('no answer'));
  const index = { read: async () => undefined, takeDelivery };
  const make: ServeAiDeps['make'] = async ({ isFree }) => ({
    outcome: 'ready',
    generation,
    led: true,
    ...(!isFree && { payment: owed }),
  });
  const { answer } = await ordersOf('live', { index, make, telemetry }, { variation: 3 });
  expect(answer).toMatchObject({ outcome: 'served', payment: owed });
  expect(telemetry.errors).toMatchObject([{ message: 'A delivery could not be claimed' }]);
});
