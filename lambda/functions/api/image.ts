/** Answers requests for one image: reads the request, has it served, and answers with the image. */

import { stockSlots } from '../../contract/providers';
import { type Caller, hasPublishedCredential } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { createRequestContext } from '../../http/create-request-context';
import { type HttpRequest, requireApiCaller } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter } from '../../http/http-response';
import { type Answer, type RefusedAnswer, rateLimitOf, usageOf } from '../../quota/answer';
import { refusalAfterPayment } from '../../quota/payment';
import type { RequestContext } from '../../quota/request-context';
import { recordUsage } from '../../quota/usage/usage';
import { noteOnRequest } from '../../requests/ignored-note';
import type { ImageRequest } from '../../requests/image-request';
import { parsePermalink, parseRequest, readParameters } from '../../requests/parse-request';
import { verifyRequest } from '../../requests/verify-request';
import { loadImageCode } from '../../services/load-image-code';
import type { Services } from '../../services/services';
import { serveImage } from '../../serving/serve-image';
import { type AnswerForm, imageResponse } from './image-response';
import { loadRouteCode } from './load-route-code';
import type { RecordForm } from './records';

/** Serves an image by its words. */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const read = await readImageRequest(services, request);
  if ('refusal' in read) return read;
  const { imageRequest, caller, extension, signing } = read;
  const recordCode = imageRequest.asJson ? await loadRouteCode() : undefined;
  const recordForm = await recordCode?.recordFormFor(services, request, caller, signing);
  if (recordForm && 'refusal' in recordForm) return recordForm;
  const context = await createRequestContext(services, request, caller, extension);
  const answer = await serveImage(services, imageRequest, caller, context);
  // Behind the distribution, unknown names are in no cache key: an answer that others get names none.
  const isShared = hasPublishedCredential(caller) && services.config.ROOT_URL !== undefined;
  return toResult(services, request, caller, context, answer, {
    recordForm,
    imageRequest,
    note: isShared ? undefined : noteOnRequest(request),
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
  const recordForm = await recordCode?.recordFormFor(services, request, caller);
  if (recordForm && 'refusal' in recordForm) return recordForm;
  const context = await createRequestContext(services, request, caller);
  const id = request.pathParameters['id'] ?? '';
  const { servePermalink, services: imageServices } = await loadImageCode(services);
  const answer = await servePermalink(imageServices, id, parsed.size, caller, context);
  const form = { recordForm, note: noteOnRequest(request) };
  return toResult(services, request, caller, context, answer, form);
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

/** Makes the result of an answer. An image is counted in the usage here, a refusal by the handler. */
async function toResult(
  services: Services,
  request: HttpRequest,
  caller: Caller,
  context: RequestContext,
  answer: Answer,
  form: AnswerForm & { readonly recordForm: RecordForm | undefined; readonly imageRequest?: ImageRequest },
): Promise<HttpResult> {
  if (answer.outcome === 'refused') return refusedResult(caller, answer);
  const { recordForm, imageRequest, note } = form;
  const terms = recordForm && { form: recordForm, imageRequest, note, context };
  const [record] = await Promise.all([
    terms && (await loadRouteCode()).publishRecord(services, request, caller, answer, terms),
    recordUsage(services, services.config.PLANS, caller, request, usageOf(answer)),
  ]);
  return imageResponse(services, caller, answer, { ...form, record });
}

function refusedResult(caller: Caller, answer: RefusedAnswer): HttpRefusal {
  const rateLimit = rateLimitOf(answer);
  // Visitors of a page do not see the limit of its account.
  const refusal = refusalAfterPayment(answer);
  const isHidden = hasPublishedCredential(caller) && 'rateLimit' in refusal;
  const shownRefusal = isHidden ? { ...refusal, isForVisitor: true as const } : refusal;
  return { refusal: shownRefusal, ...(rateLimit && { rateLimit }) };
}
