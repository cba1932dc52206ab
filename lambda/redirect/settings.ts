/** What the image function is told by its environment. */

import { json, optionalText, text, url, wholeNumber } from '../config';
import { type StockProviderName, stockProviders, tableVariables, variables } from '../contract';
import { type StockSlot, stockSlots } from '../domain/slot';
import { plansSetting } from '../plans-setting';

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
  [variables.eventBus]: optionalText,
  [variables.plans]: plansSetting,
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
