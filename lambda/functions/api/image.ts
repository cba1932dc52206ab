/** The routes of single images: each reads its request, has it served, and answers with the image. */

import { stockSlots } from '../../contract/providers';
import { type Caller, isPublished } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { createRequestContext } from '../../http/context-of-request';
import { type HttpRequest, unpublishedCaller } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter } from '../../http/http-response';
import { type Answer, rateLimitOf, usageOf } from '../../images/answer';
import { recordUsage } from '../../quota/usage/usage';
import { ignoredNoteOf } from '../../requests/ignored-note';
import type { ImageRequest } from '../../requests/image-request';
import { givenParametersOf, parsePermalink, parseRequest } from '../../requests/parse-request';
import { verifyRequest } from '../../requests/verify-request';
import type { Services } from '../../services';
import { serveImage, serveImageById } from '../../serving/serve-image';
import { type AnswerForm, imageResponse } from './image-response';
import type { Publishing, RecordTerms } from './records';

/** Loads the code of records, which a redirect does not need. */
const loadOnDemand = () => import('./on-demand');

/**
 * Serves an image by its words. The request is read before anything is charged; a signature is verified
 * before that, so that a changed URL learns nothing else.
 */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const { caller } = request;
  const given = givenParametersOf(request);
  const signing = isSignedQuery(request.query) ? await verifyRequest(services, given, caller) : undefined;
  if (signing && 'refusal' in signing) return signing;
  const parsed = parseRequest(given, signing !== undefined);
  if ('refusal' in parsed) return parsed;
  if ('refusal' in caller) return caller;
  const { request: imageRequest, extension } = parsed;
  const refusedBySite = siteRefusal(caller, imageRequest);
  if (refusedBySite) return refusedBySite;
  const publishing = imageRequest.asJson
    ? await (await loadOnDemand()).publishingFor(services, request, caller, signing)
    : undefined;
  if (publishing && 'refusal' in publishing) return publishing;
  const context = await createRequestContext(services, request, caller, extension);
  const answer = await serveImage(services, imageRequest, caller, context);
  // Behind the distribution, unknown names are in no cache key: an answer that others get names none.
  const isShared = isPublished(caller) && services.config.ROOT_URL !== undefined;
  return toResult(services, request, caller, answer, {
    context,
    publishing,
    imageRequest,
    note: isShared ? undefined : ignoredNoteOf(request),
    isFormatNamed: extension !== undefined,
    linkExpiresMs: signing?.expires === undefined ? undefined : Number(signing.expires) * 1_000,
  });
}

/** Serves one AI image by its id, in its own size or another. */
export async function getPermalink(services: Services, request: HttpRequest): Promise<HttpResult> {
  const parsed = parsePermalink(request);
  if ('refusal' in parsed) return parsed;
  const caller = unpublishedCaller(request);
  if ('refusal' in caller) return caller;
  const publishing = parsed.asJson
    ? await (await loadOnDemand()).publishingFor(services, request, caller)
    : undefined;
  if (publishing && 'refusal' in publishing) return publishing;
  const context = await createRequestContext(services, request, caller);
  const id = request.pathParameters['id'] ?? '';
  const answer = await serveImageById(services, id, parsed.size, caller, context);
  return toResult(services, request, caller, answer, { context, publishing, note: ignoredNoteOf(request) });
}

/** The refusal of AI images with a site key, whose only protection is its cap: its headers can be forged. */
function siteRefusal(caller: Caller, request: ImageRequest): HttpRefusal | undefined {
  if (caller.kind === 'anonymous' || caller.publishedAs !== 'site') return undefined;
  if (request.provider === 'ai')
    return invalidParameter('provider', `one of ${stockSlots.join(', ')} with a site key`, 'ai');
  const { onmiss } = request.filters;
  return onmiss && invalidParameter('onmiss', 'absent with a site key', onmiss);
}

/** Makes the result of an answer. An image is counted in the usage here, a refusal by the handler. */
async function toResult(
  services: Services,
  request: HttpRequest,
  caller: Caller,
  answer: Answer,
  form: AnswerForm & Omit<RecordTerms, 'publishing'> & { readonly publishing: Publishing | undefined },
): Promise<HttpResult> {
  if (answer.outcome === 'refused') {
    const rateLimit = rateLimitOf(answer);
    // Visitors of a page do not see the limit of its account.
    const isHidden = isPublished(caller) && 'rateLimit' in answer.refusal;
    const refusal = isHidden ? { ...answer.refusal, isPublished: true as const } : answer.refusal;
    return { refusal, ...(rateLimit && { rateLimit }) };
  }
  const { publishing } = form;
  const [record] = await Promise.all([
    publishing &&
      (await loadOnDemand()).createRecord(services, request, caller, answer, { ...form, publishing }),
    recordUsage(services, services.config.PLANS, caller, request, usageOf(answer)),
  ]);
  return imageResponse(services, caller, answer, { ...form, record });
}
