/** The sources of images: slots that callers name, and the providers that operators bind to them. */

import type { ImageDelivery } from './settings';

/** The stock slots. An operator binds each to a provider, whose name callers do not see. */
export const stockSlots = ['stock_a', 'stock_b', 'stock_c'] as const;
export type StockSlot = (typeof stockSlots)[number];

export const imageSources = [...stockSlots, 'ai'] as const;
export type ImageSource = (typeof imageSources)[number];

export const stockProviders = [
  'openverse',
  'wikimedia',
  'unsplash',
  'pexels',
  'pixabay',
  'sandbox',
  'library',
] as const;
export type StockProviderName = (typeof stockProviders)[number];

/** The provider behind each slot, such as `unsplash` behind `stock_b`. */
export type SlotBindings = Readonly<Record<StockSlot, StockProviderName>>;

/** Tells whether the terms of a provider require that browsers load its images from its own servers. */
export function mustHotlink(provider: string): boolean {
  return provider === 'unsplash';
}

/** Says why the bindings of the slots do not allow a delivery; `undefined` if they do. */
export function deliveryFault(delivery: ImageDelivery, bindings: SlotBindings): string | undefined {
  const slot = stockSlots.find((candidate) => mustHotlink(bindings[candidate]));
  return delivery === 'own' && slot
    ? `imageDelivery own is not possible with Unsplash (${slot}): its terms require hotlinking, so that browsers load each photo from Unsplash itself.`
    : undefined;
}

/** Windows of the quota that an operator may set for a provider, each with its highest value; at least 1. */
export const providerQuotaMax = { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 } as const;

/** Most provider requests for one image, repeats included; those to a slot that failed do not count here. */
export const requestsPerSearchMax = 3;

/** Time for which an image is stored under its pick after its last use, in milliseconds. */
export const pickTtlMs = 400 * 86_400_000;

/**
 * Providers that need an API key, which stands under their name in the secret of the provider keys. The local
 * service reads it from the environment, by `nameKeyVariable`.
 */
export const keyedProviders: readonly StockProviderName[] = ['unsplash', 'pexels', 'pixabay'];

/**
 * Providers that need no key, and allow a registered client more requests: `{"client_id", "client_secret"}`
 * under their name in the same secret.
 */
export const registeringProviders: readonly StockProviderName[] = ['openverse'];

/** Tells whether a provider answers no request without an API key. */
export const needsKey = (provider: StockProviderName) => keyedProviders.includes(provider);

/** Tells whether a provider needs an API key, or answers more requests to a registered client. */
export const takesKey = (provider: StockProviderName) =>
  needsKey(provider) || registeringProviders.includes(provider);

/** Names the variable of the local service that holds the key of a provider: `UNSPLASH_KEY`. */
export const nameKeyVariable = (provider: string) => `${provider.toUpperCase()}_KEY`;
