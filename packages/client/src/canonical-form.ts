/** The canonical form of an image URL: the text that a signature covers, the same for both forms of one request. */

import { signedParameters } from './signed-parameters';

const names: readonly string[] = signedParameters;

/** What a URL may not carry when it is signed: another credential, or the parts of an older signature. */
const refused = ['api_key', 'site', 'signer', 'expires', 'signature'];

/**
 * Every signed parameter as `name=value`, percent-decoded once, re-encoded by RFC 3986, sorted by name, joined by `&`.
 * @param url of either form, absolute or beginning with a slash
 * @throws `TypeError` for a URL that the service would refuse with any signature
 */
export function canonicalForm(url: string): string {
  const { pathname, searchParams } = new URL(url, 'file:///');
  const match = /\/api\/image(?:\/(.*))?$/s.exec(pathname.replace(/(?<!\/)\/+$/, ''));
  if (!match) throw new TypeError('No image URL');
  const [, segment] = match;
  const values = new Map(Object.entries(segment ? pathParameters(segment) : {}));
  for (const [name, value] of searchParams) {
    if (refused.includes(name)) throw new TypeError(`${name} cannot be signed`);
    if (!names.includes(name)) continue;
    if (values.has(name)) throw new TypeError(`${name} is given twice`);
    values.set(name, value);
  }
  // Signed in their place: the request may choose its size below it.
  if (values.has('upto')) for (const side of ['width', 'height']) values.delete(side);
  return [...values]
    .map(([name, value]) => `${name}=${rfc3986(value)}`)
    .sort()
    .join('&');
}

/** What the path form stands for: `1920x1080-mountain-lake.jpg`, percent-encoded. */
function pathParameters(segment: string): Record<string, string> {
  const decoded = decodeURIComponent(segment).replace(/\.(?:jpe?g|webp|avif|png)$/i, '');
  const [match, width = '', height = '', words = ''] = /^(\d+)x(\d+)(?:[-_+/ ](.*))?$/s.exec(decoded) ?? [];
  if (match === undefined) throw new TypeError('No image URL');
  return { width, height, query: words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '') };
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, in upper-case hex. */
function rfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
