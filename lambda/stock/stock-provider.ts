/** The adapter of a stock provider: its searches, its images in a size, its limits, its failures. */

import type { StockProviderName } from '../contract/providers';
import type { Crop, LicenseCondition } from '../contract/request-bounds';
import type { Candidate, Orientation } from '../images/image';
import type { RenditionSource } from '../images/renderer-job';
import type { Size } from '../requests/rendition';
import type { Subject } from './subject';

/** The abilities and demands of a provider, by its documentation. */
export interface Capability {
  /** Whether it orders its reply by relevance itself, on more than it returns. */
  readonly ranksByRelevance: boolean;
  /** Conditions on the licence that none of its images meets, so that it need not be searched. */
  readonly unmetLicenses: readonly LicenseCondition[];
  /** Hosts of its images, reached over https; a fake one, with its port (`127.0.0.1:4010`), over http. */
  readonly allowedHosts: readonly string[];
  /** Time for which the URLs of a reply work, in milliseconds; absent where they do not end. */
  readonly urlTtlMs?: number;
}

/** Requests that a provider allows; all limits that are present apply. */
export interface Quota {
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perDay?: number;
}

/** The query for a provider. */
export interface StockQuery {
  readonly subject: Subject;
  readonly orientation: Orientation;
  /** A `ColorName` or six hexadecimal digits. Where a provider cannot search by it, the ranking does. */
  readonly color?: string | undefined;
  readonly license?: LicenseCondition | undefined;
}

/** Takes one more request from the budget; false where it is used up, or the search has sent its share. */
export type TakeRequest = () => Promise<boolean>;

/** How a provider offers an image in the wanted size. */
export type ImageOffer =
  /** The provider crops: redirect to this URL, and report the use at `reportUrl` where there is one. */
  | { readonly kind: 'hotlink'; readonly url: string; readonly reportUrl?: string | undefined }
  | { readonly kind: 'fetch'; readonly url: string }
  | Extract<RenditionSource, { kind: 'stored' | 'drawing' }>;

/** The adapter of a provider. Its requests throw `ProviderFailure`, and nothing else. */
export interface StockProvider {
  readonly name: StockProviderName;
  readonly capability: Capability;
  /** Present for the operator's photographs, which are in memory: no request is sent, no choice is stored. */
  readonly isInMemory?: true;
  /** Candidates for a query, best first. One request is taken before, each further one by `takeRequest`. */
  search(query: StockQuery, signal: AbortSignal, takeRequest?: TakeRequest): Promise<readonly Candidate[]>;
  /** One candidate as it is described now; `undefined` once it is gone. Absent if candidates never go. */
  findById?(id: string, signal: AbortSignal): Promise<Candidate | undefined>;
  /** Offers a candidate in a size, enlarged where needed; `undefined` where it names no file. */
  offerImage(candidate: Candidate, size: Size, crop?: Crop): ImageOffer | undefined;
  /** The limits in force: as the operator has configured them, else as documented. Never throws. */
  readQuota(): Promise<Quota>;
  /** Reports a use at the `reportUrl` of an offer. Absent if the provider asks for no reports. */
  reportUse?(reportUrl: string, signal: AbortSignal): Promise<void>;
}

/** The reason for a failed request. `rejected` means this very request, any other one every request. */
export type ProviderFailureKind = 'throttled' | 'unauthorized' | 'unavailable' | 'rejected' | 'malformed';

/** A provider's fault. The message is internal and must hold no key and no URL with a key. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  constructor(
    readonly kind: ProviderFailureKind,
    message: string,
    /** Time that the provider asks to wait before the next request (`Retry-After`), in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
