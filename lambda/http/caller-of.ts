/** Who makes a request, as the authorizer found out, or the refusal where that is not known. */

import type { Caller } from '../domain/caller/caller';
import type { HttpRequest } from './http-request';
import type { HttpRefusal } from './http-response';

export function callerOf({ admission }: Pick<HttpRequest, 'admission'>): Caller | HttpRefusal {
  if (admission.outcome === 'known') return admission.caller;
  return { refusal: { code: admission.outcome === 'refused' ? 'invalid_api_key' : 'internal_error' } };
}
