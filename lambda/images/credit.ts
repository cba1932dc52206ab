/** The licences of images: their names, the use that they allow, and the credit that they ask for. */

import type { License } from './record';

/** Licences of the public domain, by their ids. */
const publicDomainIds = /^(cc0|pdm|public-domain|no-restrictions|no-known-copyright-restrictions)(-|$)/;
/** Other licences without a duty to credit: those of providers, of the library, and of AI images. */
const creditFreeIds = /^(unsplash|pexels|pixabay|library)$|^ai-generated(-|$)/;

/** Returns true if a licence is known to allow any use. */
export function isPublicDomain({ id }: License): boolean {
  return publicDomainIds.test(id);
}

/** Returns true if a licence is known to require no credit. */
export function isAttributionFree(license: License): boolean {
  return isPublicDomain(license) || creditFreeIds.test(license.id);
}

/** Returns true if the credit line must be shown. Unsplash asks for it in the terms of its API. */
export function asksForCredit(license: License): boolean {
  return license.id === 'unsplash' || !isAttributionFree(license);
}

/** The short names that Commons gives to licences which allow cropping and any use. */
const freeLicenseNames =
  /^(CC0( \d\.\d)?|CC BY(-SA)?( \d\.\d)?( [a-z-]{2,5})?|public domain( mark( \d\.\d)?)?|PD(-.*)?|no restrictions|no known copyright restrictions)$/i;

/** Finds a licence by its name (`CC BY-SA 4.0`). Returns `undefined` if it may forbid cropping or some use. */
export function findFreeLicense(name: string, url?: string): License | undefined {
  if (!freeLicenseNames.test(name)) return undefined;
  const id = name.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return { id: id.replace(/^pd(-.*)?$/, 'public-domain'), name, ...(url !== undefined && { url }) };
}

/**
 * Names a licence by Openverse's code and version: `by-sa` and `4.0` give CC BY-SA 4.0.
 * The codes are in WordPress/openverse, `api/api/constants/licenses.py`.
 */
export function nameCreativeCommonsLicense(code: string, version: string | undefined): string {
  const names: Readonly<Record<string, string>> = { cc0: 'CC0', pdm: 'Public Domain Mark' };
  const name = names[code] ?? (/^[a-z-]+$/.test(code) ? `CC ${code.toUpperCase()}` : '');
  return version === undefined ? name : `${name} ${version}`;
}
