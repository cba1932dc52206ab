/** The caller of what only an API key may do, because it spends for a whole page or reads what an account has. */

import type { KeyedCaller } from '../domain/caller/caller';
import { callerOf } from './caller-of';
import type { HttpRefusal } from './http-response';

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
