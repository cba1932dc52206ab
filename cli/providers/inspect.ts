/** Finds out about every stock slot: key, check and budget, each provider once, by the functions' own adapters. */

import { randomInt } from 'node:crypto';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { readKeyOf } from '../../lambda/base/read-key';
import { systemClock as clock } from '../../lambda/base/system';
import { needsKey, type StockProviderName, stockSlots, takesKey } from '../../lambda/contract/providers';
import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import { apiSettings, readConfig, rendererSettings } from '../../lambda/functions/settings';
import { usedOf } from '../../lambda/quota/take';
import { budgetOf, takeFromBudget } from '../../lambda/stock/ask-provider';
import { createProvider } from '../../lambda/stock/providers/providers';
import { type FailureKind, ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import type { Service } from '../service';

/** What one request to the provider showed; `tookMs` in milliseconds, `retryAfterS` in seconds. */
export type Check =
  | { readonly outcome: 'works'; readonly images: number; readonly tookMs: number }
  | { readonly outcome: 'failed'; readonly kind: FailureKind; readonly retryAfterS?: number }
  | { readonly outcome: 'skipped'; readonly reason: 'no-key' | 'no-budget' };

/** What is known about the provider of one slot, as it is printed with `--json`. */
export type SlotView = Awaited<ReturnType<typeof inspectSlots>>['slots'][number];

/** What decides which images are found, as the functions read it. The service's URL is the contact where none is configured. */
function readConfiguration({ stockProviders, url }: Service) {
  const texts = Object.entries({ CONTACT: url, ...stockProviders }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const { SLOT_BINDINGS, PROVIDER_QUOTAS } = apiSettings;
  const { IMAGE_STORE: _, ...asRenderer } = rendererSettings;
  return readConfig(Object.fromEntries(texts), { ...asRenderer, SLOT_BINDINGS, PROVIDER_QUOTAS });
}

/**
 * All slots in their order, and the id of the secret with their keys.
 * @throws `Failure`, and what the database throws; what a provider does is the outcome of its check
 */
export async function inspectSlots(service: Service) {
  const { nowMs } = clock;
  const configured = readConfiguration(service);
  const { PROVIDER_SECRET_ID: secretId, PROVIDER_ENDPOINTS: endpoints, PROVIDER_QUOTAS: quotas } = configured;
  const services = {
    ...service,
    telemetry: createLogTelemetry({ functionName: 'providers', write: () => undefined, nowMs }),
    refusals: createExpiringCache<true>(1),
  };
  const readKey = (name: string) => readKeyOf(service.readSecret, secretId, name);
  const providers = { readKey, contact: () => configured.CONTACT, clock, endpoints, quotas };

  const keyOf = async (name: StockProviderName) => {
    if (!takesKey(name)) return 'not-needed';
    const key = await readKey(name).catch(() => 'unreadable' as const);
    if (key === 'unreadable') return key;
    if (key !== undefined) return 'set';
    return needsKey(name) ? 'missing' : 'not-needed';
  };

  /** What the searches of all instances leave, in the windows of the UTC clock that are now; the shortest first. */
  const readBudget = async (provider: StockProvider) => {
    const limits = (await budgetOf(provider, 'all', nowMs())).toReversed();
    const read = limits.map(async (limit) => ({
      window: limit.window.kind as 'minute' | 'hour' | 'day',
      limit: limit.max,
      left: Math.max(0, limit.max - (await usedOf(services, limit))),
      resetsAt: new Date(limit.window.endMs).toISOString(),
    }));
    return Promise.all(read);
  };

  const inspect = async (name: StockProviderName) => {
    const provider = createProvider(name, providers);
    const key = await keyOf(name);
    const hasKey = key === 'set' || key === 'not-needed';
    const isSpent = hasKey && (await takeFromBudget(services, provider, 'all', 'providers')) !== undefined;
    const reason = hasKey ? 'no-budget' : 'no-key';
    const check: Check = hasKey && !isSpent ? await checkProvider(provider) : { outcome: 'skipped', reason };
    const budget = await readBudget(provider);
    const serves = hasKey && check.outcome !== 'failed' && budget.every(({ left }) => left > 0);
    return { provider: name, endpoint: endpoints[name], key, check, budget, serves } as const;
  };

  const names = stockSlots.map((slot) => configured.SLOT_BINDINGS[slot]);
  const views = new Map([...new Set(names)].map((name) => [name, inspect(name)] as const));
  const slots = stockSlots.map(async (slot, i) => ({
    slot,
    ...((await views.get(names[i] as StockProviderName)) as Awaited<ReturnType<typeof inspect>>),
  }));
  return { slots: await Promise.all(slots), secretId };
}

/** Sends a provider one small request. Whatever a provider does is the outcome. */
async function checkProvider(provider: StockProvider): Promise<Check> {
  const beganMs = clock.nowMs();
  const works = (images: number): Check => ({ outcome: 'works', images, tookMs: clock.nowMs() - beganMs });
  // A CDN may answer a repeated request whatever the key is, so each check sends new words.
  const subject = understand(`lake ${randomInt(10_000, 100_000)}`);
  const signal = AbortSignal.timeout(providerCheckTimeoutMs);
  try {
    return works((await provider.search({ subject, orientation: 'landscape' }, signal)).length);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return { outcome: 'failed', kind: 'malformed' };
    const { kind, retryAfterMs } = error;
    // It did not like the words, but it has read them.
    if (kind === 'rejected') return works(0);
    const wait = retryAfterMs === undefined ? {} : { retryAfterS: Math.ceil(retryAfterMs / 1_000) };
    return { outcome: 'failed', kind, ...wait };
  }
}
