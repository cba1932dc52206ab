/** What a licence asks for: whether an image is free for any use, and whether a credit must be shown with it. */

import type { License } from './record';

/** Licences of the public domain, by the ids that the adapters give them. */
const publicDomain = /^(cc0|pdm|public-domain|no-restrictions|no-known-copyright-restrictions)(-|$)/;
/** Other licences that ask for no credit: those of providers, and that of AI images. */
const withoutCredit = /^(unsplash|pexels|pixabay|library)$|^ai-generated(-|$)/;

/** Whether an image is free for any use. A licence that is not known is not. */
export function isPublicDomain({ id }: License): boolean {
  return publicDomain.test(id);
}

/** Whether a licence lets an image be shown without a credit. A licence that is not known does not. */
export function isAttributionFree(license: License): boolean {
  return isPublicDomain(license) || withoutCredit.test(license.id);
}

/** Whether the credit line must be shown with an image: Unsplash's licence requires none, but the terms of its API do. */
export function asksForCredit(license: License): boolean {
  return license.id === 'unsplash' || !isAttributionFree(license);
}
