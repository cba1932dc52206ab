/** The record of an image that `format=json` asks for, with published URLs. */

import type { Caller } from '../../credentials/caller';
import type { HttpRequest } from '../../http/http-request';
import type { HttpRefusal } from '../../http/http-response';
import type { ImageRecord } from '../../images/record';
import { makeImageRecord, type RecordContext } from '../../pages/image-record';
import { findUrlAccess, markViewsPaid, readPublishParameter, type UrlAccess } from '../../pages/publishing';
import { getQuotaLimit } from '../../quota/caller-limits';
import type { Signing } from '../../requests/url-signature';
import type { Services } from '../../services/services';
import type { ServedAnswer } from '../../serving/answer';
import type { RequestContext } from '../../serving/request-context';

/**
 * Finds how visitors load the URLs of a record: by the published credential of the request, or by `publish`.
 * @param signing of a signed URL. It signs the URLs of the record too.
 * @returns `undefined` for a caller without a credential
 */
export async function findRequestUrlAccess(
  services: Services,
  { query }: Pick<HttpRequest, 'query'>,
  caller: Caller,
  signing?: Signing,
): Promise<UrlAccess | undefined | HttpRefusal> {
  if (caller.kind === 'anonymous') return undefined;
  const [key = '', upto] = [query['site']?.[0], query['upto']?.[0]];
  if (signing)
    return { credential: { kind: 'signed', signing, ...(upto !== undefined && { upto }) }, note: null };
  if (caller.publishedAs === 'site') return { credential: { kind: 'site', key }, note: null };
  return caller.publishedAs ? undefined : findUrlAccess(services, caller, readPublishParameter(query));
}

/** Makes the record of an answer. For an API key, it also marks the views of the image as paid for the day. */
export async function publishRecord(
  services: Services,
  served: { readonly caller: Caller; readonly context: RequestContext; readonly answer: ServedAnswer },
  description: Pick<RecordContext, 'request' | 'urlAccess' | 'note' | 'rootUrl'>,
): Promise<ImageRecord> {
  const { caller, context, answer } = served;
  if (caller.kind !== 'anonymous' && !caller.publishedAs)
    await markViewsPaid(services, answer, caller, description.request, getQuotaLimit(context.requestLimits));
  return makeImageRecord(answer.image, {
    ...description,
    cache: answer.cache,
    imageBaseUrl: services.config.IMAGE_BASE_URL,
    nowMs: services.clock.nowMs(),
  });
}
