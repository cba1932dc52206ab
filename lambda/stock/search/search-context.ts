/** Declares the context of a search: its caller, what pays for the image, and the page that shows it. */

import type { RequestContext } from '../../quota/request-context';

/** The images that a page shows, none twice. */
export interface PageReservations {
  /** Reserves an image before it is rendered; false where another place of the page shows it. */
  reserve(pick: string): Promise<boolean>;
}

/** A search is counted as work of its caller, unless an earlier payment stands. */
export interface SearchContext
  extends Pick<RequestContext, 'account' | 'requestId' | 'workLimits' | 'earlierPayment' | 'format'> {
  readonly page?: PageReservations | undefined;
  /** Whether a rendition was counted for this very request in the last day: then none is counted again. */
  readonly isRenditionCounted: boolean;
}
