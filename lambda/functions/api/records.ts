/** Makes the record that `format=json` asks for, with published URLs. */

import type { Caller } from '../../credentials/caller';
import type { HttpRequest } from '../../http/http-request';
import type { HttpRefusal } from '../../http/http-response';
import type { ImageRecord } from '../../images/record';
import { imageRecord, type RecordContext } from '../../pages/image-record';
import { findUrlAccess, markViewsPaid, readPublishParameter, type UrlAccess } from '../../pages/publishing';
import { pickQuotaLimit } from '../../quota/caller-limits';
import type { Signing } from '../../requests/url-signature';
import type { Services } from '../../services/services';
import type { ServedAnswer } from '../../serving/answer';
import type { RequestContext } from '../../serving/request-context';

/**
 * Finds how visitors load the URLs of a record, before anything is charged.
 * @param signing of a signed URL: it signs the URLs of the record too
 * @returns `undefined` for a caller whose record has no markup
 */
export async function findRecordAccess(
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

/** Makes the record of an answer. An image that an API key has paid is marked as paid for views of the day. */
export async function publishRecord(
  services: Services,
  { rootUrl }: Pick<HttpRequest, 'rootUrl'>,
  caller: Caller,
  { requestLimits }: RequestContext,
  answer: ServedAnswer,
  description: Pick<RecordContext, 'request' | 'urlAccess' | 'note'>,
): Promise<ImageRecord> {
  if (caller.kind !== 'anonymous' && !caller.publishedAs)
    await markViewsPaid(services, answer, caller, description.request, pickQuotaLimit(requestLimits));
  return imageRecord(answer.image, {
    ...description,
    cache: answer.cache,
    rootUrl,
    imageBaseUrl: services.config.IMAGE_BASE_URL,
    nowMs: services.clock.nowMs(),
  });
}
