/** The stock providers. */

/** Adapters that a stock slot can be bound to. */
export const stockProviders = ['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay', 'sandbox'] as const;
export type StockProviderName = (typeof stockProviders)[number];
