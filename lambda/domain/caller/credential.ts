/** How a caller identifies itself: a closed union, one member for each kind of credential. */

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly from: 'header' | 'bearer' | 'query'; readonly key: string }
  /** Several different keys at once, of which none can be preferred. */
  | { readonly kind: 'ambiguous' };

/**
 * The credential among the values given for the header `X-API-Key`, for `Authorization` and for the query parameter, in
 * this order. An empty value counts as none, and so does an authorization that is no bearer token.
 */
export function credentialFrom(
  headerValues: readonly string[],
  queryValues: readonly string[],
  authorizationValues: readonly string[] = [],
): Credential {
  for (const [from, values] of [
    ['header', headerValues],
    ['bearer', authorizationValues.map(bearerTokenIn)],
    ['query', queryValues],
  ] as const) {
    const given = values.map((value) => value.trim()).filter((value) => value !== '');
    if (given.length > 1) return { kind: 'ambiguous' };
    if (given[0] !== undefined) return { kind: 'key', from, key: given[0] };
  }
  return { kind: 'none' };
}

/** The token of `Bearer <token>`; empty for every other scheme. */
function bearerTokenIn(authorization: string): string {
  return /^\s*bearer +(\S+)\s*$/i.exec(authorization)?.[1] ?? '';
}
