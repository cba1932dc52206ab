/** Builds the URL of a request for an image from the values of the playground's form. */

/** Values of the form as text; an option that is absent or empty is left out of the URL. */
export interface RequestValues {
  readonly query: string;
  readonly width: string;
  readonly height: string;
  readonly provider?: string;
  readonly style?: string;
  readonly variation?: string;
  readonly alt?: string;
  readonly visibility?: string;
  readonly seed?: string;
  readonly avoid?: string;
  readonly color?: string;
  readonly license?: string;
  readonly crop?: string;
}

const optionNames = [
  'provider',
  'style',
  'variation',
  'alt',
  'visibility',
  'seed',
  'avoid',
  'color',
  'license',
  'crop',
] as const;

/**
 * The shortest URL for a request: the path form where the words allow it, else the query form.
 * @param root root of the service, without a trailing slash; never holds a key
 */
export function urlOf(root: string, values: RequestValues): string {
  const query = values.query.trim().replace(/\s+/g, ' ');
  const options = optionNames.map((name) => [name, values[name]] as const);
  if (/^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u.test(query)) {
    const words = query.split(' ').map(encodeURIComponent).join('-');
    return withParameters(`${root}/api/image/${values.width}x${values.height}-${words}`, options);
  }
  const { width, height } = values;
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
