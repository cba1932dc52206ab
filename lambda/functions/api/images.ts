/** The routes of images: each parses a request, has it served for its caller, and answers with the image. */

import { permalinkParameters } from '../../contract/parameters';
import { routes } from '../../contract/routes';
import type { Caller } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { callerOf, type HttpRequest, imageCallerOf } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { requestContextOf } from '../../http/request-context';
import { type Answer, usageOf } from '../../images/answer';
import { accountLimit } from '../../quota/charge';
import type { RequestContext } from '../../quota/request-context';
import type { ImageRequest } from '../../requests/image-request';
import { parsePermalink } from '../../requests/parse-permalink';
import {
  noteOnNames,
  parseRequest,
  type RawRequest,
  rawRequestOf,
  repetitionIn,
} from '../../requests/parse-request';
import type { SizeBelow } from '../../requests/size-below';
import type { Signing } from '../../requests/url-signature';
import { verifyRequest } from '../../requests/verify-request';
import type { ImageServices } from '../../services';
import { serveImage } from '../../serving/serve-image';
import { publicationOf, refusalForVisitors, siteRefusal } from './published-request';
import { respond } from './respond';

/** What the caller should know of the names of its parameters, where they are those of an image. */
export function noteOf({ resource, query }: HttpRequest): string | undefined {
  switch (resource) {
    case routes.image:
    case routes.imagePath:
      return noteOnNames({ values: query });
    case routes.permalink:
      return noteOnNames({ values: query }, permalinkParameters);
    default:
      return undefined;
  }
}

/**
 * Serves the image that fits the words of a request. A malformed request costs nothing, so it is parsed first; a signature
 * comes before that, so that a changed URL learns nothing else.
 */
export async function getImage(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
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
  const published = await publishedFor(services, raw, caller, wanted);
  if (published && 'refusal' in published) return published;
  services.parts.onRootUrl(request.rootUrl);
  const context = await requestContextOf(services, request, caller, extension);
  const served = await serveImage(services, wanted, caller, context);
  const isPublished = caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
  const answer = isPublished ? refusalForVisitors(served) : served;
  await Promise.all([
    countServed(services, request, caller, answer),
    published?.note(answer, wanted, context),
  ]);
  return respond(services, request, caller, answer, {
    asJson: wanted.asJson,
    request: wanted,
    isFormatNamed: extension !== undefined,
    // The distribution drops unknown names from its cache key, so they are not named where others get the same answer.
    note: isPublished && services.config.ROOT_URL !== undefined ? undefined : noteOf(request),
    ...(published && { published: published.by }),
    ...(isPublished && publicationOf(raw, caller, signing)),
  });
}

/** How the record of a caller with an API key is published, and what notes that; `undefined` for every other answer. */
async function publishedFor(
  services: ImageServices,
  { values }: RawRequest,
  caller: Caller,
  { asJson }: { readonly asJson: boolean },
) {
  if (!asJson || caller.kind === 'anonymous' || caller.publishedAs) return undefined;
  const { publishAs, publishOrderOf, notePublished } = await import('./miss');
  const by = await publishAs(services, caller, publishOrderOf(values));
  if ('refusal' in by) return by;
  const note = (answer: Answer, request: ImageRequest | undefined, { requestLimits }: RequestContext) =>
    notePublished(services, answer, caller, request, accountLimit(requestLimits));
  return { by, note };
}

/** Serves all images of a page. */
export async function postImages(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  services.parts.onRootUrl(request.rootUrl);
  return (await import('./miss')).postImages(services, request);
}

/** Fills a page. */
export async function postPages(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  services.parts.onRootUrl(request.rootUrl);
  return (await import('./miss')).postPages(services, request);
}

/** Serves a model that asks by its own protocol. */
export async function postMcp(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  services.parts.onRootUrl(request.rootUrl);
  return (await import('./miss')).postMcp(services, request);
}

/** Answers the owner of an account who manages its credentials. */
export async function answerKeys(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  return (await import('./miss')).answerKeys(services, request);
}

/** Serves a client of OpenAI's API. */
export async function callOpenAi(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  services.parts.onRootUrl(request.rootUrl);
  return (await import('./miss')).callOpenAi(services, request);
}

/** Serves one AI image, in its own size or another. */
export async function getPermalink(services: ImageServices, request: HttpRequest): Promise<HttpResult> {
  const raw = rawRequestOf(request);
  const parsed = parsePermalink(raw);
  if (parsed.outcome === 'refused') return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  const imageId = request.pathParameters['id'] ?? '';
  const context = await requestContextOf(services, request, caller);
  const published = await publishedFor(services, raw, caller, parsed);
  if (published && 'refusal' in published) return published;
  const answer = await services.parts.servePermalink(imageId, parsed.size, caller, context);
  await Promise.all([
    countServed(services, request, caller, answer),
    published?.note(answer, undefined, context),
  ]);
  return respond(services, request, caller, answer, {
    ...parsed,
    note: noteOf(request),
    ...(published && { published: published.by }),
  });
}

/** Adds an image to the usage of its caller. A refusal is added where it becomes a response. */
async function countServed(
  { parts }: ImageServices,
  request: HttpRequest,
  caller: Caller,
  answer: Answer,
): Promise<void> {
  if (answer.outcome === 'served') await parts.recordUsage(caller, request, usageOf(answer));
}
