/** Names licences, and decides whether they allow any use and whether they ask for a credit line. */

import type { License } from './record';

/** Licences of the public domain, by their ids. */
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

/** Licences that allow cropping and any use, by the short names that Commons gives them. */
const free =
  /^(CC0( \d\.\d)?|CC BY(-SA)?( \d\.\d)?( [a-z-]{2,5})?|public domain( mark( \d\.\d)?)?|PD(-.*)?|no restrictions|no known copyright restrictions)$/i;

/** Finds the licence of a name (`CC BY-SA 4.0`); `undefined` for one that may forbid cropping or some use. */
export function findFreeLicense(name: string, url?: string): License | undefined {
  if (!free.test(name)) return undefined;
  const id = name.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return { id: id.replace(/^pd(-.*)?$/, 'public-domain'), name, ...(url !== undefined && { url }) };
}

/**
 * Writes the name of a licence by Openverse's code and version: `by-sa` and `4.0` give CC BY-SA 4.0.
 * Codes: WordPress/openverse, `api/api/constants/licenses.py`.
 */
export function nameCreativeCommonsLicense(code: string, version: string | undefined): string {
  const names: Readonly<Record<string, string>> = { cc0: 'CC0', pdm: 'Public Domain Mark' };
  const name = names[code] ?? (/^[a-z-]+$/.test(code) ? `CC ${code.toUpperCase()}` : '');
  return version === undefined ? name : `${name} ${version}`;
}
