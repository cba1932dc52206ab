/** Signs image URLs with a signer's secret, by WebCrypto: in Node, in edge runtimes and in build steps. */

import type { SignedUrl } from './image-url';
import { signedParameters } from './service';

/** Id and secret of a signer. */
export interface SignerCredentials {
  /** `sg_live_…` or `sg_test_…`: public, part of every signed URL. */
  readonly id: string;
  /** `sgs_live_…` or `sgs_test_…`: belongs on a server or in a build step, never in a page. */
  readonly secret: string;
}

/** A signer with its secret. */
export type Signer = ReturnType<typeof createSigner>;

/**
 * Makes a signer, whose `sign` adds `signer`, `signature` and, with an end in Unix seconds, `expires`.
 * @throws `TypeError` for a malformed id or secret, and later for a URL that cannot be signed or is signed
 */
export function createSigner({ id, secret }: SignerCredentials) {
  const pair = /^sg_(live|test)_[\dA-Za-z]{12} sgs_\1_([\w-]{43})[\dA-Za-z]{6}$/.exec(`${id} ${secret}`);
  // Messages reach logs, so the secret is in none.
  if (!pair) throw new TypeError('No id and secret of one signer');
  const bytes = atob((pair[2] as string).replace(/-/g, '+').replace(/_/g, '/'));
  const keyBytes = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  const key = crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return {
    async sign(url: string, { expires }: { readonly expires?: number } = {}): Promise<SignedUrl> {
      if (!/^\d*$/.test(String(expires ?? ''))) throw new TypeError('expires must be whole Unix seconds');
      const [target = ''] = url.split('#');
      const message = `image-redirect/v1\n${id}\n${expires ?? ''}\n${canonicalForm(target)}`;
      const mac = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(message));
      const text = btoa(String.fromCharCode(...new Uint8Array(mac, 0, 16)));
      const signature = text.replace(/\+/g, '-').replace(/\//g, '_').slice(0, 22);
      return `${target}${target.includes('?') ? '&' : '?'}signer=${id}${expires === undefined ? '' : `&expires=${expires}`}&signature=${signature}`;
    },
  };
}

/** Parameters of other credentials and of a signature: a URL with one of them cannot be signed. */
const refused = ['api_key', 'site', 'signer', 'expires', 'signature'];

const fullNames: Readonly<Record<string, string | undefined>> = { q: 'query', w: 'width', h: 'height' };

/**
 * Writes the signed parameters of a URL in their canonical form.
 * @param url of either form, absolute or beginning with a slash
 * @throws `TypeError` for a URL that the service would refuse with any signature
 */
export function canonicalForm(url: string): string {
  const { pathname, searchParams } = new URL(url, 'file:///');
  const [isImage, segment] = /\/api\/image(?:\/(.*))?$/s.exec(pathname.replace(/(?<!\/)\/+$/, '')) ?? [];
  if (isImage === undefined) throw new TypeError('No image URL');
  const values = new Map<string, string>();
  if (segment) {
    // The path form: `1920x1080-mountain-lake.jpg`, percent-encoded.
    const decoded = decodeURIComponent(segment).replace(/\.(?:jpe?g|webp|avif|png|gif|svg|bmp|tif)$/i, '');
    const [match, width = '', height = '', words = ''] = /^(\d+)x(\d+)(?:[-_+/ ](.*))?$/s.exec(decoded) ?? [];
    if (match === undefined) throw new TypeError('No image URL');
    const query = words.replace(/[-_+/ ]+/g, ' ').replace(/^ | $/g, '');
    for (const [name, value] of Object.entries({ width, height, query })) values.set(name, value);
  }
  for (const [rawName, value] of searchParams) {
    // In links that were escaped twice, `amp;` stands before a name; the service drops it.
    const plain = rawName.replace(/^(?:amp;)+/, '');
    const name = fullNames[plain] ?? plain;
    if (refused.includes(name)) throw new TypeError(`${name} cannot be signed`);
    if (!signedParameters.includes(name)) continue;
    if (values.has(name)) throw new TypeError(`${name} is given twice`);
    values.set(name, value);
  }
  return canonicalQuery(Object.fromEntries(values));
}

/** Texts of parameters by their names, percent-decoded once and not normalised. */
export type ParameterTexts = Readonly<Record<string, string | undefined>>;

/** Writes the signed parameters, sorted by name. `upto` stands for the sides, which a request chooses below it. */
export function canonicalQuery(parameters: ParameterTexts): string {
  const replacedNames = parameters['upto'] === undefined ? [] : ['width', 'height'];
  const signedTexts = Object.entries(parameters).filter(([name]) => !replacedNames.includes(name));
  return writeQueryString(signedTexts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes a query string: all but the unreserved characters of RFC 3986 are encoded, in upper-case hex. */
export function writeQueryString(parameters: readonly (readonly [string, string | undefined])[]): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, hex);
  return parameters
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encoded(value)}`))
    .join('&');
}
