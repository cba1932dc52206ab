/** Inspects the stock slots: key, check and budget of their providers. It uses the adapters of the functions. */

import { randomInt } from 'node:crypto';
import { readProviderKey } from '../../lambda/aws/secrets/secrets';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { systemClock as clock } from '../../lambda/base/clock';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { needsKey, type StockProviderName, stockSlots, takesKey } from '../../lambda/contract/providers';
import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import { readUsedUnits } from '../../lambda/quota/take';
import { apiSettings, readConfig, rendererSettings } from '../../lambda/services/settings';
import { readBudgetLimits, takeFromBudget } from '../../lambda/stock/provider-budget';
import { createProvider } from '../../lambda/stock/providers/providers';
import { ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { parseSubject } from '../../lambda/stock/subject';
import { readSecretText } from '../aws';
import type { Service } from '../service';

/** A slot with the state of its provider. `--json` prints it. */
export type SlotView = Awaited<ReturnType<typeof inspectSlots>>[number];

/**
 * Inspects all slots, in their order. A provider of several slots is asked once, and its failure is a finding.
 * @throws `ConfigurationError`, and what the database throws
 */
export async function inspectSlots(service: Service) {
  const { SLOT_BINDINGS, PROVIDER_QUOTAS } = apiSettings;
  const { IMAGE_STORE: _store, ...asRenderer } = rendererSettings;
  const config = readConfig(
    { CONTACT: service.url, ...service.stockProviders },
    { ...asRenderer, SLOT_BINDINGS, PROVIDER_QUOTAS },
  );
  const { PROVIDER_SECRET_ID: secretId, PROVIDER_ENDPOINTS: endpoints, PROVIDER_QUOTAS: quotas } = config;
  const services = {
    ...service,
    telemetry: createLogTelemetry({ functionName: 'providers', write: () => undefined, nowMs: clock.nowMs }),
    refusals: createExpiringCache<true>(1),
  };
  const readKey = (name: string) => readProviderKey(readSecretText, secretId, name);
  const settings = { readKey, contact: config.CONTACT, clock, endpoints, quotas };

  const inspect = async (name: StockProviderName) => {
    const provider = createProvider(name, settings);
    const key = takesKey(name) ? await readKeyState(name, readKey) : 'not-needed';
    const hasKey = key === 'set' || key === 'not-needed';
    const isSpent = hasKey && (await takeFromBudget(services, provider, 'all', 'providers')) !== undefined;
    const reason = isSpent ? 'no-budget' : hasKey ? undefined : 'no-key';
    const check = reason ? ({ outcome: 'skipped', reason } as const) : await checkProvider(provider);
    const budget = await readBudget(services, provider);
    const serves = hasKey && check.outcome !== 'failed' && budget.every(({ left }) => left > 0);
    return { provider: name, endpoint: endpoints[name], key, check, budget, serves } as const;
  };

  const views: Partial<Record<StockProviderName, ReturnType<typeof inspect>>> = {};
  const slots = stockSlots.map(async (slot) => {
    const name = config.SLOT_BINDINGS[slot];
    views[name] ??= inspect(name);
    return { slot, ...(await views[name]) };
  });
  return Promise.all(slots);
}

/** Reads the state of a provider's key. Never rejects, because an unreadable secret is a state too. */
function readKeyState(name: StockProviderName, readKey: (name: string) => Promise<string | undefined>) {
  const withoutKey = needsKey(name) ? 'missing' : 'not-needed';
  return readKey(name).then(
    (key) => (key === undefined ? withoutKey : 'set'),
    () => 'unreadable' as const,
  );
}

/** Reads what is left of a provider's quotas in their current windows, the shortest window first. */
async function readBudget(services: Service, provider: StockProvider) {
  const limits = (await readBudgetLimits(provider, 'all', clock.nowMs())).toReversed();
  const budget = limits.map(async (limit) => ({
    window: limit.window.kind as 'minute' | 'hour' | 'day',
    limit: limit.max,
    left: Math.max(0, limit.max - (await readUsedUnits(services, limit))),
    resetsAt: new Date(limit.window.endsMs).toISOString(),
  }));
  return Promise.all(budget);
}

/** Sends a provider one small search. Never rejects, because a failure is an outcome too. */
async function checkProvider(provider: StockProvider) {
  const beganMs = clock.nowMs();
  // The words are new each time, because a CDN may answer a repeated request without checking the key.
  const subject = parseSubject(`lake ${randomInt(10_000, 100_000)}`);
  const signal = AbortSignal.timeout(providerCheckTimeoutMs);
  const succeed = (images: number) =>
    ({ outcome: 'works', images, tookMs: clock.nowMs() - beganMs }) as const;
  try {
    return succeed((await provider.search({ subject, orientation: 'landscape' }, signal)).length);
  } catch (error) {
    const { kind, retryAfterMs } =
      error instanceof ProviderFailure ? error : { kind: 'malformed' as const, retryAfterMs: undefined };
    // A provider that rejects the words has accepted the key.
    if (kind === 'rejected') return succeed(0);
    return { outcome: 'failed', kind, retryAfterS: retryAfterMs && Math.ceil(retryAfterMs / 1_000) } as const;
  }
}
