/** Keeps credentials until shortly before they expire. */

import { lazily } from '../../../async/lazily';
import { type CredentialSource, credentialsIn, type Environment } from './plain-environment';

/** Credentials are fetched anew this long before they expire, as the SDK does. */
const refreshMs = 300_000;

/** Callers share one fetch; a fetch that failed is tried again by the next call. */
export function keepCredentials(source: CredentialSource, nowMs: () => number): CredentialSource {
  let load = lazily(source);
  return async () => {
    const current = load;
    const credentials = await current();
    const { expiration } = credentials;
    if (expiration === undefined || expiration.getTime() - nowMs() >= refreshMs) return credentials;
    if (load === current) load = lazily(source);
    return load();
  };
}

/** The environment's own credentials, or those that AWS's chain of providers finds, which is loaded only then. */
export function credentialsOf(environment: Environment): CredentialSource {
  const chain = lazily(async () => (await import('./credential-chain')).createCredentialChain());
  return async () => credentialsIn(environment) ?? (await chain())();
}
