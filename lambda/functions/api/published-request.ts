/** What requests of pages need, which name a signer or a site key. */

import { stockSlots } from '../../contract/providers';
import type { Caller } from '../../credentials/caller';
import type { Answer } from '../../images/answer';
import type { UrlCredential } from '../../pages/image-urls';
import type { Refusal } from '../../problems/problem';
import type { ImageRequest } from '../../requests/image-request';
import type { RawRequest } from '../../requests/parse-request';
import type { Signing } from '../../requests/url-signature';
import type { AnswerForm } from './respond';

/** A site key pays for stock images only: its headers deter, and nothing but its cap protects. */
export function siteRefusal(caller: Caller, request: ImageRequest): Refusal | undefined {
  if (caller.kind === 'anonymous' || caller.publishedAs !== 'site') return undefined;
  if (request.provider === 'ai')
    return oneFault('provider', `one of ${stockSlots.join(', ')} with a site key`, request.provider);
  const { onmiss } = request.filters;
  return onmiss && oneFault('onmiss', 'absent with a site key', onmiss);
}

/** What an answer says of its publication. @param signing present for a signed URL */
export function publicationOf(
  raw: RawRequest,
  caller: Caller,
  signing: Signing | undefined,
): Pick<AnswerForm, 'published' | 'linkExpiresMs'> {
  const credential = urlCredentialOf(raw, caller, signing);
  const linkExpiresMs = signing?.expires === undefined ? undefined : Number(signing.expires) * 1_000;
  return {
    ...(credential && { published: { credential, note: null } }),
    ...(linkExpiresMs !== undefined && { linkExpiresMs }),
  };
}

/** What the URLs of a record carry, so that they are paid for as the request was. */
function urlCredentialOf(
  { values: { upto, site } }: RawRequest,
  caller: Caller,
  signing: Signing | undefined,
): UrlCredential | undefined {
  if (signing) return { kind: 'signed', signing, ...(upto?.[0] === undefined ? {} : { upto: upto[0] }) };
  const isSite = caller.kind !== 'anonymous' && caller.publishedAs === 'site';
  return isSite ? { kind: 'site', key: site?.[0] ?? '' } : undefined;
}

/** A refusal as the visitors of a page may read it. */
export function refusalForVisitors(answer: Answer): Answer {
  if (answer.outcome !== 'refused' || !('rateLimit' in answer.refusal)) return answer;
  return { ...answer, refusal: { ...answer.refusal, isPublished: true } };
}

function oneFault(parameter: string, bounds: string, received: string): Refusal {
  return { code: 'invalid_parameter', faults: [{ parameter, bounds, received }] };
}
