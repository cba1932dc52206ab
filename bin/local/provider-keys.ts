/** Keys of providers and generators for the local service, from its environment. */

/** Environment variable → name in the provider secret. */
const names = {
  UNSPLASH_KEY: 'unsplash',
  PEXELS_KEY: 'pexels',
  PIXABAY_KEY: 'pixabay',
  OPENAI_API_KEY: 'openai',
} as const;

/** The value of the provider secret. @param hasFakeProviders fake providers take any key, so none has to be set */
export function localProviderKeys(
  environment: Readonly<Record<string, string | undefined>>,
  hasFakeProviders: boolean,
): string {
  const keys = Object.entries(names).map(([variable, name]) => [
    name,
    environment[variable] || (hasFakeProviders ? `fake-${name}` : undefined),
  ]);
  return JSON.stringify(Object.fromEntries(keys));
}
