/** The image function: parses a request, has it served for its caller, and answers with the image. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { permalinkParameters } from '../../contract/parameters';
import { type Plans, unlimitedRequests } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { closingMs, requestBudgetMs } from '../../contract/timeouts';
import type { Caller } from '../../credentials/caller';
import { clientOf, uncountedClient } from '../../credentials/client-ip';
import { isSignedQuery } from '../../credentials/credential';
import type { ServePermalink } from '../../generation/serve-permalink';
import { formatFor } from '../../http/accept';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import { answersBy, callerOf, type HttpRequest, imageCallerOf } from '../../http/http-request';
import type { HttpRefusal, HttpResult } from '../../http/http-response';
import { type Answer, usageOf, usageOfRefusal } from '../../images/answer';
import type { Published } from '../../pages/publishing';
import { type Limit, rateLimitStatusOf } from '../../quota/quota';
import { limitsOf, type RequestContext } from '../../quota/request-context';
import type { RecordUsage } from '../../quota/usage/usage';
import type { ImageRequest } from '../../requests/image-request';
import { parsePermalink } from '../../requests/parse-permalink';
import {
  noteOnNames,
  parseRequest,
  type RawRequest,
  rawRequestOf,
  repetitionIn,
  sizeOf,
} from '../../requests/parse-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { SizeBelow } from '../../requests/size-below';
import type { Signing } from '../../requests/url-signature';
import type { VerifyRequest } from '../../requests/verify-request';
import type { ServeImage } from '../../serving/serve-image';
import type { ServeOnce } from '../../serving/serve-once';
import type { BatchPart, PublishingPart } from './miss';
import { publicationOf, refusalForVisitors, siteRefusal } from './published-request';
import { respond } from './respond';

/** What the image function is made of; the `load` functions are called on first need. */
export interface RedirectDeps {
  readonly serve: ServeImage;
  /** Charges the image of a signer or site key once a day. */
  readonly payOnce: ServeOnce;
  readonly servePermalink: ServePermalink;
  readonly verify: VerifyRequest;
  /** Loads what the records of callers with an API key need, on first need. */
  readonly loadPublishing: () => Promise<PublishingPart>;
  /** Loads what batches need, on first need. */
  readonly loadBatch: () => Promise<BatchPart>;
  readonly recordUsage: RecordUsage;
  readonly plans: Plans;
  /** What replaces the hour's limits of callers without a key; `unlimitedRequests` counts none of their requests. */
  readonly anonymousLimit: Partial<Pick<Limit, 'limit' | 'hint'>>;
  /** Secret of the keyed hash under which client IP addresses are counted. */
  readonly ipHashSecret: string;
  /** Seconds a browser may keep a redirect. */
  readonly maxAgeS: number;
  /** URL below which the service delivers renditions, without a trailing slash. */
  readonly imageBaseUrl: string;
  /** Where the operator is reached, who issues keys; absent where none is set. */
  readonly contact?: string | undefined;
  /** The distribution before the API; absent where callers reach the API itself. */
  readonly edge: Edge | undefined;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Receives the root URL of the service before an image is searched for. */
  readonly onRootUrl: (rootUrl: string) => void;
}

/** Answers every route of `apiRoutes` that belongs to the image function. */
export function createHandler(deps: RedirectDeps): HttpHandler {
  const image = { GET: (request: HttpRequest) => getImage(deps, request) };
  return createHttpHandler({
    routes: {
      [routes.image]: image,
      [routes.imagePath]: image,
      [routes.imagePathWithSlashes]: image,
      [routes.images]: { POST: (request) => postWith(deps, 'postImages', request) },
      [routes.pages]: { POST: (request) => postWith(deps, 'postPages', request) },
      [routes.mcp]: { POST: (request) => postWith(deps, 'postMcp', request) },
      [routes.permalink]: { GET: (request) => getPermalink(deps, request) },
    },
    cardSizeOf: (request) => sizeOf(rawRequestOf(request)),
    noteOf,
    contact: deps.contact,
    onRefusal: async (request, refusal) => {
      if (request.admission.outcome === 'known')
        await deps.recordUsage(request.admission.caller, request, usageOfRefusal(refusal));
    },
    edge: deps.edge,
    clock: deps.clock,
    telemetry: deps.telemetry,
  });
}

/** What the caller should know of the names of its parameters, where they are those of an image. */
function noteOf({ resource, query }: HttpRequest): string | undefined {
  switch (resource) {
    case routes.image:
    case routes.imagePath:
    case routes.imagePathWithSlashes:
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
async function getImage(deps: RedirectDeps, request: HttpRequest): Promise<HttpResult> {
  const raw = rawRequestOf(request);
  const caller = imageCallerOf(request);
  let signing: Signing | undefined;
  let sizeBelow: SizeBelow | undefined;
  if (isSignedQuery(raw.values)) {
    const repetition = repetitionIn(raw);
    if (repetition) return repetition;
    if ('refusal' in caller) return caller;
    const verification = await deps.verify(raw, caller);
    if (verification.outcome === 'refused') return verification;
    ({ signing, sizeBelow } = verification);
  }
  const parsed = parseRequest(raw, sizeBelow);
  if (parsed.outcome === 'refused') return parsed;
  if ('refusal' in caller) return caller;
  const isPublished = caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
  const refusal = siteRefusal(caller, parsed.request);
  if (refusal) return { refusal };
  const publishing = await publishingFor(deps, raw, caller, parsed.request);
  if (publishing && 'refusal' in publishing) return publishing;
  deps.onRootUrl(request.rootUrl);
  const context = requestContextOf(deps, request, caller, parsed.extension);
  const payOnce = isPublished ? deps.payOnce(caller) : undefined;
  const served = await deps.serve(parsed.request, caller, context, payOnce);
  const answer = isPublished ? refusalForVisitors(served) : served;
  await Promise.all([
    countServed(deps, request, caller, answer),
    publishing?.note(answer, parsed.request, context),
  ]);
  const { request: wanted, extension } = parsed;
  const form = {
    ...wanted,
    request: wanted,
    isFormatNamed: extension !== undefined,
    // The distribution drops unknown names from its cache key, so they are not named where others get the same answer.
    note: isPublished && deps.edge ? undefined : noteOf(request),
    ...(publishing && { published: publishing.published }),
    ...(isPublished && publicationOf(raw, caller, signing)),
  };
  return respond(deps, request, caller, answer, form);
}

interface RecordPublishing {
  readonly published: Published;
  readonly note: (
    answer: Answer,
    request: ImageRequest | undefined,
    context: RequestContext,
  ) => Promise<void>;
}

/** How the record of a caller with an API key is published; `undefined` for every other answer. */
async function publishingFor(
  deps: RedirectDeps,
  { values }: RawRequest,
  caller: Caller,
  { asJson }: { readonly asJson: boolean },
): Promise<RecordPublishing | HttpRefusal | undefined> {
  if (!asJson || caller.kind === 'anonymous' || caller.publishedAs) return undefined;
  const { publishing, publishOrderOf } = await deps.loadPublishing();
  const published = await publishing.resolve(caller, publishOrderOf(values));
  if ('refusal' in published) return published;
  return { published, note: (answer, request, { quota }) => publishing.note(answer, caller, request, quota) };
}

/** Serves all images of a page, fills a page, or serves a model that asks by its own protocol. */
async function postWith(
  deps: RedirectDeps,
  route: 'postImages' | 'postPages' | 'postMcp',
  request: HttpRequest,
): Promise<HttpResult> {
  deps.onRootUrl(request.rootUrl);
  const part = await deps.loadBatch();
  const contextOf = (of: HttpRequest, caller: Caller) => requestContextOf(deps, of, caller);
  return part[route]({ ...deps, ...part, contextOf, nowMs: deps.clock.nowMs }, request);
}

/** Serves one AI image, in its own size or another. */
async function getPermalink(deps: RedirectDeps, request: HttpRequest): Promise<HttpResult> {
  const raw = rawRequestOf(request);
  const parsed = parsePermalink(raw);
  if (parsed.outcome === 'refused') return parsed;
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  const imageId = request.pathParameters['id'] ?? '';
  const context = requestContextOf(deps, request, caller);
  const publishing = await publishingFor(deps, raw, caller, parsed);
  if (publishing && 'refusal' in publishing) return publishing;
  const answer = await deps.servePermalink(imageId, parsed.size, caller, context);
  await Promise.all([
    countServed(deps, request, caller, answer),
    publishing?.note(answer, undefined, context),
  ]);
  return respond(deps, request, caller, answer, {
    ...parsed,
    note: noteOf(request),
    ...(publishing && { published: publishing.published }),
  });
}

/** Adds an image to the usage of its caller. A refusal is added where it becomes a response. */
async function countServed(
  { recordUsage }: RedirectDeps,
  request: HttpRequest,
  caller: Caller,
  answer: Answer,
): Promise<void> {
  if (answer.outcome === 'served') await recordUsage(caller, request, usageOf(answer));
}

/** @param extension the format that the URL asks for by name; otherwise the `Accept` header decides */
function requestContextOf(
  { plans, ipHashSecret, anonymousLimit }: RedirectDeps,
  { clientIp, requestId, receivedMs, startedMs, header }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): RequestContext {
  const isCountedByIp = caller.kind === 'anonymous' || caller.publishedAs === 'site';
  const client = isCountedByIp ? clientOf(clientIp, ipHashSecret) : uncountedClient;
  const limits = limitsOf(caller, client, plans, startedMs);
  const anonymous = caller.kind === 'anonymous' ? anonymousLimit : undefined;
  const quota = { ...limits.quota, ...anonymous };
  const isUncounted = anonymous?.limit === unlimitedRequests;
  return {
    ...limits,
    quota,
    searches: limits.searches.map((limit) => ({ ...limit, ...anonymous })),
    ...(isUncounted && {
      payment: { state: 'free', because: 'unlimited', rateLimit: rateLimitStatusOf(quota, 0) },
      renditions: [],
    }),
    requestId,
    format: extension ?? formatFor(header('accept')),
    deadlineMs: answersBy({ receivedMs, startedMs }, requestBudgetMs) - closingMs,
  };
}
