/** The routes of single images: each parses a request, has it served for its caller, and answers with the image. */

import type { Caller } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { callerOf, type HttpRequest, imageCallerOf } from '../../http/http-request';
import type { HttpRefusal, HttpResult } from '../../http/http-response';
import { requestContextOf } from '../../http/request-context';
import { type Answer, usageOf } from '../../images/answer';
import { accountLimit } from '../../quota/charge';
import type { RequestContext } from '../../quota/request-context';
import { recordUsage } from '../../quota/usage/usage';
import type { ImageRequest } from '../../requests/image-request';
import { parsePermalink } from '../../requests/parse-permalink';
import { parseRequest, type RawRequest, rawRequestOf, repetitionIn } from '../../requests/parse-request';
import type { SizeBelow } from '../../requests/size-below';
import type { Signing } from '../../requests/url-signature';
import { verifyRequest } from '../../requests/verify-request';
import type { Services } from '../../services';
import { serveImage } from '../../serving/serve-image';
import { noteOf } from './note-of';
import { publicationOf, refusalForVisitors, siteRefusal } from './published-request';
import { respond } from './respond';

/**
 * Serves the image that fits the words of a request. A malformed request costs nothing, so it is parsed first; a signature
 * comes before that, so that a changed URL learns nothing else.
 */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const raw = rawRequestOf(request);
  const caller = imageCallerOf(request);
  let signing: Signing | undefined;
  let sizeBelow: SizeBelow | undefined;
  if (isSignedQuery(raw.values)) {
    const repetition = repetitionIn(raw);
    if (repetition) return repetition;
    if ('refusal' in caller) return caller;
    const verification = await verifyRequest(services, raw, caller);
    if (verification.outcome === 'refused') return verification;
    ({ signing, sizeBelow } = verification);
  }
  const parsed = parseRequest(raw, sizeBelow);
  if (parsed.outcome === 'refused') return parsed;
  if ('refusal' in caller) return caller;
  const { request: wanted, extension } = parsed;
  const refusal = siteRefusal(caller, wanted);
  if (refusal) return { refusal };
  const publishing = await publishingFor(services, raw, caller, wanted);
  if (publishing && 'refusal' in publishing) return publishing;
  services.reached.rootUrl = request.rootUrl;
  const context = await requestContextOf(services, request, caller, extension);
  const served = await serveImage(services, wanted, caller, context);
  const isPublished = caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
  const answer = isPublished ? refusalForVisitors(served) : served;
  await Promise.all([
    recordServed(services, request, caller, answer),
    publishing?.note(answer, wanted, context),
  ]);
  return respond(services, request, caller, answer, {
    asJson: wanted.asJson,
    request: wanted,
    isFormatNamed: extension !== undefined,
    // The distribution drops unknown names from its cache key, so they are not named where others get the same answer.
    note: isPublished && services.config.ROOT_URL !== undefined ? undefined : noteOf(request),
    ...(publishing && { published: publishing.by }),
    ...(isPublished && publicationOf(raw, caller, signing)),
  });
}

/** Serves one AI image, in its own size or another. */
export async function getPermalink(services: Services, request: HttpRequest): Promise<HttpResult> {
  const raw = rawRequestOf(request);
  const parsed = parsePermalink(raw);
  if (parsed.outcome === 'refused') return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  const imageId = request.pathParameters['id'] ?? '';
  const context = await requestContextOf(services, request, caller);
  const publishing = await publishingFor(services, raw, caller, parsed);
  if (publishing && 'refusal' in publishing) return publishing;
  const { servePermalink } = await import('../../stock/new-images');
  const answer = await servePermalink(services, imageId, parsed.size, caller, context);
  await Promise.all([
    recordServed(services, request, caller, answer),
    publishing?.note(answer, undefined, context),
  ]);
  return respond(services, request, caller, answer, {
    ...parsed,
    note: noteOf(request),
    ...(publishing && { published: publishing.by }),
  });
}

/** How the record of a caller with an API key is published, and what notes that; `undefined` for every other answer. */
async function publishingFor(
  services: Services,
  { values }: RawRequest,
  caller: Caller,
  { asJson }: { readonly asJson: boolean },
) {
  if (!asJson || caller.kind === 'anonymous' || caller.publishedAs) return undefined;
  const { publishAs, publishOrderOf, notePublished } = await import('./elsewhere');
  const by = await publishAs(services, caller, publishOrderOf(values));
  if ('refusal' in by) return by satisfies HttpRefusal;
  const note = (answer: Answer, request: ImageRequest | undefined, { requestLimits }: RequestContext) =>
    notePublished(services, answer, caller, request, accountLimit(requestLimits));
  return { by, note };
}

/** Adds an image to the usage of its caller. A refusal is added where it becomes a response. */
async function recordServed(
  services: Services,
  request: HttpRequest,
  caller: Caller,
  answer: Answer,
): Promise<void> {
  if (answer.outcome === 'served')
    await recordUsage(services, services.config.PLANS, caller, request, usageOf(answer));
}
