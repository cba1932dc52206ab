/** Usage reports: sent once, retried after transient failures, dropped when the provider refuses them. */

import { createReportUse } from '../../lambda/stock/report-use';
import { type FailureKind, ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';

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
  const reportUse = createReportUse({ providerOf: (name) => providers[name], telemetry });

  beforeEach(() => {
    [log, counted, failure] = [[], [], undefined];
  });

  it('goes to its provider', async () => {
    await reportUse(report, never);
    expect(log).toEqual([report.url]);
    expect(counted).toEqual([{ provider: 'unsplash', outcome: 'made' }]);
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
