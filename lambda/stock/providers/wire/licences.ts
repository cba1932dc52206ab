/** Names, ids and pages of the licences that stock images come under. */

import type { License } from '../../../images/record';

/** The licence of every image of a provider. */
export const licenseOf = {
  unsplash: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
  pexels: { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' },
  pixabay: {
    id: 'pixabay',
    name: 'Pixabay Content License',
    url: 'https://pixabay.com/service/license-summary/',
  },
  sandbox: {
    id: 'cc0-1.0',
    name: 'CC0 1.0',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  },
} as const satisfies Readonly<Record<string, License>>;

/**
 * A licence of Creative Commons from Openverse's code and version: `by-sa` and `4.0` give `cc-by-sa-4.0`, CC BY-SA 4.0.
 * Codes: WordPress/openverse, `api/api/constants/licenses.py`. `undefined` for those that do not allow cropping and any
 * use, and for what is no code or version.
 */
export function creativeCommons(
  code: string,
  version: string | undefined,
  url: string | undefined,
): License | undefined {
  if (!/^(by|by-sa|cc0|pdm)$/.test(code) || (version !== undefined && !/^\d\.\d$/.test(version)))
    return undefined;
  const [id, name] =
    code === 'cc0'
      ? ['cc0', 'CC0']
      : code === 'pdm'
        ? ['pdm', 'Public Domain Mark']
        : [`cc-${code}`, `CC ${code.toUpperCase()}`];
  const suffix = version ?? '';
  return {
    id: suffix === '' ? id : `${id}-${suffix}`,
    name: suffix === '' ? name : `${name} ${suffix}`,
    ...(url === undefined ? {} : { url }),
  };
}

/** Licences that let anyone crop an image and use it for any purpose, by the short names that Commons gives them. */
const free =
  /^(CC0( \d\.\d)?|CC BY(-SA)?( \d\.\d)?( [a-z-]{2,5})?|public domain|PD(-.*)?|no restrictions|no known copyright restrictions)$/i;

/** The licence behind a `LicenseShortName` of Commons; `undefined` when it is not known to allow cropping and any use. */
export function commonsLicense(shortName: string, url: string | undefined): License | undefined {
  if (!free.test(shortName)) return undefined;
  const id = shortName.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
  return {
    id: id.replace(/^pd(-.*)?$/, 'public-domain'),
    name: shortName,
    ...(url === undefined ? {} : { url }),
  };
}
