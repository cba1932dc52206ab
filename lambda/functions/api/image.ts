/** Answers requests for one image: reads the request, has it served, and answers with the image. */

import { stockSlots } from '../../contract/providers';
import { type Caller, hasPublishedCredential } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { type HttpRequest, requireApiCaller } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter } from '../../http/http-response';
import { refusalAfterPayment } from '../../quota/payment';
import { recordUsage } from '../../quota/usage/usage';
import { noteOnRequest } from '../../requests/ignored-note';
import type { ImageRequest } from '../../requests/image-request';
import { parsePermalink, parseRequest, readParameters } from '../../requests/parse-request';
import { verifyRequest } from '../../requests/verify-request';
import type { Services } from '../../services/services';
import { listUsage, type RefusedAnswer, readRateLimit } from '../../serving/answer';
import { createRequestContext } from '../../serving/request-context';
import { serveFromSource, serveImage } from '../../serving/serve-image';
import { imageResponse } from './image-response';
import { loadRouteCode } from './load-route-code';

/** Serves an image by its words. */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const read = await readImageRequest(services, request);
  if ('refusal' in read) return read;
  const { imageRequest, caller, extension, signing } = read;
  const recordCode = imageRequest.asJson ? await loadRouteCode() : undefined;
  const urlAccess = await recordCode?.findRecordAccess(services, request, caller, signing);
  if (urlAccess && 'refusal' in urlAccess) return urlAccess;
  const context = await createRequestContext(services, request, caller, extension);
  const answer = await serveImage(services, imageRequest, caller, context);
  // Behind the distribution, unknown names are in no cache key: an answer that others get names none.
  const isShared = hasPublishedCredential(caller) && services.config.ROOT_URL !== undefined;
  if (answer.outcome === 'refused') return refusedResult(caller, answer);
  const note = isShared ? undefined : noteOnRequest(request);
  const [record] = await Promise.all([
    recordCode?.publishRecord(services, request, caller, context, answer, {
      request: imageRequest,
      urlAccess,
      note,
    }),
    recordUsage(services, services.config.PLANS, caller, request, listUsage(answer)),
  ]);
  return imageResponse(services, caller, answer, {
    record,
    note,
    isFormatNamed: extension !== undefined,
    linkExpiresMs: signing?.expires === undefined ? undefined : Number(signing.expires) * 1_000,
  });
}

/** Serves one AI image by its id, in its own size or another. */
export async function getPermalink(services: Services, request: HttpRequest): Promise<HttpResult> {
  const parsed = parsePermalink(request);
  if ('refusal' in parsed) return parsed;
  const caller = requireApiCaller(request);
  if ('refusal' in caller) return caller;
  const recordCode = parsed.asJson ? await loadRouteCode() : undefined;
  const urlAccess = await recordCode?.findRecordAccess(services, request, caller);
  if (urlAccess && 'refusal' in urlAccess) return urlAccess;
  const context = await createRequestContext(services, request, caller);
  const imageId = request.pathParameters['id'] ?? '';
  const permalink = { source: 'ai', imageId, size: parsed.size } as const;
  const answer = await serveFromSource(services, permalink, caller, context);
  if (answer.outcome === 'refused') return refusedResult(caller, answer);
  const note = noteOnRequest(request);
  const [record] = await Promise.all([
    recordCode?.publishRecord(services, request, caller, context, answer, { urlAccess, note }),
    recordUsage(services, services.config.PLANS, caller, request, listUsage(answer)),
  ]);
  return imageResponse(services, caller, answer, { record, note });
}

/**
 * Reads a request: first its signature, so that a changed URL learns nothing else, then its parameters and
 * who may send them.
 */
async function readImageRequest(services: Services, request: HttpRequest) {
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
  return siteRefusal(caller, imageRequest) ?? { imageRequest, caller, extension, signing };
}

/** Refuses AI images to a site key, whose only protection is its cap: its headers can be forged. */
function siteRefusal(caller: Caller, request: ImageRequest): HttpRefusal | undefined {
  if (caller.kind === 'anonymous' || caller.publishedAs !== 'site') return undefined;
  if (request.source === 'ai')
    return invalidParameter('provider', `one of ${stockSlots.join(', ')} with a site key`, 'ai');
  const { onmiss } = request.filters;
  return onmiss && invalidParameter('onmiss', 'absent with a site key', onmiss);
}

/** Makes the refusal of an answer without an image. */
function refusedResult(caller: Caller, answer: RefusedAnswer): HttpRefusal {
  const rateLimit = readRateLimit(answer);
  // Visitors of a page do not see the limit of its account.
  const refusal = refusalAfterPayment(answer);
  const isHidden = hasPublishedCredential(caller) && 'rateLimit' in refusal;
  const shownRefusal = isHidden ? { ...refusal, isForVisitor: true as const } : refusal;
  return { refusal: shownRefusal, ...(rateLimit && { rateLimit }) };
}
