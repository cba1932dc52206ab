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
  const telemetry = {
    info: (message: string) => void log.push(message),
    error: (message: string) => void log.push(message),
    count: (_: string, dimensions?: object) => void counted.push(dimensions),
    time: () => {},
  };
  const unsplash = {
    reportUse: async (url: string) => {
      log.push(url);
      if (failure) throw failure;
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
    [log, counted, failure] = [[], [], undefined];
    left = 100;
    cache.forgetAll();
  });

  it('goes to its provider', async () => {
    await reportUse(report, never);
    expect(log).toEqual([report.url]);
    expect(counted).toEqual([{ provider: 'unsplash', outcome: 'made' }]);
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

  it('is put off in place of the oldest of a thousand that wait', async () => {
    const waiting = Array.from({ length: 1_000 }, (_, n) => `${report.url}/${n}`);
    await cache.write('REPORTS#unsplash', {
      value: waiting,
      freshUntilMs: 0,
      staleUntilMs: clock.nowMs() + 1,
    });
    left = 0;
    await reportUse({ ...report, url: `${report.url}/new` }, never);
    const { value } = (await cache.readLatest<readonly string[]>('REPORTS#unsplash')) ?? {};
    expect(value).toEqual([...waiting.slice(1), `${report.url}/new`]);
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
