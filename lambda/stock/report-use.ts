/**
 * Reports the use of an image to its stock provider, as the provider's terms ask, after the caller has been answered. What
 * the provider's budget has no request left for waits, and is made up for after a later report.
 */

import type { Clock, Ids } from '../base/clock';
import type { Cache } from '../base/item-store';
import { poll } from '../base/poll';
import type { Telemetry } from '../base/telemetry';
import type { UseReport } from '../images/renderer-job';
import type { Budget } from './budget';
import { ProviderFailure, type StockProvider } from './stock-provider';

/** What reports are made and put off with. */
export interface ReportUseDeps {
  /** The provider's adapter, or `undefined` for a name that is not known (any more). */
  readonly providerOf: (name: string) => StockProvider | undefined;
  readonly budget: Budget;
  readonly cache: Pick<Cache, 'readLatest' | 'write' | 'lease' | 'release'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** @throws `ProviderFailure` that may pass, so that the report is made again; any other is logged and dropped. */
export type ReportUse = (report: UseReport, signal: AbortSignal) => Promise<void>;

/** Reports that wait for one provider: about 100 KB. The oldest are dropped. */
const waitingMax = 1_000;
const keptForMs = 30 * 86_400_000;
const leaseMs = 5_000;

/** Each report is one request of the provider's budget for upkeep. */
export function createReportUse(deps: ReportUseDeps): ReportUse {
  const { providerOf, budget, telemetry } = deps;

  /** @returns whether the report was made, or was refused for good */
  const send = async (
    name: string,
    provider: StockProvider,
    url: string,
    signal: AbortSignal,
  ): Promise<boolean> => {
    if (await budget.take(provider, 'upkeep')) return false;
    try {
      await provider.reportUse?.(url, signal);
      telemetry.count('usageReports', { provider: name, outcome: 'made' });
    } catch (error) {
      const isFinal =
        error instanceof ProviderFailure && (error.kind === 'rejected' || error.kind === 'malformed');
      telemetry.count('usageReports', { provider: name, outcome: isFinal ? 'dropped' : 'failed' });
      if (!isFinal) throw error;
      telemetry.error('A usage report was refused', error, { provider: name });
    }
    return true;
  };

  return async ({ provider: name, url }, signal) => {
    const provider = providerOf(name);
    if (!provider?.reportUse)
      return telemetry.info('A provider that wants no reports got one', { provider: name });
    if (!(await send(name, provider, url, signal))) {
      telemetry.count('usageReports', { provider: name, outcome: 'put-off' });
      return changeWaiting(deps, name, async (waiting) => [...waiting, url]);
    }
    // One for one keeps each run short, and a second makes up what has piled up.
    return changeWaiting(deps, name, async ([first, second, ...rest]) => {
      const left: string[] = [];
      for (const each of [first, second]) {
        if (each === undefined) continue;
        const isSent = await send(name, provider, each, signal).catch(() => false);
        if (!isSent) left.push(each);
      }
      return [...left, ...rest];
    });
  };
}

/** Changes the list of the reports that wait for a provider, in one run at a time. @throws when the table fails */
async function changeWaiting(
  { cache, clock, ids }: ReportUseDeps,
  provider: string,
  change: (waiting: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const key = `REPORTS#${provider}`;
  const holder = ids.hex(8);
  // What is stored is never fresh, so that the lease on it can always be had.
  const take = async () => (await cache.lease(key, holder, leaseMs)).outcome === 'leased';
  const endsMs = clock.nowMs() + 2 * leaseMs;
  if (!(await poll(await take(), (held) => !held, take, { clock, endsMs })))
    throw new Error('The reports that wait are being changed by other runs.');
  const waiting = (await cache.readLatest<readonly string[]>(key))?.value ?? [];
  const changed = await change(waiting);
  if (waiting.length === 0 && changed.length === 0) return cache.release(key, holder);
  const nowMs = clock.nowMs();
  const value = changed.slice(-waitingMax);
  await cache.write(key, { value, freshUntilMs: nowMs, staleUntilMs: nowMs + keptForMs });
}
