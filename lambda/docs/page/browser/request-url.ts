/** Builds the URL of a request for an image from the values of the playground's form. */

/** Values of the form as text by parameter; an option that is absent or empty is left out of the URL. */
export interface RequestValues {
  readonly query: string;
  readonly width: string;
  readonly height: string;
  readonly provider?: string;
  readonly onmiss?: string;
  readonly [option: string]: string | undefined;
}

/**
 * The shortest URL for a request: the path form where the words allow it, else the query form.
 * @param root root of the service, without a trailing slash; never holds a key
 */
export function urlOf(root: string, { query: text, width, height, ...given }: RequestValues): string {
  const query = text.trim().replace(/\s+/g, ' ');
  const options = Object.entries(given);
  if (/^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u.test(query)) {
    const words = query.split(' ').map(encodeURIComponent).join('-');
    return withParameters(`${root}/api/image/${width}x${height}-${words}`, options);
  }
  return withParameters(`${root}/api/image`, [
    ['query', query],
    ['width', width],
    ['height', height],
    ...options,
  ]);
}

/** A URL with more query parameters; those without a value are left out. */
export function withParameters(
  url: string,
  parameters: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const pairs = parameters.flatMap(([name, value]) => (value ? [`${name}=${encoded(value)}`] : []));
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Percent-encoded so that the URL can stand between single quotes in a shell. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27').replaceAll('%20', '+').replaceAll('%2C', ',');
}
