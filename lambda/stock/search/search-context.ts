/** Declares the context of a search: its caller, what pays for the image, and the page that shows it. */

import type { RequestContext } from '../../quota/request-context';

/** A search is counted as work of its caller, unless an earlier payment stands. */
export interface SearchContext
  extends Pick<
    RequestContext,
    'account' | 'requestId' | 'workLimits' | 'settledPayment' | 'format' | 'page'
  > {
  /** Whether a rendition was counted for this very request in the last day: then none is counted again. */
  readonly isRenditionCounted: boolean;
}
