/** Requests to providers: within shared budgets, again after an outage, never while the breaker is open. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { askProvider } from '../../lambda/stock/ask-provider';
import type { BudgetShare } from '../../lambda/stock/provider-budget';
import { ProviderFailure, type ProviderFailureKind } from '../../lambda/stock/stock-provider';
import { faultyDatabase, startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';
import { createFakeStockProvider } from '../fakes/stock-provider';
import { accountId } from '../fakes/values';
import { createBench } from './stock-bench';

const engine = fixtureOf(startEngine);
let names = 0;

const account = (name: string): BudgetShare => accountId(`acc_${name}`);

function createProviderBench(quota: Readonly<Record<string, number>> = {}) {
  const bench = createBench(engine);
  const provider = createFakeStockProvider(`provider-${++names}`, { quota });
  const services = bench.instance();
  const ask = (share: BudgetShare = account('a'), by = services, requestsMax = 3) =>
    askProvider(by, provider, { share, requestsMax, requestId: 'r' }, async () => 'answer');
  const failing = (kind: ProviderFailureKind, by = services, retryAfterMs?: number) =>
    bench.clock.settle(
      askProvider(by, provider, { share: account('a'), requestsMax: 3, requestId: 'r' }, async () => {
        throw new ProviderFailure(kind, 'It fails.', retryAfterMs);
      }),
    );
  const answered = async (share: BudgetShare, times: number) => {
    let count = 0;
    for (let i = 0; i < times; i++) if ((await ask(share)).outcome === 'answered') count++;
    return count;
  };
  return { ...bench, ask, failing, answered, services };
}

describe('budget', () => {
  it('a budget leaves half to anonymous callers, a quarter to an account, a tenth to upkeep', async () => {
    const { answered } = createProviderBench({ perHour: 40 });
    expect(await answered('anonymous', 40)).toBe(18);
    expect(await answered(account('a'), 40)).toBe(9);
    expect(await answered(account('b'), 40)).toBe(9);
    expect(await answered(account('c'), 40)).toBe(0);
    expect(await answered('upkeep', 40)).toBe(4);
  });

  it('an account is held to its quarter in the longest window of a provider alone', async () => {
    const { answered } = createProviderBench({ perDay: 400, perMinute: 8 });
    expect(await answered(account('a'), 9)).toBe(8);
  });

  it('a budget is asked again after a second when its table is too busy', async () => {
    const { ask, clock, services } = createProviderBench({ perMinute: 4 });
    const slow = new ThrottlingException({ $metadata: {}, message: 'slow' });
    const busy = { ...services, database: faultyDatabase(engine, () => Promise.reject(slow)) };
    const reply = await clock.settle(ask(account('a'), busy));
    expect(reply).toMatchObject({ outcome: 'failed', requests: 0, retryMs: expect.any(Number) });
    // The attempts have taken some of it.
    const leftMs = reply.outcome === 'failed' ? (reply.retryMs ?? 0) - clock.nowMs() : 0;
    expect([leftMs > 0, leftMs <= 1_000]).toEqual([true, true]);
  });

  it('a budget is shared by all instances, and says when it has requests again', async () => {
    const { ask, instance, clock } = createProviderBench({ perMinute: 4 });
    for (const name of ['a', 'b', 'c', 'd']) expect(await ask(account(name))).toMatchObject({ requests: 1 });
    const spent = await ask(account('e'), instance());
    expect(spent).toEqual({ outcome: 'failed', requests: 0, retryMs: clock.nowMs() + 60_000 });
    await clock.advance(60_000);
    expect(await ask(account('e'), instance())).toMatchObject({ outcome: 'answered' });
  });

  it('a budget counts each attempt, and each request that an adapter takes itself', async () => {
    const { services, clock } = createProviderBench();
    const provider = createFakeStockProvider('takes');
    const reply = await askProvider(
      services,
      provider,
      { share: account('a'), requestsMax: 2, requestId: 'r' },
      async (_, takeRequest) => [await takeRequest(), await takeRequest()],
    );
    expect(reply).toEqual({ outcome: 'answered', requests: 2, content: [true, false] });
    let attempts = 0;
    const once = askProvider(
      services,
      provider,
      { share: 'upkeep', requestsMax: 3, requestId: 'r' },
      async () => {
        if (++attempts === 1) throw new ProviderFailure('unavailable', 'It fails once.');
        return 'well';
      },
    );
    expect(await clock.settle(once)).toEqual({ outcome: 'answered', requests: 2, content: 'well' });
  });
});

it('a provider that does not answer is given up after two attempts of two and a half seconds', async () => {
  const { services, clock } = createProviderBench();
  const provider = createFakeStockProvider('silent');
  const beganMs = clock.nowMs();
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const asking = askProvider(services, provider, { share: 'upkeep', requestsMax: 3, requestId: 'r' }, never);
  expect(await clock.settle(asking)).toEqual({ outcome: 'failed', requests: 2 });
  expect(clock.nowMs() - beganMs).toBe(2 * 2_500 + 150);
});

describe('breaker', () => {
  it.each<[ProviderFailureKind, number]>([
    ['throttled', 60_000],
    ['unauthorized', 300_000],
  ])('the breaker opens at once after %s', async (kind, openMs) => {
    const { ask, failing, clock } = createProviderBench();
    await failing(kind);
    expect(await ask()).toEqual({ outcome: 'failed', requests: 0, retryMs: clock.nowMs() + openMs });
    await clock.advance(openMs);
    expect(await ask()).toMatchObject({ outcome: 'answered' });
  });

  it.each([
    ['an hour at most', 36_000_000, 3_600_000],
    ['a second at least', 1, 1_000],
  ])('the breaker opens for as long as the provider asks, and for %s', async (_, retryAfterMs, openMs) => {
    const { ask, failing, clock, services } = createProviderBench();
    await failing('throttled', services, retryAfterMs);
    expect(await ask()).toMatchObject({ requests: 0, retryMs: clock.nowMs() + openMs });
  });

  it('the breaker opens after three failures in a row, and for longer after each failed probe', async () => {
    const { ask, failing, clock } = createProviderBench();
    for (let i = 0; i < 2; i++) await failing('malformed');
    expect(await ask()).toMatchObject({ outcome: 'answered' });
    for (let i = 0; i < 3; i++) await failing('malformed');
    expect(await ask()).toMatchObject({ retryMs: clock.nowMs() + 30_000 });
    await clock.advance(30_000);
    await failing('malformed');
    expect(await ask()).toMatchObject({ retryMs: clock.nowMs() + 60_000 });
  });

  it('the breaker opens again when its probe fails in another way', async () => {
    const { ask, failing, clock } = createProviderBench();
    await failing('throttled');
    await clock.advance(60_000);
    await failing('malformed');
    expect(await ask()).toMatchObject({ requests: 0, retryMs: clock.nowMs() + 30_000 });
  });

  it('the breaker lets one request probe alone', async () => {
    const { ask, failing, clock, services } = createProviderBench();
    await failing('throttled', services, 5_000);
    await clock.advance(5_000);
    let end: (answer: string) => void = () => undefined;
    const answer = new Promise<string>((resolve) => {
      end = resolve;
    });
    const provider = createFakeStockProvider(`provider-${names}`);
    const by = { share: account('a'), requestsMax: 1, requestId: 'r' };
    const probing = askProvider(services, provider, by, () => answer);
    expect(await ask()).toMatchObject({ outcome: 'failed', requests: 0 });
    end('here');
    expect(await probing).toMatchObject({ outcome: 'answered' });
    expect(await ask()).toMatchObject({ outcome: 'answered' });
  });

  it('the breaker stays closed when a request is refused, or another instance has failures', async () => {
    const { ask, failing, instance } = createProviderBench();
    expect(await failing('rejected')).toEqual({ outcome: 'rejected', requests: 1 });
    expect(await ask()).toMatchObject({ outcome: 'answered' });
    await failing('throttled');
    expect(await ask(account('a'), instance())).toMatchObject({ outcome: 'answered' });
  });

  it('the breaker stays closed when the deadline of the request ends the call', async () => {
    const { ask, failing, services, clock } = createProviderBench();
    const late = { ...services, deadline: { ...services.deadline, endsMs: clock.nowMs() } };
    for (let i = 0; i < 4; i++)
      expect(await failing('unavailable', late)).toMatchObject({ outcome: 'failed' });
    expect(await ask()).toMatchObject({ outcome: 'answered' });
  });
});
