/** Decides by a licence whether any use is allowed, and whether the credit of the image must be shown. */

import type { License } from './record';

/** Licences of the public domain, by the ids that the adapters give them. */
const publicDomain = /^(cc0|pdm|public-domain|no-restrictions|no-known-copyright-restrictions)(-|$)/;
/** Other licences that ask for no credit: of providers, of the library, and of AI images. */
const withoutCredit = /^(unsplash|pexels|pixabay|library)$|^ai-generated(-|$)/;

/** Whether a licence is known to allow any use. */
export function isPublicDomain({ id }: License): boolean {
  return publicDomain.test(id);
}

/** Whether a licence is known to require no credit. */
export function isAttributionFree(license: License): boolean {
  return isPublicDomain(license) || withoutCredit.test(license.id);
}

/** Whether the credit line must be shown. Unsplash's licence requires none, but the terms of its API do. */
export function asksForCredit(license: License): boolean {
  return license.id === 'unsplash' || !isAttributionFree(license);
}
