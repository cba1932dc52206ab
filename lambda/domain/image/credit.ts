/** Which licences ask for a credit beside the image. */

import type { License } from './image';

/** Licences by which an image may be shown without a credit, by the ids that the adapters give them. */
const withoutCredit =
  /^(cc0|pdm|public-domain|no-restrictions|no-known-copyright-restrictions|ai-generated)(-|$)|^(pexels|pixabay)$/;

/**
 * Whether the credit line has to stand beside an image. A licence that is not known asks for it. Unsplash's licence does
 * not, but the terms of its API do.
 */
export function asksForCredit({ id }: License): boolean {
  return !withoutCredit.test(id);
}
