/** Keys of providers and generators for the local service, from its environment. */

import { keyedProviders, keyVariableOf } from '../lambda/contract/providers';

/** Environment variable and name in the provider secret. */
const names: readonly (readonly [variable: string, name: string])[] = [
  ...keyedProviders.map((provider) => [keyVariableOf(provider), provider] as const),
  ['OPENAI_API_KEY', 'openai'],
];

/** The value of the provider secret. @param hasFakeProviders fake providers take any key, so none has to be set */
export function localProviderKeys(
  environment: Readonly<Record<string, string | undefined>>,
  hasFakeProviders: boolean,
): string {
  const keys = names.map(([variable, name]) => [
    name,
    environment[variable] || (hasFakeProviders ? `fake-${name}` : undefined),
  ]);
  return JSON.stringify(Object.fromEntries(keys));
}
