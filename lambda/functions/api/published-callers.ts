/** What pages may ask for, which name a signer or a site key, and how much their visitors are told. */

import { stockSlots } from '../../contract/providers';
import { type Caller, isPublished } from '../../credentials/caller';
import type { Answer } from '../../images/answer';
import type { Refusal } from '../../problems/problem';
import type { ImageRequest } from '../../requests/image-request';

/** A site key pays for stock images only: its headers deter, and nothing but its cap protects. */
export function siteRefusal(caller: Caller, request: ImageRequest): Refusal | undefined {
  if (caller.kind === 'anonymous' || caller.publishedAs !== 'site') return undefined;
  if (request.provider === 'ai')
    return oneFault('provider', `one of ${stockSlots.join(', ')} with a site key`, request.provider);
  const { onmiss } = request.filters;
  return onmiss && oneFault('onmiss', 'absent with a site key', onmiss);
}

/** An answer as its caller may read it: the visitors of a page are told no limit of its account. */
export function shownTo(caller: Caller, answer: Answer): Answer {
  if (!isPublished(caller) || answer.outcome !== 'refused' || !('rateLimit' in answer.refusal)) return answer;
  return { ...answer, refusal: { ...answer.refusal, isPublished: true } };
}

function oneFault(parameter: string, bounds: string, received: string): Refusal {
  return { code: 'invalid_parameter', faults: [{ parameter, bounds, received }] };
}
