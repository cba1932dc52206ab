/** Finds out about every slot, each provider once, by the adapters that the functions use. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import { createReadKey } from '../../lambda/aws/secrets/provider-keys';
import { createReadSecret } from '../../lambda/aws/secrets/read-secret';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { systemClock as clock } from '../../lambda/base/system';
import { needsKey, type StockProviderName, stockSlots } from '../../lambda/contract/providers';
import { createBudget } from '../../lambda/stock/budget';
import { createLookupCache } from '../../lambda/stock/dynamodb/lookup-cache';
import { createProviders } from '../../lambda/stock/providers/providers';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { checkProvider } from './check-provider';
import { measureRelevance } from './measure-relevance';
import { readBreaker } from './read-breaker';
import { readBudget } from './read-budget';
import type { Site } from './site';
import type { BreakerView, Check, KeyState, ProviderView, SlotView } from './views';

export interface Looks {
  /** Whether providers are asked a question. */
  readonly isChecked: boolean;
  /** Whether providers are asked several usual queries. */
  readonly measuresRelevance: boolean;
}

export type Inspection = (looks: Looks) => Promise<readonly SlotView[]>;

export function createInspection({ configuration, lookupCacheTable }: Site, client: Database): Inspection {
  const { nowMs } = clock;
  const telemetry = createLogTelemetry({ functionName: 'providers', write: () => undefined, nowMs });
  const lookups = createLookupCache(client, lookupCacheTable, clock);
  const budget = createBudget({ lookups, clock, telemetry });
  const readKey = createReadKey(createReadSecret(clock), configuration.PROVIDER_SECRET_ID);
  const providerOf = createProviders({
    readKey,
    contact: () => configuration.CONTACT,
    clock,
    endpoints: configuration.PROVIDER_ENDPOINTS,
    quotas: configuration.PROVIDER_QUOTAS,
  });

  const keyOf = async (name: StockProviderName): Promise<KeyState> => {
    if (!needsKey(name)) return 'not-needed';
    try {
      return (await readKey(name)) === undefined ? 'missing' : 'set';
    } catch {
      return 'unreadable';
    }
  };

  const check = async (provider: StockProvider, key: KeyState, breaker: BreakerView): Promise<Check> => {
    const skipped = (reason: Extract<Check, { outcome: 'skipped' }>['reason']) =>
      ({ outcome: 'skipped', reason }) as const;
    if (key === 'missing' || key === 'unreadable') return skipped('no-key');
    // A provider that throttles is not asked before its circuit is half open.
    if (breaker.state === 'open' && breaker.lastFailure?.kind === 'throttled') return skipped('circuit-open');
    if (await budget.take(provider, 'keyed')) return skipped('no-budget');
    return checkProvider(provider, nowMs);
  };

  const inspect = async (
    name: StockProviderName,
    { isChecked, measuresRelevance }: Looks,
  ): Promise<ProviderView> => {
    const provider = providerOf(name);
    const [key, breaker] = await Promise.all([keyOf(name), readBreaker(lookups, name, nowMs())]);
    const checked: Check = isChecked
      ? await check(provider, key, breaker)
      : { outcome: 'skipped', reason: 'not-wanted' };
    const isReachable = checked.outcome === 'works' && measuresRelevance;
    const relevance =
      isReachable &&
      (await measureRelevance(provider, async () => (await budget.take(provider, 'keyed')) === undefined));
    const windows = await readBudget(client, lookupCacheTable, provider, nowMs());
    const endpoint = configuration.PROVIDER_ENDPOINTS[name];
    return {
      provider: name,
      ...(endpoint === undefined ? {} : { endpoint }),
      key,
      check: checked,
      budget: windows,
      ...(relevance && { relevance }),
      breaker,
      serves:
        (key === 'set' || key === 'not-needed') &&
        checked.outcome !== 'failed' &&
        windows.every(({ left }) => left > 0) &&
        breaker.state !== 'open',
    };
  };

  return async (looks) => {
    const names = [...new Set(Object.values(configuration.SLOT_BINDINGS))];
    const views = await Promise.all(names.map((name) => inspect(name, looks)));
    return stockSlots.map((slot) => {
      const view = views.find(
        ({ provider }) => provider === configuration.SLOT_BINDINGS[slot],
      ) as ProviderView;
      return { slot, ...view };
    });
  };
}
