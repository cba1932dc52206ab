/** What the image function is told by its environment. */

import { json, optionalText, text, url, wholeNumber } from '../config';
import { type StockProviderName, stockProviders, tableVariables, variables } from '../contract';
import { defaultPlans, type Plans, planNames } from '../domain/plan';
import { type StockSlot, stockSlots } from '../domain/slot';

export const settings = {
  [tableVariables.quotaCounters]: text,
  [tableVariables.lookupCache]: text,
  [tableVariables.generationIndex]: text,
  [variables.addressSecret]: text,
  [variables.slotBindings]: json(readBindings),
  [variables.imageBaseUrl]: url('https:', 'http:'),
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.rendererFunction]: text,
  [variables.generatorFunction]: text,
  [variables.signingSecretId]: text,
  [variables.signingKeyPairId]: text,
  [variables.providerSecretId]: optionalText,
  [variables.providerEndpoints]: json(readEndpoints, {}),
  [variables.contact]: optionalText,
  [variables.plans]: json(readPlans, defaultPlans),
  [variables.redirectMaxAge]: wholeNumber(0, 86_400, 3_600),
} as const;

function readBindings(value: unknown): Readonly<Record<StockSlot, StockProviderName>> {
  const bindings = (value ?? {}) as Partial<Record<StockSlot, StockProviderName>>;
  for (const slot of stockSlots) {
    if (!stockProviders.includes(bindings[slot] as StockProviderName))
      throw new Error(`must bind ${slot} to one of ${stockProviders.join(', ')}`);
  }
  return bindings as Record<StockSlot, StockProviderName>;
}

function readEndpoints(value: unknown): Readonly<Partial<Record<StockProviderName, string>>> {
  for (const [provider, endpoint] of Object.entries(value ?? {})) {
    if (!stockProviders.includes(provider as StockProviderName) || !URL.canParse(String(endpoint)))
      throw new Error('must name an address for each provider it names');
  }
  return value as Partial<Record<StockProviderName, string>>;
}

/** Replaces single limits of the default plans: `{"free": {"monthlyRequests": 2000}}`. */
function readPlans(value: unknown): Plans {
  const changes = (value ?? {}) as Readonly<Record<string, Partial<Plans['free']> | undefined>>;
  const plans = planNames.map((name) => {
    const plan = { ...defaultPlans[name], ...changes[name], name };
    for (const limit of [plan.monthlyRequests, plan.generationsAtOnce]) {
      if (!Number.isSafeInteger(limit) || limit < 1)
        throw new Error(`must give ${name} whole numbers above zero`);
    }
    return [name, plan];
  });
  return Object.fromEntries(plans);
}
