/** What the operator has decided, as the functions and the commands read it of their environment. */

import { parseUrl } from '../base/parse-url';
import { defaultPlans, type Plans, type PlanTexts, planLimitsMax, planNames } from '../contract/plans';
import {
  providerQuotaMax,
  type SlotBindings,
  type StockProviderName,
  stockProviders,
  stockSlots,
} from '../contract/providers';
import { defaultSite, type Site } from '../contract/site';
import type { Capability } from '../stock/stock-provider';
import { json, or, type Setting } from './config';

type ByProvider<T> = Readonly<Partial<Record<StockProviderName, T>>>;

/** Base URLs by provider; one that is absent has its own. */
export type ProviderEndpoints = ByProvider<string>;

/** The provider of each slot: `{"stock_a": "openverse", …}`. */
export const slotBindingsSetting: Setting<SlotBindings> = json((value) => {
  const bindings = (value ?? {}) as SlotBindings;
  for (const slot of stockSlots)
    if (!isProvider(bindings[slot]))
      throw new Error(`must bind ${slot} to one of ${stockProviders.join(', ')}`);
  return bindings;
});

/** URLs that replace a provider's own: `{"unsplash": "http://127.0.0.1:4010"}`. */
export const providerEndpointsSetting: Setting<ProviderEndpoints> = byProvider('a URL', (endpoint) =>
  /^https?:$/.test(parseUrl(String(endpoint))?.protocol ?? ''),
);

/**
 * What the operator has agreed on with a provider, instead of what it grants to every client: `{"unsplash": {"perHour": 5000}}`.
 * A window that is not named has no limit.
 */
export const providerQuotasSetting: Setting<ByProvider<Capability['quota']>> = byProvider(
  'limits',
  (quota) => Object.keys(readLimits(quota, providerQuotaMax)).length > 0,
);

/** Replaces single limits of the default plans, and adds texts: `{"free": {"monthlyRequests": 2000}}`. */
export const plansSetting: Setting<Plans> = or(json(readPlans), defaultPlans);

/** What the operator has set of the page: `{"name": "Pictures", "imprint": "https://…"}`. */
export const siteSetting: Setting<Site> = or(
  json((value) => ({ ...defaultSite, ...(value as Partial<Site> | null) })),
  defaultSite,
);

/** A value for some providers; for none by default. @param what each must be given */
function byProvider<T>(what: string, isValid: (value: unknown) => boolean): Setting<ByProvider<T>> {
  const check = (value: unknown) => {
    for (const [provider, given] of Object.entries(value ?? {}))
      if (!isProvider(provider) || !isValid(given))
        throw new Error(`must give ${what} to providers, by their names`);
    return (value ?? {}) as ByProvider<T>;
  };
  return or(json(check), {});
}

function isProvider(name: unknown): name is StockProviderName {
  return (stockProviders as readonly unknown[]).includes(name);
}

/** What the gateway admits a second is no limit of ours. */
function readPlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, { texts?: PlanTexts; perSecond?: number }>>;
  const plans = planNames.map((name) => {
    const { texts, perSecond: _, ...limits } = changes[name] ?? {};
    return [name, { ...defaultPlans[name], ...readLimits(limits, planLimitsMax), ...(texts && { texts }) }];
  });
  return Object.fromEntries(plans);
}

/** Some limits, each a whole number from 1 to the maximum of its name. @throws `Error` that says what is wanted */
function readLimits<Name extends string>(
  value: unknown,
  maxima: Readonly<Record<Name, number>>,
): Readonly<Partial<Record<Name, number>>> {
  const limits = (value ?? {}) as Readonly<Record<Name, number>>;
  for (const [name, limit] of Object.entries<number>(limits)) {
    const max = maxima[name as Name] ?? 0;
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > max)
      throw new Error(`must give ${name} a whole number from 1 to ${max}`);
  }
  return limits;
}
