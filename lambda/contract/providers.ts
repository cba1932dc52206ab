/** The sources of images. Callers name slots; operators bind each slot to a provider. */

import type { ImageDelivery } from './settings';

/** The stock slots. */
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

/** Says whether the terms of a provider require that browsers load images from its servers. */
export function mustHotlink(provider: string): boolean {
  return provider === 'unsplash';
}

/** Finds why the bindings do not allow a delivery. `undefined` means that they allow it. */
export function findDeliveryFault(delivery: ImageDelivery, bindings: SlotBindings): string | undefined {
  const slot = stockSlots.find((candidate) => mustHotlink(bindings[candidate]));
  return delivery === 'own' && slot
    ? `imageDelivery own is not possible with Unsplash (${slot}): its terms require hotlinking, so that browsers load each photo from Unsplash itself.`
    : undefined;
}

/** The windows of a provider's quota with their highest values. The lowest value is 1. */
export const providerQuotaMax = { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 } as const;

/** Most provider requests for one image, with repetitions. Requests to a slot that failed do not count. */
export const requestsPerSearchMax = 3;

/** Time for which an image is stored under its pick after its last use, in milliseconds. */
export const pickTtlMs = 400 * 86_400_000;

/**
 * Providers that need an API key. The secret of the provider keys holds it under the provider's name. The local
 * service reads it from the environment (`nameKeyVariable`).
 */
export const keyedProviders: readonly StockProviderName[] = ['unsplash', 'pexels', 'pixabay'];

/** Providers that allow more requests with `{"client_id", "client_secret"}` under their name in that secret. */
export const registeringProviders: readonly StockProviderName[] = ['openverse'];

/** Says whether a provider refuses requests without an API key. */
export const needsKey = (provider: StockProviderName) => keyedProviders.includes(provider);

/** Says whether a provider needs an API key, or allows a registered client more requests. */
export const takesKey = (provider: StockProviderName) =>
  needsKey(provider) || registeringProviders.includes(provider);

/** Names the environment variable with the key of a provider for the local service: `UNSPLASH_KEY`. */
export const nameKeyVariable = (provider: string) => `${provider.toUpperCase()}_KEY`;
