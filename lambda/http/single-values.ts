/** Query parameters that may be given once, for routes whose parameters are few. */

import type { HttpRequest } from './http-request';
import { type HttpRefusal, invalidParameter } from './http-response';

/**
 * The value of each parameter, `undefined` where it is absent.
 * @param names the parameters that are read; all that are given by default
 * @returns the refusal of the first one that is given more than once
 */
export function singleValues(
  query: HttpRequest['query'],
  names: readonly string[] = Object.keys(query),
): { readonly given: Readonly<Record<string, string | undefined>> } | HttpRefusal {
  const repeated = names.find((name) => (query[name]?.length ?? 0) > 1);
  if (repeated !== undefined) return invalidParameter(repeated, 'must be given only once');
  return { given: Object.fromEntries(names.map((name) => [name, query[name]?.[0]])) };
}
