/** Routes of one image: the request is read, the image is served, and the response is a redirect or a record. */

import { stockSlots } from '../../contract/providers';
import { type Caller, hasPublishedCredential } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { type HttpRequest, requireApiCaller } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, refuseParameter } from '../../http/http-response';
import { addPaymentToRefusal } from '../../quota/payment';
import { recordUsage } from '../../quota/usage/usage';
import { writeRequestNote } from '../../requests/ignored-note';
import type { ImageRequest, PermalinkRequest } from '../../requests/image-request';
import { parsePermalinkParameters, parseRequest, readParameters } from '../../requests/parse-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { Signing } from '../../requests/url-signature';
import { verifyRequest } from '../../requests/verify-request';
import type { Services } from '../../services/services';
import { findRateLimit, listUsage, type RefusedAnswer } from '../../serving/answer';
import { readRequestContext } from '../../serving/request-context';
import { serveImage } from '../../serving/serve-image';
import { makeImageResponse } from './image-response';
import { loadRouteCode } from './load-route-code';

/** Serves an image by its words or its pick. */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const validRequest = await readImageRequest(services, request);
  return 'refusal' in validRequest ? validRequest : respondWithImage(services, request, validRequest);
}

/** Serves one AI image by its id, in the requested size or else in its natural one. */
export async function getPermalink(services: Services, request: HttpRequest): Promise<HttpResult> {
  const validRequest = readPermalinkRequest(request);
  return 'refusal' in validRequest ? validRequest : respondWithImage(services, request, validRequest);
}

/** The parts of a valid request that its response depends on. */
interface ValidRequest {
  readonly caller: Caller;
  readonly asJson: boolean;
  readonly imageRequest: ImageRequest | PermalinkRequest;
  /** The format that the URL names. */
  readonly extension?: RenditionFormat | undefined;
  /** Present for a signed URL. */
  readonly signing?: Signing | undefined;
}

/**
 * Reads a request. The signature is checked first, so that a changed URL learns nothing else. The parameters
 * and the rights of the caller follow.
 */
async function readImageRequest(
  services: Services,
  request: HttpRequest,
): Promise<ValidRequest | HttpRefusal> {
  const { caller } = request;
  const parameters = readParameters(request);
  const signing = isSignedQuery(request.query)
    ? await verifyRequest(services, parameters, caller)
    : undefined;
  if (signing && 'refusal' in signing) return signing;
  const parsed = parseRequest(parameters, signing !== undefined);
  if ('refusal' in parsed) return parsed;
  if ('refusal' in caller) return caller;
  const { request: imageRequest, extension } = parsed;
  const { asJson } = imageRequest;
  return findSiteRefusal(caller, imageRequest) ?? { imageRequest, asJson, caller, extension, signing };
}

function readPermalinkRequest(request: HttpRequest): ValidRequest | HttpRefusal {
  const parsed = parsePermalinkParameters(request);
  if ('refusal' in parsed) return parsed;
  const caller = requireApiCaller(request);
  if ('refusal' in caller) return caller;
  const { size, asJson } = parsed;
  const { id: imageId = '' } = request.pathParameters;
  return { imageRequest: { source: 'ai', imageId, size }, asJson, caller };
}

/** Refuses AI images to a site key. Its headers can be forged, so only its cap protects the account. */
function findSiteRefusal(caller: Caller, request: ImageRequest): HttpRefusal | undefined {
  if (caller.kind === 'anonymous' || caller.publishedAs !== 'site') return undefined;
  if (request.source === 'ai')
    return refuseParameter('provider', `one of ${stockSlots.join(', ')} with a site key`, 'ai');
  const { onmiss } = request.filters;
  return onmiss && refuseParameter('onmiss', 'absent with a site key', onmiss);
}

/** Serves the image of a request, and responds with a redirect to it or with its record. */
async function respondWithImage(
  services: Services,
  request: HttpRequest,
  { caller, asJson, imageRequest, extension, signing }: ValidRequest,
): Promise<HttpResult> {
  // This may refuse the request, so it comes before the charge.
  const urlAccess = asJson
    ? await (await loadRouteCode()).findRequestUrlAccess(services, request, caller, signing)
    : undefined;
  if (urlAccess && 'refusal' in urlAccess) return urlAccess;
  const context = await readRequestContext(services, request, caller, extension);
  const answer = await serveImage(services, { request: imageRequest, caller, context });
  if (answer.outcome === 'refused') return makeRefusedResult(caller, answer);
  // The distribution drops unknown parameters from its cache key, so a shared response names none.
  const isBehindDistribution = services.config.ROOT_URL !== undefined;
  const isShared = isBehindDistribution && hasPublishedCredential(caller);
  const note = isShared ? undefined : writeRequestNote(request);
  const recordedRequest = 'imageId' in imageRequest ? undefined : imageRequest;
  const writeRecord = async () =>
    (await loadRouteCode()).publishRecord(
      services,
      { caller, context, answer },
      { request: recordedRequest, urlAccess, note, rootUrl: request.rootUrl },
    );
  const [record] = await Promise.all([
    asJson ? writeRecord() : undefined,
    recordUsage(services, services.config.PLANS, caller, request, listUsage(answer)),
  ]);
  return makeImageResponse(services, caller, answer, {
    record,
    note,
    isFormatNamed: extension !== undefined,
    linkExpiresMs: signing?.expires === undefined ? undefined : Number(signing.expires) * 1_000,
  });
}

/** Turns an answer without an image into a refusal, with the rate limit status for the headers. */
function makeRefusedResult(caller: Caller, answer: RefusedAnswer): HttpRefusal {
  const rateLimit = findRateLimit(answer);
  const refusal = addPaymentToRefusal(answer);
  // Visitors of a page do not see the limit of its account.
  const isHidden = hasPublishedCredential(caller) && 'rateLimit' in refusal;
  const shownRefusal = isHidden ? { ...refusal, isForVisitor: true as const } : refusal;
  return { refusal: shownRefusal, ...(rateLimit && { rateLimit }) };
}
