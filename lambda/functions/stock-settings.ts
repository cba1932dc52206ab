/** The settings of the stock side: the provider of each slot, its URL, and how often it may be asked. */

import { parseUrl } from '../base/parse-url';
import { readLimits } from '../contract/limits';
import {
  providerQuotaMax,
  type SlotBindings,
  type StockProviderName,
  type StockSlot,
  stockProviders,
  stockSlots,
} from '../contract/providers';
import type { Capability } from '../stock/stock-provider';
import { json, type Setting } from './config';

/** Base URLs by provider; one that is absent has its own. */
export type ProviderEndpoints = Readonly<Partial<Record<StockProviderName, string>>>;
type ProviderQuotas = Readonly<Partial<Record<StockProviderName, Capability['quota']>>>;

/** The provider of each slot: `{"stock_a": "openverse", …}`. */
export const slotBindingsSetting: Setting<SlotBindings> = json(readBindings);

/** URLs that replace a provider's own: `{"unsplash": "http://127.0.0.1:4010"}`. */
export const providerEndpointsSetting: Setting<ProviderEndpoints> = json(readEndpoints, {});

/**
 * What the operator has agreed on with a provider, instead of what it grants to every client: `{"unsplash": {"perHour": 5000}}`.
 * A window that is not named has no limit.
 */
export const providerQuotasSetting: Setting<ProviderQuotas> = json(readQuotas, {});

function readBindings(value: unknown): SlotBindings {
  const bindings = (value ?? {}) as Partial<Record<StockSlot, StockProviderName>>;
  for (const slot of stockSlots) {
    if (!isProvider(bindings[slot]))
      throw new Error(`must bind ${slot} to one of ${stockProviders.join(', ')}`);
  }
  return bindings as SlotBindings;
}

function readEndpoints(value: unknown): ProviderEndpoints {
  for (const [provider, endpoint] of Object.entries(value ?? {})) {
    if (!isProvider(provider) || !/^https?:$/.test(parseUrl(String(endpoint))?.protocol ?? ''))
      throw new Error('must give each provider that it names a URL');
  }
  return (value ?? {}) as ProviderEndpoints;
}

function readQuotas(value: unknown): ProviderQuotas {
  for (const [provider, quota] of Object.entries(value ?? {})) {
    if (!isProvider(provider) || Object.keys(readLimits(quota, providerQuotaMax)).length === 0)
      throw new Error(`must give limits to providers`);
  }
  return (value ?? {}) as ProviderQuotas;
}

function isProvider(name: unknown): name is StockProviderName {
  return (stockProviders as readonly unknown[]).includes(name);
}
