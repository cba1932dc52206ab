/** Names and ids of the licences that stock images come under. */

import type { License } from '../../../images/record';

/** Licences that allow cropping and any use, by the short names that Commons gives them. */
const free =
  /^(CC0( \d\.\d)?|CC BY(-SA)?( \d\.\d)?( [a-z-]{2,5})?|public domain( mark( \d\.\d)?)?|PD(-.*)?|no restrictions|no known copyright restrictions)$/i;

/** Finds the licence of a name (`CC BY-SA 4.0`); `undefined` for one that may not allow cropping or any use. */
export function freeLicense(name: string, url?: string): License | undefined {
  if (!free.test(name)) return undefined;
  const id = name.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return { id: id.replace(/^pd(-.*)?$/, 'public-domain'), name, ...(url !== undefined && { url }) };
}

/**
 * Writes the name of a licence by Openverse's code and version: `by-sa` and `4.0` give CC BY-SA 4.0.
 * Codes: WordPress/openverse, `api/api/constants/licenses.py`.
 */
export function creativeCommonsName(code: string, version: string | undefined): string {
  const names: Readonly<Record<string, string>> = { cc0: 'CC0', pdm: 'Public Domain Mark' };
  const name = names[code] ?? (/^[a-z-]+$/.test(code) ? `CC ${code.toUpperCase()}` : '');
  return version === undefined ? name : `${name} ${version}`;
}
