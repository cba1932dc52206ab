/** Usage reports: sent once, retried after transient failures, dropped when the provider refuses them. */

import { hourWindow } from '../../lambda/base/window';
import { createReportUse } from '../../lambda/stock/report-use';
import { type FailureKind, ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createVirtualClock } from '../fakes/virtual-clock';

const report = {
  kind: 'report-use',
  provider: 'unsplash',
  url: 'https://api.unsplash.com/photos/x/download',
} as const;
const never = new AbortController().signal;

describe('a report of use', () => {
  let log: string[];
  let counted: unknown[];
  let failure: Error | undefined;
  /** Of the URLs whose reports fail. */
  let failing: RegExp;
  const telemetry = {
    info: (message: string) => void log.push(message),
    error: (message: string) => void log.push(message),
    count: (_: string, dimensions?: object) => void counted.push(dimensions),
    time: () => {},
  };
  const unsplash = {
    reportUse: async (url: string) => {
      log.push(url);
      if (failure && failing.test(url)) throw failure;
    },
  } as unknown as StockProvider;
  const providers: Readonly<Record<string, StockProvider>> = { unsplash, pexels: {} as StockProvider };
  const clock = createVirtualClock();
  const cache = createFakeItemStore(clock);
  let left: number;
  const budget = {
    take: async (_: unknown, share: string) => {
      expect(share).toBe('upkeep');
      left -= 1;
      return left < 0
        ? { of: 'all' as const, status: { limit: 1, remaining: 0, window: hourWindow(0) } }
        : undefined;
    },
  };
  const reportUse = createReportUse({
    providerOf: (name) => providers[name],
    budget,
    cache,
    clock,
    ids: createFakeIds(),
    telemetry,
  });

  beforeEach(() => {
    [log, counted, failure, failing] = [[], [], undefined, /./];
    left = 100;
    cache.forgetAll();
  });

  it('goes to its provider, and leaves the next one nothing to wait for', async () => {
    for (let i = 0; i < 2; i++) await reportUse(report, never);
    expect(log).toEqual([report.url, report.url]);
    expect(counted).toEqual(Array(2).fill({ provider: 'unsplash', outcome: 'made' }));
  });

  it('is put off where the budget is empty, and made up for after later ones, in order and once', async () => {
    left = 0;
    for (const id of ['1', '2', '3']) await reportUse({ ...report, url: `${report.url}/${id}` }, never);
    expect(log).toEqual([]);
    expect(counted).toEqual(Array(3).fill({ provider: 'unsplash', outcome: 'put-off' }));
    left = 2;
    await reportUse({ ...report, url: `${report.url}/4` }, never);
    left = 100;
    await reportUse({ ...report, url: `${report.url}/5` }, never);
    await reportUse({ ...report, url: `${report.url}/6` }, never);
    expect(log.map((url) => url.at(-1))).toEqual(['4', '1', '5', '2', '3', '6']);
  });

  const waitingFor = async (value: readonly string[]) =>
    cache.write('REPORTS#unsplash', { value, freshUntilMs: 0, staleUntilMs: clock.nowMs() + 1 });
  const waiting = () => cache.readLatest<readonly string[]>('REPORTS#unsplash');

  it('is put off in place of the oldest of a thousand that wait, for thirty days', async () => {
    const urls = Array.from({ length: 1_000 }, (_, n) => `${report.url}/${n}`);
    await waitingFor(urls);
    left = 0;
    await reportUse({ ...report, url: `${report.url}/new` }, never);
    expect(await waiting()).toEqual({
      value: [...urls.slice(1), `${report.url}/new`],
      freshUntilMs: clock.nowMs(),
      staleUntilMs: clock.nowMs() + 30 * 86_400_000,
    });
  });

  it.each<[FailureKind, readonly string[]]>([
    ['unavailable', ['1', '3']],
    ['rejected', ['3']],
  ])('that has waited and is %s leaves %j waiting, and the new one made once', async (kind, left) => {
    await waitingFor(['1', '2', '3']);
    failure = new ProviderFailure(kind, 'scripted');
    failing = /^1$/;
    await reportUse(report, never);
    expect(log.slice(0, 2)).toEqual([report.url, '1']);
    expect(log.at(-1)).toBe('2');
    expect((await waiting())?.value).toEqual(left);
  });

  it('is made again where other runs change those that wait all the time', async () => {
    await cache.lease('REPORTS#unsplash', 'another', 60_000);
    const beganMs = clock.nowMs();
    left = 0;
    await expect(clock.settle(reportUse(report, never))).rejects.toThrow('changed by other runs');
    expect(clock.nowMs() - beganMs).toBe(10_000);
  });

  it.each<FailureKind>(['throttled', 'unavailable', 'unauthorized'])(
    'fails, to be made again, when %s',
    async (kind) => {
      failure = new ProviderFailure(kind, 'scripted');
      await expect(reportUse(report, never)).rejects.toBe(failure);
      expect(counted).toEqual([{ provider: 'unsplash', outcome: 'failed' }]);
    },
  );

  it.each<FailureKind>(['rejected', 'malformed'])('is dropped and logged when %s', async (kind) => {
    failure = new ProviderFailure(kind, 'scripted');
    await reportUse(report, never);
    expect(log).toEqual([report.url, 'A usage report was refused']);
    expect(counted).toEqual([{ provider: 'unsplash', outcome: 'dropped' }]);
  });

  it.each(['pexels', 'gone'])('is dropped when %s wants none', async (provider) => {
    await reportUse({ ...report, provider }, never);
    expect(log).toEqual(['A provider that wants no reports got one']);
  });
});
