/** Makes the record that `format=json` asks for, with published URLs. */

import type { Caller } from '../../credentials/caller';
import type { HttpRequest } from '../../http/http-request';
import type { HttpRefusal } from '../../http/http-response';
import type { ImageRecord } from '../../images/record';
import { imageRecord } from '../../pages/image-record';
import type { UrlCredential } from '../../pages/image-urls';
import { markViewsPaid, publishParameterIn, type UrlAccess, urlAccessFor } from '../../pages/publishing';
import type { ServedAnswer } from '../../quota/answer';
import { quotaLimitOf } from '../../quota/caller-limits';
import type { RequestContext } from '../../quota/request-context';
import type { ImageRequest } from '../../requests/image-request';
import type { Signing } from '../../requests/url-signature';
import type { Services } from '../../services/services';

/** How visitors load the URLs of a record; `undefined` for a caller without any credential. */
export interface RecordForm {
  readonly urlAccess: UrlAccess | undefined;
}

/**
 * Decides how visitors load the URLs of a record, before anything is charged.
 * @param signing of a signed URL: it signs the URLs of the record too
 */
export async function recordFormFor(
  services: Services,
  { query }: Pick<HttpRequest, 'query'>,
  caller: Caller,
  signing?: Signing,
): Promise<RecordForm | HttpRefusal> {
  if (caller.kind === 'anonymous') return { urlAccess: undefined };
  const publishedBy = (credential: UrlCredential): RecordForm => ({
    urlAccess: { credential, note: null },
  });
  const [site = '', upto] = [query['site']?.[0], query['upto']?.[0]];
  if (signing) return publishedBy({ kind: 'signed', signing, ...(upto !== undefined && { upto }) });
  if (caller.publishedAs === 'site') return publishedBy({ kind: 'site', key: site });
  if (caller.publishedAs) return { urlAccess: undefined };
  const urlAccess = await urlAccessFor(services, caller, publishParameterIn(query));
  return 'refusal' in urlAccess ? urlAccess : { urlAccess };
}

/** The terms on which a record is made of an image. */
export interface RecordTerms {
  readonly form: RecordForm;
  readonly context: RequestContext;
  /** Absent for a permalink. */
  readonly imageRequest: ImageRequest | undefined;
  readonly note?: string | undefined;
}

/** Makes the record of an answer. An image that an API key has paid is marked as paid for views of the day. */
export async function publishRecord(
  services: Services,
  { rootUrl }: Pick<HttpRequest, 'rootUrl'>,
  caller: Caller,
  answer: ServedAnswer,
  { form: { urlAccess }, imageRequest, note, context }: RecordTerms,
): Promise<ImageRecord> {
  if (caller.kind !== 'anonymous' && !caller.publishedAs)
    await markViewsPaid(services, answer, caller, imageRequest, quotaLimitOf(context.requestLimits));
  return imageRecord(answer.image, {
    cache: answer.cache,
    rootUrl,
    imageBaseUrl: services.config.IMAGE_BASE_URL,
    nowMs: services.clock.nowMs(),
    note,
    ...(imageRequest && { request: imageRequest }),
    ...(urlAccess && { urlAccess }),
  });
}
