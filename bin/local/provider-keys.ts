/** Keys of providers and generators for the local service, from the environment or a `.env` file. */

import { existsSync } from 'node:fs';

/** Environment variable → name in the provider secret. */
const names = {
  UNSPLASH_KEY: 'unsplash',
  PEXELS_KEY: 'pexels',
  PIXABAY_KEY: 'pixabay',
  OPENAI_API_KEY: 'openai',
} as const;

/** The value of the provider secret. @param hasTwins twins take any key, so none has to be set */
export function localProviderKeys(hasTwins: boolean): string {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const keys = Object.entries(names).map(([variable, name]) => [
    name,
    hasTwins ? `twin-${name}` : process.env[variable],
  ]);
  return JSON.stringify(Object.fromEntries(keys));
}
