/** Removes times from a response, so that two responses can be compared. */

export function comparable(result: unknown): unknown {
  const { headers, ...rest } = result as { readonly headers?: Readonly<Record<string, string>> };
  if (headers === undefined) return rest;
  const { 'X-Response-Time': _took, RateLimit, ...others } = headers;
  return { ...rest, headers: { ...others, RateLimit: RateLimit?.replace(/;t=\d+$/, '') } };
}
