/** The parameters of an image URL that a signature covers, in the order in which they are signed. */

/**
 * Every parameter that decides which image a URL shows, sorted by name in byte order. Credentials (`api_key`, `signer`,
 * `expires`, `signature`, `site`) and `format` are not signed; parameters that are not listed are neither signed nor read.
 */
export const signedParameters = [
  'alt',
  'avoid',
  'color',
  'crop',
  'height',
  'license',
  'onmiss',
  'provider',
  'query',
  'seed',
  'style',
  'upto',
  'variation',
  'visibility',
  'width',
] as const;
