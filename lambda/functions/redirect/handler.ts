/** The image function: parses a request, has it served for its caller, and answers with the image. */

import type { Plans } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { arrivalSkewMsMax, requestBudgetMs } from '../../contract/timeouts';
import type { Caller } from '../../domain/caller/caller';
import { ipHashOf } from '../../domain/caller/client-ip';
import type { RenditionFormat } from '../../domain/image/image';
import type { Answer } from '../../domain/problem/answer';
import { searchesOf } from '../../domain/quota/fair-use';
import { allowanceOf } from '../../domain/quota/quota';
import { formatFor } from '../../domain/request/accept';
import type { RequestContext } from '../../domain/request/request-context';
import { callerOf } from '../../http/caller-of';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { imageResponse } from '../../http/image-response';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { ServePermalink } from '../../usecases/generation/serve-permalink';
import type { ServeImage } from '../../usecases/serve-image';
import type { RecordUsage } from '../../usecases/usage/record-usage';
import { parsePermalink, parseRequest, rawRequestOf, sizeOf } from './request/parse-request';

export interface RedirectDeps {
  readonly serve: ServeImage;
  readonly servePermalink: ServePermalink;
  readonly recordUsage: RecordUsage;
  readonly plans: Plans;
  /** Secret of the keyed hash under which client IP addresses are counted. */
  readonly ipHashSecret: string;
  /** Seconds a browser may keep a redirect. */
  readonly maxAgeS: number;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Receives the root URL of the service before an image is searched for. */
  readonly onRootUrl?: (rootUrl: string) => void;
}

export function createHandler(deps: RedirectDeps): HttpHandler {
  const image = { GET: (request: HttpRequest) => getImage(deps, request) };
  return createHttpHandler({
    routes: {
      [routes.image]: image,
      [routes.imagePath]: image,
      [routes.imagePathWithSlashes]: image,
      [routes.permalink]: { GET: (request) => getPermalink(deps, request) },
    },
    cardSizeOf: (request) => sizeOf(rawRequestOf(request)),
    clock: deps.clock,
    telemetry: deps.telemetry,
  });
}

/** Serves the image that fits the words of a request. A malformed request costs nothing, so it is parsed first. */
async function getImage(deps: RedirectDeps, request: HttpRequest): Promise<HttpResult> {
  const parsed = parseRequest(rawRequestOf(request));
  if (parsed.outcome === 'refused') return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  deps.onRootUrl?.(request.rootUrl);
  const context = requestContextOf(deps, request, caller, parsed.extension);
  const answer = await deps.serve(parsed.request, caller, context);
  return respond(deps, request, caller, answer, parsed.request.asJson);
}

/** Serves one AI image, in its own size or another. */
async function getPermalink(deps: RedirectDeps, request: HttpRequest): Promise<HttpResult> {
  const parsed = parsePermalink(rawRequestOf(request));
  if (parsed.outcome === 'refused') return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  const imageId = request.pathParameters['id'] ?? '';
  const context = requestContextOf(deps, request, caller);
  const answer = await deps.servePermalink(imageId, parsed.size, caller, context);
  return respond(deps, request, caller, answer, parsed.asJson);
}

/** @param extension the format that the URL asks for by name; otherwise the `Accept` header decides */
function requestContextOf(
  { plans, ipHashSecret }: RedirectDeps,
  { clientIp, requestId, receivedMs, startedMs, header }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): RequestContext {
  const ipHash = caller.kind === 'anonymous' ? ipHashOf(clientIp, ipHashSecret) : '';
  return {
    allowance: allowanceOf(caller, ipHash, plans, startedMs),
    searches: searchesOf(caller, ipHash, plans, startedMs),
    requestId,
    format: extension ?? formatFor(header('accept')),
    // A clock that is off must neither end a request before it began nor let it wait for ever.
    deadlineMs: Math.min(startedMs, Math.max(receivedMs, startedMs - arrivalSkewMsMax)) + requestBudgetMs,
  };
}

/** Records an image that was served and answers with it; a refusal passes as it is. */
async function respond(
  { recordUsage, telemetry, clock, maxAgeS }: RedirectDeps,
  { startedMs }: HttpRequest,
  caller: Caller,
  answer: Answer,
  asJson: boolean,
): Promise<HttpResult> {
  if (answer.outcome === 'refused') return answer;
  const { image, cache } = answer;
  await recordUsage(caller, { source: image.source, cache }, startedMs);
  telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
  return imageResponse(answer, { asJson, maxAgeS, nowMs: clock.nowMs() });
}
