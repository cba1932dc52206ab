/** How a caller identifies itself: a closed union, one member for each kind of credential. */

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly from: 'header' | 'query'; readonly key: string }
  /** Several different keys at once, of which none can be preferred. */
  | { readonly kind: 'ambiguous' };

/**
 * The credential among the values given for the header and for the query parameter. The header wins; an empty value
 * counts as none.
 */
export function credentialFrom(headerValues: readonly string[], queryValues: readonly string[]): Credential {
  for (const [from, values] of [
    ['header', headerValues],
    ['query', queryValues],
  ] as const) {
    const given = values.map((value) => value.trim()).filter((value) => value !== '');
    if (given.length > 1) return { kind: 'ambiguous' };
    if (given[0] !== undefined) return { kind: 'key', from, key: given[0] };
  }
  return { kind: 'none' };
}
