/** What is configured for a stock adapter, and what all adapters do alike; everything else is fixed by its provider's documentation. */

import type { Clock } from '../../base/clock';
import type { PhotoIndex } from '../library/photo-index';
import { type Capability, ProviderFailure } from '../stock-provider';

/** What is configured for one adapter. */
export interface ProviderSettings {
  /** Replaces the provider's own base URL, without a trailing slash: a local fake provider. */
  readonly baseUrl?: string;
  /** The provider's key, read on first need; empty when the operator has set none. */
  readonly key: () => Promise<string>;
  /** How to reach the operator of the service, an e-mail address or a URL, for the User-Agent. */
  readonly contact: () => string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Reads the operator's photographs, for the provider of these alone. */
  readonly readPhotoIndex?: () => Promise<PhotoIndex>;
  /** What the operator has agreed on with the provider, instead of what its documentation grants to anyone. */
  readonly quota?: Capability['quota'];
}

/** Candidates that are taken from one answer: enough to choose from, few enough to keep. */
export const candidatesMax = 20;

/** What holds where a provider's documentation does not say otherwise. */
export const usualCapability = {
  ranksByRelevance: false,
  searchFilters: [],
  unmetLicenses: [],
} as const satisfies Partial<Capability>;

/** What a source can do whose images the service makes itself, from what it has: no request is sent, and nothing is counted. */
export const ownCapability: Capability = { ...usualCapability, allowedHosts: [], quota: {} };

/** Names the service and its operator, in the form that Wikimedia's User-Agent policy asks for. */
export function userAgentOf({ contact }: Pick<ProviderSettings, 'contact'>): string {
  const reachable = contact().replace(/[^\x20-\x7e]|[()]/g, '');
  return `image-redirect/0.1 (${reachable}) node/${process.versions.node.split('.')[0]}`;
}

/** The key. @throws `ProviderFailure` that names neither the key nor where it was looked for. */
export async function keyOf(provider: string, { key }: Pick<ProviderSettings, 'key'>): Promise<string> {
  let value = '';
  try {
    value = (await key()).trim();
  } catch {
    throw new ProviderFailure('unavailable', `The key of ${provider} could not be read.`);
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ProviderFailure('unauthorized', `${provider} needs a key, and no usable one is set.`);
  }
  return value;
}

/** A URL below the base with parameters; `undefined` ones are left out. */
export function urlOf(
  baseUrl: string,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}
