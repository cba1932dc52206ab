/** Requests to providers: budgets, attempts and the breaker. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { askProvider } from '../../lambda/stock/ask-provider';
import type { BudgetShare } from '../../lambda/stock/provider-budget';
import {
  ProviderFailure,
  type ProviderFailureKind,
  type Quota,
  type TakeRequest,
} from '../../lambda/stock/stock-provider';
import { createFaultyDatabase, startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { createFakeStockProvider } from '../fakes/stock-provider';
import { makeAccountId } from '../fakes/values';
import { createStockSetup } from './stock-setup';

const engine = startFixture(startEngine);
let names = 0;

const makeShare = (name: string): BudgetShare => makeAccountId(`acc_${name}`);
const fail = (kind: ProviderFailureKind, retryAfterMs?: number) => async (): Promise<never> => {
  throw new ProviderFailure(kind, 'It fails.', retryAfterMs);
};

function createProviderSetup(quota: Quota = {}) {
  const setup = createStockSetup(engine);
  const provider = createFakeStockProvider(`provider-${++names}`, { quota });
  const services = setup.createInstance();
  type Call = (signal: AbortSignal, takeRequest: TakeRequest) => Promise<unknown>;
  const ask = (
    share = makeShare('a'),
    instance = services,
    call: Call = async () => 'answer',
    requestsMax = 3,
  ) => setup.clock.settle(askProvider(instance, provider, { share, requestsMax, requestId: 'r' }, call));
  const failWith = (kind: ProviderFailureKind, instance = services, retryAfterMs?: number) =>
    ask(makeShare('a'), instance, fail(kind, retryAfterMs));
  const countAnswers = async (share: BudgetShare, times: number) => {
    let count = 0;
    for (let i = 0; i < times; i++) if ((await ask(share)).outcome === 'answered') count++;
    return count;
  };
  return { ...setup, ask, failWith, countAnswers, services, provider };
}

test('anonymous callers get half of a budget, an account a quarter, upkeep a tenth', async () => {
  const { countAnswers } = createProviderSetup({ perHour: 40 });
  expect(await countAnswers('anonymous', 40)).toBe(18);
  expect(await countAnswers(makeShare('a'), 40)).toBe(9);
  expect(await countAnswers(makeShare('b'), 40)).toBe(9);
  expect(await countAnswers(makeShare('c'), 40)).toBe(0);
  expect(await countAnswers('upkeep', 40)).toBe(4);
});

test('upkeep and searches together never exceed a quota below ten requests', async () => {
  const { ask, countAnswers } = createProviderSetup({ perMinute: 4 });
  expect(await countAnswers('upkeep', 1)).toBe(1);
  const outcomes = [];
  for (const name of ['a', 'b', 'c', 'd']) outcomes.push((await ask(makeShare(name))).outcome);
  expect(outcomes).toEqual(['answered', 'answered', 'answered', 'failed']);
});

test('an account gets a quarter of the longest window only', async () => {
  const { countAnswers } = createProviderSetup({ perDay: 400, perMinute: 10 });
  expect(await countAnswers(makeShare('a'), 10)).toBe(9);
});

test('a budget with a busy table is tried again after a second', async () => {
  const { ask, clock, services } = createProviderSetup({ perMinute: 4 });
  const slow = new ThrottlingException({ $metadata: {}, message: 'slow' });
  const busyServices = { ...services, database: createFaultyDatabase(engine, () => Promise.reject(slow)) };
  const reply = await ask(makeShare('a'), busyServices);
  expect(reply).toMatchObject({ outcome: 'failed', requests: 0, retryAtMs: expect.any(Number) });
  // The attempts have taken a part of the second.
  const leftMs = reply.outcome === 'failed' ? (reply.retryAtMs ?? 0) - clock.nowMs() : 0;
  expect([leftMs > 0, leftMs <= 1_000]).toEqual([true, true]);
});

test('a budget is shared by all instances until its window ends', async () => {
  const { ask, createInstance, clock } = createProviderSetup({ perMinute: 5 });
  for (const name of ['a', 'b', 'c', 'd']) expect(await ask(makeShare(name))).toMatchObject({ requests: 1 });
  const spent = await ask(makeShare('e'), createInstance());
  expect(spent).toEqual({ outcome: 'failed', requests: 0, retryAtMs: clock.nowMs() + 60_000 });
  await clock.advance(60_000);
  expect(await ask(makeShare('e'), createInstance())).toMatchObject({ outcome: 'answered' });
});

test('requests that an adapter takes itself count in the budget', async () => {
  const { ask, services } = createProviderSetup();
  const takeTwice = async (_: AbortSignal, take: TakeRequest) => [await take(), await take()];
  const reply = await ask(makeShare('a'), services, takeTwice, 2);
  expect(reply).toEqual({ outcome: 'answered', requests: 2, content: [true, false] });
});

test('each attempt counts in the budget', async () => {
  const { ask, services } = createProviderSetup();
  let attempts = 0;
  const call = async () => (++attempts === 1 ? fail('unavailable')() : 'well');
  const reply = await ask('upkeep', services, call);
  expect(reply).toEqual({ outcome: 'answered', requests: 2, content: 'well' });
});

test('a silent provider gets two attempts of two and a half seconds', async () => {
  const { ask, services, clock } = createProviderSetup();
  const beganMs = clock.nowMs();
  const waitForever = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  expect(await ask('upkeep', services, waitForever)).toEqual({ outcome: 'failed', requests: 2 });
  expect(clock.nowMs() - beganMs).toBe(2 * 2_500 + 150);
});

test('a provider is not asked again if the deadline comes before the next attempt', async () => {
  const { ask, services, clock } = createProviderSetup();
  const hurried = { ...services, deadline: { ...services.deadline, endsMs: clock.nowMs() + 150 } };
  expect(await ask('upkeep', hurried, fail('unavailable'))).toEqual({ outcome: 'failed', requests: 1 });
});

test.each<[ProviderFailureKind, number]>([
  ['throttled', 60_000],
  ['unauthorized', 300_000],
])('the breaker opens after one failure of the kind %s', async (kind, openMs) => {
  const { ask, failWith, clock } = createProviderSetup();
  await failWith(kind);
  expect(await ask()).toEqual({ outcome: 'failed', requests: 0, retryAtMs: clock.nowMs() + openMs });
  await clock.advance(openMs);
  expect(await ask()).toMatchObject({ outcome: 'answered' });
});

test.each([
  ['an hour at most', 36_000_000, 3_600_000],
  ['a second at least', 1, 1_000],
])('the breaker is open for the Retry-After of the provider: %s', async (_, retryAfterMs, openMs) => {
  const { ask, failWith, clock, services } = createProviderSetup();
  const reply = await failWith('throttled', services, retryAfterMs);
  expect(reply).toMatchObject({ retryAtMs: clock.nowMs() + openMs });
  expect(await ask()).toMatchObject({ requests: 0, retryAtMs: clock.nowMs() + openMs });
});

test('the breaker opens after three failures of a kind in a row', async () => {
  const { ask, failWith, clock } = createProviderSetup();
  for (let i = 0; i < 2; i++) await failWith('malformed');
  expect(await ask()).toMatchObject({ outcome: 'answered' });
  for (let i = 0; i < 3; i++) await failWith('malformed');
  expect(await ask()).toMatchObject({ retryAtMs: clock.nowMs() + 30_000 });
  // A failed probe doubles the time.
  await clock.advance(30_000);
  await failWith('malformed');
  expect(await ask()).toMatchObject({ retryAtMs: clock.nowMs() + 60_000 });
  // A failure of another kind is the first of its kind.
  await clock.advance(60_000);
  expect(await failWith('throttled')).toMatchObject({ retryAtMs: clock.nowMs() + 60_000 });
});

test('requests that fail at the same time pause a provider as long as one', async () => {
  const { ask, failWith, clock } = createProviderSetup();
  await Promise.all(Array.from({ length: 4 }, () => failWith('throttled')));
  expect(await ask()).toMatchObject({ requests: 0, retryAtMs: clock.nowMs() + 60_000 });
});

test('an answer to a request that was sent before does not end a pause', async () => {
  const { ask, failWith, clock, services } = createProviderSetup();
  const openUntilMs = clock.nowMs() + 60_000;
  const reply = await ask(makeShare('a'), services, () => failWith('throttled'));
  expect(reply).toMatchObject({ outcome: 'answered' });
  expect(await ask()).toMatchObject({ requests: 0, retryAtMs: openUntilMs });
});

test('after its pause the breaker lets only one request pass', async () => {
  const { ask, failWith, clock, services } = createProviderSetup();
  await failWith('throttled', services, 5_000);
  await clock.advance(5_000);
  let during: unknown;
  await ask(makeShare('a'), services, async () => {
    during = await ask();
  });
  expect(during).toMatchObject({ outcome: 'failed', requests: 0 });
  expect(await ask()).toMatchObject({ outcome: 'answered' });
});

test('a caller without budget leaves the probe of the breaker to another', async () => {
  const { ask, failWith, clock, services } = createProviderSetup({ perDay: 8 });
  await failWith('throttled', services, 5_000);
  await clock.advance(5_000);
  expect(await ask(makeShare('a'))).toMatchObject({ outcome: 'failed', requests: 0 });
  expect(await ask(makeShare('b'))).toMatchObject({ outcome: 'answered' });
});

test('a failed probe counts as a failure, even without budget for a second attempt', async () => {
  const { ask, clock, services } = createProviderSetup({ perDay: 8 });
  await ask(makeShare('a'), services, fail('throttled', 5_000));
  await clock.advance(5_000);
  const retryAtMs = clock.nowMs() + 30_000;
  const reply = await ask(makeShare('b'), services, fail('unavailable'));
  expect(reply).toEqual({ outcome: 'failed', requests: 1, retryAtMs });
  expect(await ask(makeShare('c'))).toEqual({ outcome: 'failed', requests: 0, retryAtMs });
});

test('a probe that the table of budgets rejects is left to the next caller', async () => {
  const { ask, failWith, clock, services } = createProviderSetup({ perHour: 1_000 });
  await failWith('throttled', services, 5_000);
  await clock.advance(5_000);
  const denied = Object.assign(new Error('denied'), { $metadata: { httpStatusCode: 400 } });
  const database = createFaultyDatabase(engine, () => Promise.reject(denied));
  await expect(ask(makeShare('a'), { ...services, database })).rejects.toThrow('denied');
  expect(await ask()).toMatchObject({ outcome: 'answered' });
});

test('a single refused request does not open the breaker', async () => {
  const { ask, failWith } = createProviderSetup();
  expect(await failWith('rejected')).toEqual({ outcome: 'rejected', requests: 1 });
  expect(await ask()).toMatchObject({ outcome: 'answered' });
});

test('a call that our own deadline ends does not open the breaker', async () => {
  const { ask, failWith, services, clock } = createProviderSetup();
  const late = { ...services, deadline: { ...services.deadline, endsMs: clock.nowMs() } };
  for (let i = 0; i < 4; i++)
    expect(await failWith('unavailable', late)).toMatchObject({ outcome: 'failed' });
  expect(await ask()).toMatchObject({ outcome: 'answered' });
});
