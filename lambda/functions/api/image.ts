/** The routes of single images: each parses a request, has it served for its caller, and answers with the image. */

import { permalinkParameters } from '../../contract/parameters';
import { routes } from '../../contract/routes';
import { type Caller, isPublished } from '../../credentials/caller';
import { isSignedQuery } from '../../credentials/credential';
import { callerOf, type HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { requestContextOf } from '../../http/request-context';
import { type Answer, usageOf } from '../../images/answer';
import { recordUsage } from '../../quota/usage/usage';
import { noteOnNames } from '../../requests/ignored-note';
import { parsePermalink, parseRequest } from '../../requests/parse-request';
import { verifyRequest } from '../../requests/verify-request';
import type { Services } from '../../services';
import { serveImage } from '../../serving/serve-image';
import { shownTo, siteRefusal } from './published-callers';
import { respond } from './respond';

/**
 * Serves the image that fits the words of a request. A malformed request costs nothing, so it is parsed first; a signature
 * comes before that, so that a changed URL learns nothing else.
 */
export async function getImage(services: Services, request: HttpRequest): Promise<HttpResult> {
  const { caller } = request;
  const signing = isSignedQuery(request.query) ? await verifyRequest(services, request, caller) : undefined;
  if (signing && 'refusal' in signing) return signing;
  const parsed = parseRequest(request, signing !== undefined);
  if ('refusal' in parsed) return parsed;
  if ('refusal' in caller) return caller;
  const { request: wanted, extension } = parsed;
  const refusal = siteRefusal(caller, wanted);
  if (refusal) return { refusal };
  const records = wanted.asJson ? await import('./elsewhere') : undefined;
  const publishing = await records?.publishingFor(services, request, caller, signing);
  if (publishing && 'refusal' in publishing) return publishing;
  services.reached.rootUrl = request.rootUrl;
  const context = await requestContextOf(services, request, caller, extension);
  const answer = shownTo(caller, await serveImage(services, wanted, caller, context));
  // The distribution drops unknown names from its cache key, so they are not named where others get the same answer.
  const isShared = isPublished(caller) && services.config.ROOT_URL !== undefined;
  const note = isShared ? undefined : noteOf(request);
  const [record] = await Promise.all([
    publishing && records?.recordOf(services, request, caller, answer, { publishing, wanted, note, context }),
    recordServed(services, request, caller, answer),
  ]);
  const linkExpiresMs = signing?.expires === undefined ? undefined : Number(signing.expires) * 1_000;
  const isFormatNamed = extension !== undefined;
  return respond(services, caller, answer, { record, isFormatNamed, linkExpiresMs, note });
}

/** Serves one AI image, in its own size or another. */
export async function getPermalink(services: Services, request: HttpRequest): Promise<HttpResult> {
  const parsed = parsePermalink(request);
  if ('refusal' in parsed) return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  const { size, asJson } = parsed;
  const records = asJson ? await import('./elsewhere') : undefined;
  const publishing = await records?.publishingFor(services, request, caller, undefined);
  if (publishing && 'refusal' in publishing) return publishing;
  const context = await requestContextOf(services, request, caller);
  const { servePermalink } = await import('../../stock/new-images');
  const id = request.pathParameters['id'] ?? '';
  const answer = await servePermalink(services, id, size, caller, context);
  const note = noteOf(request);
  const [record] = await Promise.all([
    publishing && records?.recordOf(services, request, caller, answer, { publishing, note, context }),
    recordServed(services, request, caller, answer),
  ]);
  return respond(services, caller, answer, { record, note });
}

/** What the caller should know of the names of its parameters; `undefined` on routes that show no image. */
export function noteOf({ resource, query }: HttpRequest): string | undefined {
  if (resource === routes.permalink) return noteOnNames(query, permalinkParameters);
  const isOfImage = resource === routes.image || resource === routes.imagePath;
  return isOfImage ? noteOnNames(query) : undefined;
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
