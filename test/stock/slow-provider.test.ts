/** How long a request waits for a provider, and that a failing provider is not flooded. */

import { ProviderFailure } from '../../lambda/stock/stock-provider';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { away, candidate } from '../fakes/stock-provider';
import { createBench } from './stock-bench';

describe('a provider that does not answer', () => {
  it('is retried once within the deadline', async () => {
    const { a, find } = createBench();
    let calls = 0;
    a.script(async () => (++calls === 1 ? away() : [candidate('second')]));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_a' } });
    expect(calls).toBe(2);
  });

  it('is aborted after two attempts of two and a half seconds', async () => {
    const { a, clock, find } = createBench();
    const aborted: boolean[] = [];
    a.script((_, signal) => new Promise(() => signal.addEventListener('abort', () => aborted.push(true))));
    const beganMs = clock.nowMs();
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
    expect(clock.nowMs() - beganMs).toBe(5_150);
    expect(aborted).toEqual([true, true]);
  });

  it('is not retried after a definite refusal', async () => {
    for (const kind of ['throttled', 'unauthorized', 'malformed', 'rejected'] as const) {
      const { a, find } = createBench();
      a.script(async () => {
        throw new ProviderFailure(kind, 'No.');
      });
      await find(request('lake'));
      expect(a.asked).toHaveLength(1);
    }
  });

  it('delays no request beyond the deadline', async () => {
    const bench = createBench();
    for (const provider of [bench.a, bench.b, bench.c]) provider.script(() => new Promise(() => undefined));
    const beganMs = bench.clock.nowMs();
    const answer = bench.clock.settle(
      bench.stock.find(request('lake'), 'webp', beganMs + 3_000, aSearchCaller),
    );
    expect(await answer).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 10 },
    });
    expect(bench.clock.nowMs() - beganMs).toBe(3_000);
  });

  it('is not flooded by the requests that waited', async () => {
    const { a, b, c, clock, instance } = createBench();
    for (const provider of [a, b, c]) {
      provider.script(async () => {
        await clock.sleep(500);
        return away();
      });
    }
    const instances = Array.from({ length: 20 }, instance);
    const endsMs = clock.nowMs() + 20_000;
    await clock.settle(
      Promise.all(instances.map((one) => one.find(request('lake'), 'webp', endsMs, aSearchCaller))),
    );
    expect(a.asked.length).toBeLessThanOrEqual(2); // One request and its retry.
  });
});
