/** How a caller identifies itself: a closed union, one member for each kind of credential. */

import { type RequestingPage, requestingPageOf } from './site-key';

/** What a request identifies its caller by; nothing of it has been checked. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly from: 'header' | 'bearer' | 'query'; readonly key: string }
  /** The signer that a signed URL names; empty where it names none or several. The image function verifies the signature. */
  | { readonly kind: 'signer'; readonly id: string }
  | { readonly kind: 'site'; readonly key: string; readonly page: RequestingPage }
  /** An `Authorization` that is no bearer token. */
  | { readonly kind: 'unreadable' }
  /** Several different keys, or credentials of different kinds, of which none can be preferred. */
  | { readonly kind: 'conflicting' };

/** The part of a request that may hold credentials. */
export interface GivenCredentials {
  /** All values of a header, by its name in lower case. */
  readonly header: (name: string) => readonly string[];
  /** Every value of every query parameter, decoded. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
}

/**
 * The credential of a request for an image, which alone may be a signer's or a site key. An empty site key counts as
 * none; `signer` or `signature` makes a signed URL even when it is empty, so that a damaged one never passes as unsigned.
 */
export function imageCredentialFrom(given: GivenCredentials): Credential {
  const { header, query } = given;
  const key = keyCredentialFrom(given);
  if (key.kind === 'unreadable') return key;
  const isSigned = isSignedQuery(query);
  const sites = (query['site'] ?? []).filter((value) => value !== '');
  if (!isSigned && sites.length === 0) return key;
  if (key.kind !== 'none' || (isSigned && sites.length > 0)) return { kind: 'conflicting' };
  if (isSigned) return { kind: 'signer', id: onlyOf(query['signer'] ?? []) ?? '' };
  return {
    kind: 'site',
    key: onlyOf(sites) ?? '',
    page: requestingPageOf((name) => {
      const values = header(name);
      // Two headers are what no browser sends; the text of both matches no origin.
      return values.length === 0 ? undefined : values.join(', ');
    }),
  };
}

/** Whether these parameters are those of a signed URL, whole or damaged. */
export function isSignedQuery(query: GivenCredentials['query']): boolean {
  return query['signer'] !== undefined || query['signature'] !== undefined;
}

/**
 * The API key of a request, in the header `X-API-Key`, in `Authorization` or in the query parameter. An empty value counts
 * as none, and the same key in several places as one. What is present and not understood is no reason to serve the request
 * as one without a key, which its sender would not notice.
 */
export function keyCredentialFrom({
  header,
  query,
}: GivenCredentials): Extract<Credential, { kind: 'none' | 'key' | 'unreadable' | 'conflicting' }> {
  const authorizations = header('authorization').filter((value) => !/^\s*(bearer\s*)?$/i.test(value));
  const tokens = authorizations.map(bearerTokenIn);
  if (tokens.includes(undefined)) return { kind: 'unreadable' };
  const given = (
    [
      ['header', header('x-api-key')],
      ['bearer', tokens as readonly string[]],
      ['query', query['api_key'] ?? []],
    ] as const
  ).flatMap(([from, values]) => values.map((value) => ({ from, key: value.trim() })));
  const [first, ...others] = given.filter(({ key }) => key !== '');
  if (!first) return { kind: 'none' };
  return others.some(({ key }) => key !== first.key) ? { kind: 'conflicting' } : { kind: 'key', ...first };
}

function onlyOf(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** The token of `Bearer <token>`; `undefined` for every other scheme, and for a key without one. */
function bearerTokenIn(authorization: string): string | undefined {
  return /^\s*bearer +(\S+)\s*$/i.exec(authorization)?.[1];
}
