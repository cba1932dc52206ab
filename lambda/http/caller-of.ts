/** Who makes a request, as the authorizer found out, or the refusal where that is not known. */

import type { Caller, KeyedCaller } from '../domain/caller/caller';
import type { ParameterFault } from '../domain/problem/problem';
import type { HttpRequest } from './http-request';
import type { HttpRefusal } from './http-response';

type Identified = Pick<HttpRequest, 'admission' | 'query' | 'header'>;

/** The caller of an image by its words, which a signed URL or a site key may name too. */
export function imageCallerOf(request: Identified): Caller | HttpRefusal {
  const { admission, query, header } = request;
  if (admission.outcome === 'known') return admission.caller;
  if (admission.outcome === 'outage') return { refusal: { code: 'internal_error' } };
  switch (admission.code) {
    case 'conflicting_parameters':
      return { refusal: { code: admission.code, faults: conflictsOf(request) } };
    case 'invalid_api_key': {
      const isPublished = header('referer') !== undefined && /^pk_/.test(query['api_key']?.[0] ?? '');
      return { refusal: { code: admission.code, ...(isPublished && { isPublished }) } };
    }
    default:
      return { refusal: { code: admission.code } };
  }
}

/** The caller of everything else, which takes an API key: what a page publishes is good for images only. */
export function callerOf(request: Identified): Caller | HttpRefusal {
  const caller = imageCallerOf(request);
  const isPublished =
    !('refusal' in caller) && caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
  return isPublished ? { refusal: { code: 'credential_not_allowed' } } : caller;
}

/** Every credential that a request names, as one too many. */
function conflictsOf({ query, header }: Identified): readonly ParameterFault[] {
  const named = [
    ...['X-API-Key', 'Authorization'].filter((name) => header(name.toLowerCase())),
    ...['api_key', 'signer', 'signature', 'site'].filter((name) => query[name] !== undefined),
  ];
  return named.map((parameter) => ({
    parameter,
    bounds: 'only one of an API key, a signature and a site key can be given',
  }));
}

/**
 * The holder of the API key that a request came with; `authentication_required` without a key, `credential_not_allowed`
 * for a signer or a site key: every visitor of a page has what is published in it.
 */
export function keyHolderOf(request: Parameters<typeof callerOf>[0]): KeyedCaller | HttpRefusal {
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  if (caller.kind === 'anonymous') return { refusal: { code: 'authentication_required' } };
  return caller;
}
