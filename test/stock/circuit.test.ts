/** When a circuit breaker opens, which instance probes the provider, and that all instances agree. */

import { type CircuitRecord, circuitKey, createCircuit } from '../../lambda/stock/circuit';
import { type FailureKind, ProviderFailure } from '../../lambda/stock/stock-provider';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';
import { createBench } from './stock-bench';

const failure = (kind: FailureKind, retryAfterMs?: number) => new ProviderFailure(kind, 'No.', retryAfterMs);

function createRoom() {
  const clock = createVirtualClock();
  const cache = createFakeItemStore(clock);
  const ids = createFakeIds();
  const instance = () => createCircuit({ cache, clock, ids, telemetry: createRecordedTelemetry() });
  const circuit = instance();
  const stateOf = async (by = circuit) => (await by.permit('alpha')).state;
  const fail = async (kind: FailureKind, retryAfterMs?: number, by = circuit) =>
    by.failed('alpha', await by.permit('alpha'), failure(kind, retryAfterMs));
  return { clock, cache, circuit, instance, stateOf, fail };
}

describe('the circuit of a provider', () => {
  it('stays closed for two failures and opens with the third', async () => {
    const { stateOf, fail } = createRoom();
    await fail('unavailable');
    await fail('malformed');
    expect(await stateOf()).toBe('closed');
    await fail('unavailable');
    expect(await stateOf()).toBe('open');
  });

  it('counts failures in a row only', async () => {
    const { circuit, stateOf, fail } = createRoom();
    for (let i = 0; i < 5; i++) {
      await fail('unavailable');
      await fail('unavailable');
      await circuit.succeeded('alpha', await circuit.permit('alpha'));
    }
    expect(await stateOf()).toBe('closed');
  });

  it('opens at once when every request would be refused alike', async () => {
    for (const kind of ['throttled', 'unauthorized'] as const) {
      const { stateOf, fail } = createRoom();
      await fail(kind);
      expect(await stateOf()).toBe('open');
    }
  });

  it('does not open for a request that was refused for its own sake', async () => {
    const { stateOf, fail } = createRoom();
    for (let i = 0; i < 10; i++) await fail('rejected');
    expect(await stateOf()).toBe('closed');
  });

  it.each<[FailureKind, number | undefined, number]>([
    ['throttled', undefined, 60_000],
    ['throttled', 90_000, 90_000],
    ['throttled', 0, 1_000],
    ['throttled', 30 * 86_400_000, 3_600_000],
    ['unauthorized', undefined, 300_000],
    ['unauthorized', 1_000, 1_000],
    ['unauthorized', 3_600_000, 300_000],
    ['unavailable', undefined, 30_000],
    ['unavailable', 3_600_000, 300_000],
    ['malformed', undefined, 30_000],
    ['malformed', 3_600_000, 300_000],
  ])('that is %s, and asks for a wait of %j ms, stays open for %i ms', async (kind, askedMs, openForMs) => {
    const { clock, circuit, stateOf, fail } = createRoom();
    for (let i = 0; i < 3 && (await stateOf()) === 'closed'; i++) await fail(kind, askedMs);
    expect(await circuit.permit('alpha')).toEqual({ state: 'open', untilMs: clock.nowMs() + openForMs });
    await clock.advance(openForMs - 1);
    expect(await stateOf()).toBe('open');
    await clock.advance(1);
    expect(await stateOf()).toBe('probe');
  });

  it('admits one probe of all instances when the open period ends', async () => {
    const { clock, stateOf, fail, instance } = createRoom();
    await fail('throttled');
    await clock.advance(60_000);
    const others = [instance(), instance(), instance()];
    const states = await Promise.all(others.map((one) => stateOf(one)));
    expect(states.sort()).toEqual(['open', 'open', 'probe']);
    expect(await instance().permit('alpha')).toEqual({ state: 'open', untilMs: clock.nowMs() + 8_000 });
  });

  it('that a probe has opened again is so in instances that read it before', async () => {
    const { clock, stateOf, fail, instance } = createRoom();
    const other = instance();
    await fail('throttled');
    await clock.advance(59_999);
    expect(await stateOf(other)).toBe('open');
    await clock.advance(1);
    await fail('throttled', 600_000);
    expect(await other.permit('alpha')).toEqual({ state: 'open', untilMs: clock.nowMs() + 600_000 });
  });

  it('admits another probe when the first never completed', async () => {
    const { clock, stateOf, fail } = createRoom();
    await fail('throttled');
    await clock.advance(60_000);
    expect(await stateOf()).toBe('probe');
    await clock.advance(7_999);
    expect(await stateOf()).toBe('open');
    await clock.advance(1);
    expect(await stateOf()).toBe('probe');
  });

  it('admits another probe at once when the first was inconclusive', async () => {
    const { clock, circuit, stateOf, fail } = createRoom();
    await fail('throttled');
    await clock.advance(60_000);
    await circuit.undecided('alpha', await circuit.permit('alpha'));
    expect(await stateOf()).toBe('probe');
  });

  it('closes everywhere when the try succeeds, within five seconds', async () => {
    const { clock, circuit, stateOf, fail, instance } = createRoom();
    const other = instance();
    await fail('throttled');
    await clock.advance(60_000);
    await circuit.succeeded('alpha', await circuit.permit('alpha'));
    expect(await stateOf()).toBe('closed');
    await clock.advance(5_000);
    expect(await stateOf(other)).toBe('closed');
  });

  it('doubles the open period after each failed probe, up to five minutes', async () => {
    const { clock, cache, fail } = createRoom();
    const openForMs: number[] = [];
    for (let i = 0; i < 3; i++) await fail('unavailable');
    for (let i = 0; i < 6; i++) {
      const record = await cache.read<CircuitRecord>(circuitKey('alpha'));
      openForMs.push((record?.freshUntilMs ?? 0) - clock.nowMs());
      await clock.advance(openForMs.at(-1) ?? 0);
      await fail('unavailable');
    }
    expect(openForMs).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it('opens again, for longer, however the probe fails', async () => {
    const { clock, circuit, fail } = createRoom();
    await fail('throttled');
    await clock.advance(60_000);
    await fail('unavailable');
    expect(await circuit.permit('alpha')).toEqual({ state: 'open', untilMs: clock.nowMs() + 60_000 });
  });

  it('stores its state for the operator, and for a day after it has closed the last failure', async () => {
    const { clock, cache, circuit, fail } = createRoom();
    const lastFailure = { kind: 'unauthorized', atMs: clock.nowMs() };
    const read = () => cache.read<CircuitRecord>('S#alpha');
    await fail('unauthorized');
    expect(await read()).toMatchObject({
      value: { state: 'open', failures: 1, lastFailure },
      freshUntilMs: clock.nowMs() + 300_000,
    });
    await clock.advance(300_000);
    await circuit.succeeded('alpha', await circuit.permit('alpha'));
    await clock.advance(86_400_000 - 1);
    expect((await read())?.value).toEqual({ state: 'closed', failures: 0, rests: 0, lastFailure });
    await clock.advance(1);
    expect(await read()).toBeUndefined();
  });

  it('is believed for five seconds without another read', async () => {
    const { clock, cache, stateOf } = createRoom();
    for (let i = 0; i < 5; i++) await stateOf();
    expect(cache.calls).toHaveLength(1);
    await clock.advance(5_000);
    await stateOf();
    expect(cache.calls).toHaveLength(2);
  });
});

describe('a lookup with a failing provider', () => {
  it('opens after three failures and closes after a successful probe', async () => {
    const { a, clock, find } = createBench();
    a.script(async () => {
      throw failure('unavailable');
    });
    for (let i = 0; i < 10; i++) {
      expect(await find(request(`lake ${i}`))).toMatchObject({ image: { source: 'stock_b' } });
    }
    expect(a.asked).toHaveLength(6); // Three requests, each with one retry.
    a.script(async () => [candidate('back')]);
    await clock.advance(30_000);
    expect(await find(request('sea'))).toMatchObject({ image: { source: 'stock_a' } });
    expect(await find(request('river'))).toMatchObject({ image: { source: 'stock_a' } });
  });

  it('returns HIT when the breaker is open and the fallback is cached', async () => {
    const { a, find } = createBench();
    a.script(async () => {
      throw failure('throttled');
    });
    await find(request('lake'));
    expect(await find(request('lake', { widthPx: 1_800 }))).toMatchObject({
      outcome: 'found',
      cache: 'HIT',
    });
    expect(a.asked).toHaveLength(1);
  });

  it('does not blame the provider when the caller had no time left', async () => {
    const { a, clock, cache, stock } = createBench();
    a.script(() => new Promise(() => undefined));
    for (let i = 0; i < 5; i++) {
      await clock.settle(stock.find(request(`lake ${i}`), 'webp', clock.nowMs() + 100, aSearchCaller));
    }
    expect(await cache.read(circuitKey('alpha'))).toBeUndefined();
  });
});
