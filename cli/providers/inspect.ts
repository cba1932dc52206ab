/** Finds out about every stock slot: key, check and budget, each provider once, by the functions' own adapters. */

import { randomInt } from 'node:crypto';
import { type Database, untimed } from '../../lambda/aws/dynamodb';
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
import { type LimitServices, usedOf } from '../../lambda/quota/take';
import { budgetOf, takeFromBudget } from '../../lambda/stock/ask-provider';
import { createProviders } from '../../lambda/stock/providers/providers';
import { type FailureKind, ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import type { ProviderConfiguration } from './configuration';
import { measureRelevance, type RelevanceView } from './measure-relevance';

/** What is known about a provider, as it is printed with `--json`. */
export interface ProviderView {
  readonly provider: StockProviderName;
  /** The URL that replaces the provider's own. */
  readonly endpoint?: string;
  readonly key: KeyState;
  readonly check: Check;
  /** Empty for a provider without limits. */
  readonly budget: readonly WindowView[];
  /** With `--relevance` only. */
  readonly relevance?: RelevanceView;
  /** Whether a request would be answered by it as things stand. */
  readonly serves: boolean;
}

/** What is known about the provider of one slot. */
export interface SlotView extends ProviderView {
  readonly slot: StockSlot;
}

type KeyState = 'not-needed' | 'set' | 'missing' | 'unreadable';

/** What one request to the provider showed; `tookMs` in milliseconds, `retryAfterS` in seconds. */
export type Check =
  | { readonly outcome: 'works'; readonly images: number; readonly tookMs: number }
  | { readonly outcome: 'failed'; readonly kind: FailureKind; readonly retryAfterS?: number }
  | { readonly outcome: 'skipped'; readonly reason: 'not-wanted' | 'no-key' | 'no-budget' };

/** What is left of one window of a provider's budget, in requests; `resetsAt` in ISO 8601. */
export interface WindowView {
  readonly window: 'minute' | 'hour' | 'day';
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: string;
}

interface InspectOptions {
  /** Whether providers are sent a request. */
  readonly isChecked: boolean;
  /** Whether providers are sent several usual queries. */
  readonly measuresRelevance: boolean;
}

interface InspectDeps {
  readonly configuration: ProviderConfiguration;
  readonly database: Database;
  /** Name of the table with budgets. */
  readonly table: string;
  readonly readSecret: (secretId: string) => Promise<string>;
}

/** All slots in their order. @throws what the database throws; what a provider does is the outcome of its check */
export async function inspectSlots(
  deps: InspectDeps,
  { isChecked, measuresRelevance }: InspectOptions,
): Promise<readonly SlotView[]> {
  const { configuration, database, table, readSecret } = deps;
  const { nowMs } = clock;
  const telemetry = createLogTelemetry({ functionName: 'providers', write: () => undefined, nowMs });
  const services = {
    ...untimed(database),
    tables: { quotaCounters: table },
    telemetry,
    refusals: createExpiringCache<true>(1),
  };
  const isSpent = async (provider: StockProvider) =>
    (await takeFromBudget(services, provider, 'all', 'providers')) !== undefined;
  const readKey = (name: string) => readKeyOf(readSecret, configuration.PROVIDER_SECRET_ID, name);
  const providerOf = createProviders({
    readKey,
    contact: () => configuration.CONTACT,
    clock,
    endpoints: configuration.PROVIDER_ENDPOINTS,
    quotas: configuration.PROVIDER_QUOTAS,
  });

  const keyOf = async (name: StockProviderName): Promise<KeyState> => {
    if (!takesKey(name)) return 'not-needed';
    try {
      if ((await readKey(name)) !== undefined) return 'set';
      return needsKey(name) ? 'missing' : 'not-needed';
    } catch {
      return 'unreadable';
    }
  };

  const check = async (provider: StockProvider, key: KeyState): Promise<Check> => {
    const skipped = (reason: Extract<Check, { outcome: 'skipped' }>['reason']) =>
      ({ outcome: 'skipped', reason }) as const;
    if (!isChecked) return skipped('not-wanted');
    if (key === 'missing' || key === 'unreadable') return skipped('no-key');
    if (await isSpent(provider)) return skipped('no-budget');
    return checkProvider(provider, nowMs);
  };

  const inspect = async (name: StockProviderName): Promise<ProviderView> => {
    const provider = providerOf(name);
    const key = await keyOf(name);
    const checked = await check(provider, key);
    const relevance =
      checked.outcome === 'works' && measuresRelevance
        ? await measureRelevance(provider, async () => !(await isSpent(provider)))
        : undefined;
    const windows = await readBudget(services, provider, nowMs());
    const endpoint = configuration.PROVIDER_ENDPOINTS[name];
    return {
      provider: name,
      ...(endpoint !== undefined && { endpoint }),
      key,
      check: checked,
      budget: windows,
      ...(relevance && { relevance }),
      serves:
        (key === 'set' || key === 'not-needed') &&
        checked.outcome !== 'failed' &&
        windows.every(({ left }) => left > 0),
    };
  };

  const views = new Map<StockProviderName, Promise<ProviderView>>();
  return Promise.all(
    stockSlots.map(async (slot) => {
      const name = configuration.SLOT_BINDINGS[slot];
      const view = views.get(name) ?? inspect(name);
      views.set(name, view);
      return { slot, ...(await view) };
    }),
  );
}

/** Sends a provider one small request. Whatever a provider does is the outcome. */
async function checkProvider(provider: StockProvider, nowMs: () => number): Promise<Check> {
  const beganMs = nowMs();
  // A CDN may answer a repeated request whatever the key is, so each check sends new words.
  const query = {
    subject: understand(`lake ${randomInt(10_000, 100_000)}`),
    orientation: 'landscape',
  } as const;
  try {
    const { length: images } = await provider.search(query, AbortSignal.timeout(providerCheckTimeoutMs));
    return { outcome: 'works', images, tookMs: nowMs() - beganMs };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) return { outcome: 'failed', kind: 'malformed' };
    const { kind, retryAfterMs } = error;
    // It did not like the words, but it has read them.
    if (kind === 'rejected') return { outcome: 'works', images: 0, tookMs: nowMs() - beganMs };
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
