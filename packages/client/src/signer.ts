/** Signs image URLs with the secret of a signer. It uses WebCrypto, which Node.js and edge runtimes have. */

import type { SignedUrl } from './image-url';
import { signedParameters } from './service';

export interface SignerCredentials {
  /** `sg_live_…` or `sg_test_…`. It is public, because every signed URL has it. */
  readonly id: string;
  /** `sgs_live_…` or `sgs_test_…`, for servers and build steps. It must not get into a page. */
  readonly secret: string;
}

export type Signer = ReturnType<typeof createSigner>;

/**
 * Creates a signer. Its `sign` adds `signer`, `signature` and, for a URL with an end in Unix seconds, `expires`.
 * @throws `TypeError` for a malformed id or secret; `sign` rejects for a URL that cannot be signed
 */
export function createSigner({ id, secret }: SignerCredentials) {
  const pair = /^sg_(live|test)_[\dA-Za-z]{12} sgs_\1_([\w-]{43})[\dA-Za-z]{6}$/.exec(`${id} ${secret}`);
  // The message does not repeat the secret, because messages get into logs.
  if (!pair) throw new TypeError('No id and secret of one signer');
  const bytes = atob((pair[2] as string).replace(/-/g, '+').replace(/_/g, '/'));
  const keyBytes = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  const key = crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return {
    async sign(url: string, { expires }: { readonly expires?: number } = {}): Promise<SignedUrl> {
      if (!/^\d*$/.test(String(expires ?? ''))) throw new TypeError('expires must be whole Unix seconds');
      const [target = ''] = url.split('#');
      const message = `image-redirect/v1\n${id}\n${expires ?? ''}\n${writeCanonicalForm(target)}`;
      const mac = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(message));
      const text = btoa(String.fromCharCode(...new Uint8Array(mac, 0, 16)));
      const signature = text.replace(/\+/g, '-').replace(/\//g, '_').slice(0, 22);
      return `${target}${target.includes('?') ? '&' : '?'}signer=${id}${expires === undefined ? '' : `&expires=${expires}`}&signature=${signature}`;
    },
  };
}

/** Parameters of credentials and signatures. A URL with one of them cannot be signed. */
const refusedNames = ['api_key', 'site', 'signer', 'expires', 'signature'];

const fullNames: Readonly<Record<string, string | undefined>> = { q: 'query', w: 'width', h: 'height' };

/** Writes the signed parameters of a URL in canonical form. @throws `TypeError` for a URL that cannot be signed */
export function writeCanonicalForm(url: string): string {
  const { pathname, searchParams } = new URL(url, 'file:///');
  const [isImage, segment] = /\/api\/image(?:\/(.*))?$/s.exec(pathname.replace(/(?<!\/)\/+$/, '')) ?? [];
  if (isImage === undefined) throw new TypeError('No image URL');
  const values = new Map<string, string>();
  if (segment) {
    // The path form: `1920x1080-mountain-lake.jpg`, percent-encoded.
    const path = decodeURIComponent(segment).replace(/\.(?:jpe?g|webp|avif|png|gif|svg|bmp|tif)$/i, '');
    const [match, width = '', height = '', words = ''] = /^(\d+)x(\d+)(?:[-_+/ ](.*))?$/s.exec(path) ?? [];
    if (match === undefined) throw new TypeError('No image URL');
    const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
    for (const [name, value] of Object.entries({ width, height, query })) values.set(name, value);
  }
  for (const [rawName, value] of searchParams) {
    // A link that was escaped twice has `amp;` before a name. The service drops it.
    const plainName = rawName.replace(/^(?:amp;)+/, '');
    const name = fullNames[plainName] ?? plainName;
    if (refusedNames.includes(name)) throw new TypeError(`${name} cannot be signed`);
    if (!signedParameters.includes(name)) continue;
    if (values.has(name)) throw new TypeError(`${name} is given twice`);
    values.set(name, value);
  }
  return writeCanonicalQuery(Object.fromEntries(values));
}

/** Texts of parameters by name, percent-decoded once and not normalised. */
export type ParameterTexts = Readonly<Record<string, string | undefined>>;

/** Writes signed parameters, sorted by name. With `upto` the sides are not signed: a request may choose them. */
export function writeCanonicalQuery(parameters: ParameterTexts): string {
  const replacedNames = parameters['upto'] === undefined ? [] : ['width', 'height'];
  const signedTexts = Object.entries(parameters).filter(([name]) => !replacedNames.includes(name));
  return writeQueryString(signedTexts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes a query string. Only the unreserved characters of RFC 3986 are not encoded; hex digits are upper-case. */
export function writeQueryString(parameters: readonly (readonly [string, string | undefined])[]): string {
  const encodeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const encodePercent = (text: string) =>
    encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, encodeCharacter);
  return parameters
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodePercent(value)}`))
    .join('&');
}
