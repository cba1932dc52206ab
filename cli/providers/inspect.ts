/** Finds out about every stock slot: key, check and budget, each provider once, by the functions' own adapters. */

import { randomInt } from 'node:crypto';
import { untimed } from '../../lambda/aws/dynamodb';
import { readKeyOf } from '../../lambda/aws/secrets/secrets';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemClock as clock } from '../../lambda/base/system';
import {
  needsKey,
  type StockProviderName,
  type StockSlot,
  stockSlots,
  takesKey,
} from '../../lambda/contract/providers';
import { providerCheckTimeoutMs } from '../../lambda/contract/timeouts';
import {
  apiSettings,
  ConfigurationError,
  readConfig,
  rendererSettings,
} from '../../lambda/functions/settings';
import { type LimitServices, usedOf } from '../../lambda/quota/take';
import { budgetOf, takeFromBudget } from '../../lambda/stock/ask-provider';
import { createProvider } from '../../lambda/stock/providers/providers';
import { type FailureKind, ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import { failed } from '../failure';
import type { Service } from '../service';

/** What is known about a provider, as it is printed with `--json`. */
export interface ProviderView {
  readonly provider: StockProviderName;
  /** The URL that replaces the provider's own. */
  readonly endpoint?: string;
  readonly key: 'not-needed' | 'set' | 'missing' | 'unreadable';
  readonly check: Check;
  /** Empty for a provider without limits. */
  readonly budget: readonly WindowView[];
  /** Whether a request would be answered by it as things stand. */
  readonly serves: boolean;
}

/** What is known about the provider of one slot. */
export interface SlotView extends ProviderView {
  readonly slot: StockSlot;
}

/** What one request to the provider showed; `tookMs` in milliseconds, `retryAfterS` in seconds. */
export type Check =
  | { readonly outcome: 'works'; readonly images: number; readonly tookMs: number }
  | { readonly outcome: 'failed'; readonly kind: FailureKind; readonly retryAfterS?: number }
  | { readonly outcome: 'skipped'; readonly reason: 'no-key' | 'no-budget' };

/** What is left of one window of a provider's budget, in requests; `resetsAt` in ISO 8601. */
export interface WindowView {
  readonly window: 'minute' | 'hour' | 'day';
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: string;
}

/** What decides which images are found, as the functions read it. The service's URL is the contact where none is configured. */
function readConfiguration({ stockProviders, url, lacks }: Service) {
  if (!stockProviders) throw lacks('stock providers');
  const values = { CONTACT: url ?? 'https://localhost', ...stockProviders };
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  try {
    const { SLOT_BINDINGS, PROVIDER_QUOTAS } = apiSettings;
    const { IMAGE_STORE: _, ...asRenderer } = rendererSettings;
    return readConfig(Object.fromEntries(texts), { ...asRenderer, SLOT_BINDINGS, PROVIDER_QUOTAS });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [, ...faults] = error.message.split('\n');
    throw failed(`The configuration of the service is not valid: ${faults.join('; ').trim()}.`);
  }
}

/**
 * All slots in their order, and the id of the secret with their keys.
 * @throws `Failure`, and what the database throws; what a provider does is the outcome of its check
 */
export async function inspectSlots(service: Service) {
  const configuration = readConfiguration(service);
  const { PROVIDER_SECRET_ID: secretId, PROVIDER_ENDPOINTS: endpoints, SLOT_BINDINGS: slots } = configuration;
  const { nowMs } = clock;
  const services = {
    ...untimed(service.database),
    tables: service.tables('quotaCounters'),
    telemetry: createLogTelemetry({ functionName: 'providers', write: () => undefined, nowMs }),
    refusals: createExpiringCache<true>(1),
  };
  const readKey = (name: string) => readKeyOf(service.readSecret, secretId, name);
  const contact = () => configuration.CONTACT;
  const providers = { readKey, contact, clock, endpoints, quotas: configuration.PROVIDER_QUOTAS };

  const keyOf = async (name: StockProviderName): Promise<ProviderView['key']> => {
    if (!takesKey(name)) return 'not-needed';
    try {
      if ((await readKey(name)) !== undefined) return 'set';
      return needsKey(name) ? 'missing' : 'not-needed';
    } catch {
      return 'unreadable';
    }
  };

  const inspect = async (name: StockProviderName): Promise<ProviderView> => {
    const provider = createProvider(name, providers);
    const key = await keyOf(name);
    const hasKey = key === 'set' || key === 'not-needed';
    const isSpent = hasKey && (await takeFromBudget(services, provider, 'all', 'providers')) !== undefined;
    const check: Check =
      hasKey && !isSpent
        ? await checkProvider(provider)
        : { outcome: 'skipped', reason: hasKey ? 'no-budget' : 'no-key' };
    const budget = await readBudget(services, provider, nowMs());
    const endpoint = endpoints[name];
    const serves = hasKey && check.outcome !== 'failed' && budget.every(({ left }) => left > 0);
    return { provider: name, ...(endpoint !== undefined && { endpoint }), key, check, budget, serves };
  };

  const views = new Map<StockProviderName, Promise<ProviderView>>();
  const inspected = stockSlots.map(async (slot) => {
    const name = slots[slot];
    const view = views.get(name) ?? inspect(name);
    views.set(name, view);
    return { slot, ...(await view) };
  });
  return { slots: await Promise.all(inspected), secretId };
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

/** What the searches of all instances leave, in the windows of the UTC clock that are now; the shortest first. */
async function readBudget(
  services: LimitServices,
  provider: StockProvider,
  nowMs: number,
): Promise<readonly WindowView[]> {
  const limits = (await budgetOf(provider, 'all', nowMs)).toReversed();
  return Promise.all(
    limits.map(async (limit) => ({
      window: limit.window.kind as WindowView['window'],
      limit: limit.max,
      left: Math.max(0, limit.max - (await usedOf(services, limit))),
      resetsAt: new Date(limit.window.endMs).toISOString(),
    })),
  );
}
