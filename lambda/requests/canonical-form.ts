/** The canonical form of a request: the text that a signature covers, the same for both forms of the URL. */

/** Parameters as they were given, percent-decoded once and not normalised. */
export type GivenParameters = Readonly<Record<string, string | undefined>>;

/**
 * Every parameter as `name=value`, re-encoded by RFC 3986, sorted by name, joined by `&`. `upto` is signed in place of
 * `width` and `height`, which the request may choose below it.
 * @param parameters those that a signature covers, and no others
 */
export function canonicalForm(parameters: GivenParameters): string {
  const left = parameters['upto'] === undefined ? [] : ['width', 'height'];
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined || left.includes(name) ? [] : [[name, value] as const]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${rfc3986(value)}`)
    .join('&');
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, in upper-case hex. */
export function rfc3986(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
