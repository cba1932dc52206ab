/** The sources of images: the stock slots that callers name, and the stock providers that operators bind them to. */

import type { ImageDelivery } from './environment';

/** Neutral names that callers use, bound by the operator to real providers. */
export const stockSlots = ['stock_a', 'stock_b', 'stock_c'] as const;
/** A stock source as callers name it. */
export type StockSlot = (typeof stockSlots)[number];

/** Everything that an image can come from, as callers name it. */
export const imageSources = [...stockSlots, 'ai'] as const;
/** A stock slot or `ai`. */
export type ImageSource = (typeof imageSources)[number];

/** Providers that a stock slot can be bound to. */
export const stockProviders = [
  'openverse',
  'wikimedia',
  'unsplash',
  'pexels',
  'pixabay',
  'sandbox',
  'library',
] as const;
/** A provider as operators name it. */
export type StockProviderName = (typeof stockProviders)[number];

/** The provider of each slot. */
export type SlotBindings = Readonly<Record<StockSlot, StockProviderName>>;

/** Whether the terms of a provider require that browsers load each image from its own servers. */
export function mustHotlink(provider: string): boolean {
  return provider === 'unsplash';
}

/** Why images cannot be delivered so with these bindings; `undefined` where they can. */
export function deliveryFault(delivery: ImageDelivery, bindings: SlotBindings): string | undefined {
  const slot = stockSlots.find((each) => mustHotlink(bindings[each]));
  return delivery === 'own' && slot
    ? `imageDelivery own is not possible with Unsplash (${slot}): its terms require hotlinking, so that browsers load each photo from Unsplash itself.`
    : undefined;
}

/** The windows for which a provider's quota can be set, each with the most requests that it may hold; at least 1. */
export const providerQuotaMax = { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 } as const;

/** Requests that the search for one image may send to providers, from their budgets; as many again after a failure. */
export const requestsPerSearchMax = 3;

/** How long the image that stands for a query is kept after its last use, in milliseconds. */
export const pickKeptMs = 400 * 86_400_000;

/**
 * Providers that answer with an API key only. It stands under the provider's name in the secret of the provider keys;
 * the local service reads it from the environment variable of `keyVariableOf`.
 */
export const keyedProviders: readonly StockProviderName[] = ['unsplash', 'pexels', 'pixabay'];

/**
 * Providers that answer without a key, and allow a registered client more requests: `{"client_id", "client_secret"}` under
 * the provider's name in the same secret.
 */
export const registeringProviders: readonly StockProviderName[] = ['openverse'];

/** Whether a provider needs an API key. */
export const needsKey = (provider: StockProviderName) => keyedProviders.includes(provider);

/** Whether a provider needs an API key, or takes a registered client. */
export const takesKey = (provider: StockProviderName) =>
  needsKey(provider) || registeringProviders.includes(provider);

/** Environment variable of the local service that holds the key of a provider: `UNSPLASH_KEY`. */
export const keyVariableOf = (provider: string) => `${provider.toUpperCase()}_KEY`;
