/** The interface of a stock provider's adapter. */

import type { StockProviderName } from '../contract/providers';
import type { Crop, LicenseCondition } from '../contract/request-bounds';
import type { Candidate, Orientation } from '../images/image';
import type { RenditionSource } from '../images/renderer-job';
import type { Size } from '../requests/rendition';
import type { Subject } from './subject';

/** The abilities of a provider, by its documentation. */
export interface Capability {
  /** True if its order is better than ours, because it ranks by more than the texts that it returns. */
  readonly ranksByRelevance: boolean;
  /** Conditions on the licence that no image of it meets. A request with such a condition skips the provider. */
  readonly unmetLicenses: readonly LicenseCondition[];
  /** Hosts of its images, reached over https. A fake host has a port and is reached over http. */
  readonly allowedHosts: readonly string[];
  /** Time for which the URLs of a reply work, in milliseconds; absent if they always work. */
  readonly urlTtlMs?: number;
}

/** The number of requests that a provider allows. All limits that are present apply. */
export interface Quota {
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perDay?: number;
}

export interface StockQuery {
  readonly subject: Subject;
  readonly orientation: Orientation;
  /** A `ColorName` or six hexadecimal digits. If the provider cannot search by colour, the ranking uses it. */
  readonly color?: string | undefined;
  readonly license?: LicenseCondition | undefined;
}

/** Takes one more request from the budget. Returns false if the budget of provider or search is used up. */
export type TakeRequest = () => Promise<boolean>;

/** The way to get an image in the wanted size. */
export type ImageOffer =
  /** The provider crops. The use is reported at `reportUrl`, if the provider wants reports. */
  | { readonly kind: 'hotlink'; readonly url: string; readonly reportUrl?: string | undefined }
  | { readonly kind: 'fetch'; readonly url: string }
  | Extract<RenditionSource, { kind: 'stored' | 'drawing' }>;

/** The adapter of a provider. Its requests throw only `ProviderFailure`. */
export interface StockProvider {
  readonly name: StockProviderName;
  readonly capability: Capability;
  /** True for the operator's photographs. Their index is in memory, so no choice of them is stored. */
  readonly isInMemory?: true;
  /** Finds candidates, best first. The caller takes the first request, and `takeRequest` each further one. */
  search(query: StockQuery, signal: AbortSignal, takeRequest?: TakeRequest): Promise<readonly Candidate[]>;
  /** Describes a candidate anew; `undefined` if it is gone. Absent if candidates never change. */
  findById?(id: string, signal: AbortSignal): Promise<Candidate | undefined>;
  /** Offers a candidate in a size, enlarged if needed; `undefined` if the candidate has no file. */
  offerImage(candidate: Candidate, size: Size, crop?: Crop): ImageOffer | undefined;
  /** Reads the limits that the operator has configured, or else the documented ones. Never throws. */
  readQuota(): Promise<Quota>;
  /** Reports a use at the `reportUrl` of an offer. Absent if the provider wants no reports. */
  reportUse?(reportUrl: string, signal: AbortSignal): Promise<void>;
}

/** The reason for a failure. With `rejected` this one request fails, with the others every request would. */
export type ProviderFailureKind = 'throttled' | 'unauthorized' | 'unavailable' | 'rejected' | 'malformed';

/** The failure of a request to a provider. The message is logged, so it must not contain a key. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  constructor(
    readonly kind: ProviderFailureKind,
    message: string,
    /** The provider's `Retry-After`, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
