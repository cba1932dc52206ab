/** Every error that callers can receive: its code, status and public texts. */

import { momentText, type Window } from '../base/window';
import { batchBounds, pageBounds } from '../contract/batch';
import { routes } from '../contract/routes';

/** Status and title by code; a code is never renamed, as clients branch on it. */
export const problems = {
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  conflicting_parameters: { status: 400, title: 'Conflicting parameters' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  authentication_required: { status: 401, title: 'API key required' },
  invalid_api_key: { status: 401, title: 'Invalid API key' },
  invalid_signature: { status: 401, title: 'Invalid signature' },
  invalid_site_key: { status: 401, title: 'Invalid site key' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  link_expired: { status: 410, title: 'Link expired' },
  image_removed: { status: 410, title: 'Image removed' },
  credential_not_allowed: { status: 403, title: 'API key required' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  content_too_large: { status: 413, title: 'Body too large' },
  duplicate_image: { status: 409, title: 'Duplicate image' },
  last_owner: { status: 409, title: 'Last owner' },
  too_many_keys: { status: 409, title: 'Too many keys' },
  no_image_found: { status: 404, title: 'No image found' },
  content_refused: { status: 422, title: 'Content refused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'Monthly quota exceeded' },
  generation_paused: { status: 503, title: 'Generation paused' },
  upstream_unavailable: { status: 502, title: 'Image source unavailable' },
  generation_in_progress: { status: 503, title: 'Generation in progress' },
  service_unavailable: { status: 503, title: 'Service unavailable' },
  internal_error: { status: 500, title: 'Internal error' },
} as const;

/** The `code` of a problem document. */
export type ProblemCode = keyof typeof problems;

/** One faulty parameter. */
export interface ParameterFault {
  readonly parameter: string;
  /** The accepted values, in words. */
  readonly bounds: string;
  /** What was given, as `receivedText` shortens it; absent where nothing was, and for credentials. */
  readonly received?: string;
}

/** The rate limit status of a caller in its window: what the rate-limit headers say. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly window: Window;
  /** Of answers about AI images: those of the account's month. */
  readonly generations?: RateLimitStatus;
}

/** The caller's window is used up. */
export interface LimitRefusal {
  readonly code: 'rate_limited' | 'quota_exceeded';
  readonly rateLimit: RateLimitStatus;
  /** Which kind of limit it is, where it is not one of requests: then the headers state the caller's plan instead. */
  readonly of?: 'work' | 'generations' | 'provider' | 'waiting';
  /** What the window counts, in the plural, where it is not the requests of a plan or an address. */
  readonly counts?: string;
  /** How the limit is changed, where the caller can do so. */
  readonly hint?: string;
  /** Whether a visitor of a page reads it, who is not told the limit of the account. */
  readonly isPublished?: true;
  /** Whether this process remembered the refusal, which then is added to no usage. */
  readonly isRemembered?: true;
}

/** The caller's counter takes no more writes at the moment: nothing was charged. */
export interface ThrottleRefusal {
  readonly code: 'rate_limited';
  readonly retryAfterS: number;
}

/** Why a charge was refused. */
export type ChargeRefusal = LimitRefusal | ThrottleRefusal;

/** Parameters are at fault. */
export interface ParameterRefusal {
  readonly code: 'invalid_parameter' | 'conflicting_parameters';
  readonly faults: readonly ParameterFault[];
  /** Path and query of the nearest request that is valid, below the root of the service. */
  readonly nearest?: string;
}

/** A refusal that says more than its code. */
type DetailedRefusal =
  | ParameterRefusal
  | ChargeRefusal
  /** `isPublished`: the key came in the URL of a request that a page has made. */
  | { readonly code: 'invalid_api_key'; readonly isPublished?: true }
  /** `isMember`: the API key manages no keys. */
  | { readonly code: 'credential_not_allowed'; readonly isMember?: true }
  /** `isForeign`: a page of another site asks to manage keys. */
  | { readonly code: 'origin_not_allowed'; readonly isForeign?: true }
  /** The operator's ceiling on generations is reached until a moment (epoch, milliseconds). */
  | { readonly code: 'generation_paused'; readonly endsMs: number }
  | { readonly code: 'generation_in_progress'; readonly retryAfterS: number }
  /** `mayBeCharged`: nothing is known of the charge, or its refund. */
  | { readonly code: 'service_unavailable'; readonly retryAfterS: number; readonly mayBeCharged?: boolean }
  /** `retryAfterS`: how long requests to the source are suspended after failures; absent where a retry may succeed after a second. */
  | { readonly code: 'upstream_unavailable'; readonly retryAfterS?: number };

/** An expected refusal. All of its fields are public. */
export type Refusal = DetailedRefusal | { readonly code: Exclude<ProblemCode, DetailedRefusal['code']> };

/** The refusal of every throttled counter. */
export const throttleRefusal: ThrottleRefusal = { code: 'rate_limited', retryAfterS: 1 };

/** Whether a refusal says that a counter is throttled. */
export function isThrottle(refusal: Refusal): boolean {
  return refusal.code === 'rate_limited' && 'retryAfterS' in refusal;
}

/** Whether a refusal's own window is what rate-limit headers state; where work or AI images are used up, they stay those of the plan. */
export function statesRateLimit(refusal: Refusal): refusal is LimitRefusal {
  return 'rateLimit' in refusal && refusal.of === undefined;
}

/** Seconds after which a caller should retry for an image that is being made, or for a free place to have it made. */
export const inProgressRetryAfterS = 5;

/** The image may be there in a moment. */
export const generationInProgress = {
  code: 'generation_in_progress',
  retryAfterS: inProgressRetryAfterS,
} as const satisfies Refusal;

/** A table, the renderer or another dependency is busy or does not answer in time. The pause lets a short outage or a burst pass. */
export const serviceUnavailable = {
  code: 'service_unavailable',
  retryAfterS: 5,
} as const satisfies Refusal;

/** What the words of a refusal depend on beside it. */
export interface RefusedRequest {
  /** Moment of the answer (epoch, milliseconds); without it ends are written as ISO dates. */
  readonly nowMs?: number;
  /** Root of the service, without a trailing slash. */
  readonly rootUrl?: string;
  /** What the caller should know of the names of its parameters. */
  readonly note?: string | undefined;
  /** Methods of the resource, for 405. */
  readonly allow?: readonly string[];
  /** `Origin`, else `Referer`. */
  readonly page?: string | undefined;
  /** Where the operator is reached, who issues keys: an e-mail address or a URL. */
  readonly contact?: string | undefined;
}

/** One or two sentences for the caller: what happened and how to resolve it. */
export function detailOf(refusal: Refusal, request: RefusedRequest = {}): string {
  const { nowMs, allow } = request;
  switch (refusal.code) {
    case 'invalid_parameter':
    case 'conflicting_parameters':
      return faultsDetail(refusal, request);
    case 'rate_limited':
      return 'retryAfterS' in refusal ? throttleDetail : limitDetail(refusal, nowMs);
    case 'method_not_allowed':
      return allow ? `Use ${methodsText(allow)}.` : listDetails().method_not_allowed;
    case 'invalid_api_key': {
      const secret = ' API keys (pk_…) stay secret: on a public page, use signed URLs or a site key.';
      return `${listDetails().invalid_api_key}${issuerText(request)}${refusal.isPublished ? secret : ''}`;
    }
    case 'invalid_site_key':
      return `${listDetails().invalid_site_key}${issuerText(request)}`;
    case 'authentication_required':
      return `${listDetails().authentication_required}${issuerText(request)}`;
    case 'credential_not_allowed':
      return refusal.isMember
        ? 'Keys are managed with an owner key of the account: a live API key whose role is owner.'
        : listDetails().credential_not_allowed;
    case 'origin_not_allowed':
      if (refusal.isForeign) return 'Keys are managed by pages of this service alone, or without a page.';
      return `${listDetails().origin_not_allowed} ${pageText(request.page)}`;
    case 'quota_exceeded':
      return quotaDetail(refusal, nowMs);
    case 'service_unavailable':
      return `A part of the service is busy, or does not answer at the moment. Retry in a few seconds${refusal.mayBeCharged ? '.' : '; the request was not charged.'}`;
    case 'generation_paused':
      return `Image generation is paused, because the operator's limit has been reached. It continues ${momentText(refusal.endsMs, nowMs)}.`;
    default:
      return listDetails()[refusal.code];
  }
}

/** Longest origin that is repeated, in characters. */
const originCharactersMax = 100;

function pageText(page: string | undefined): string {
  if (page === undefined || page === '') return 'The request names neither.';
  const [origin = 'a page that conceals its origin'] = /^https?:\/\/[^/?#@\s]+/i.exec(page) ?? [];
  return `The request comes from ${origin.slice(0, originCharactersMax)}.`;
}

function faultsDetail({ faults, nearest }: ParameterRefusal, { rootUrl = '', note }: RefusedRequest): string {
  const sentences = faults.map(({ parameter, bounds, received }) => {
    const given = received === undefined ? '' : ` (received: ${received})`;
    return `${parameter}: ${bounds}${given}.`;
  });
  if (note !== undefined) sentences.push(asSentence(note));
  const isWordless = faults.some(
    ({ parameter, received }) => parameter === 'query' && received === undefined,
  );
  if (isWordless) sentences.push(`For example: ${rootUrl}${routes.image}?query=mountain+lake.`);
  if (nearest !== undefined) sentences.push(`The nearest valid URL: ${rootUrl}${nearest}`);
  return sentences.join(' ');
}

function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function methodsText(allow: readonly string[]): string {
  const methods = allow.filter((method) => method !== 'OPTIONS');
  return methods.join(' or ');
}

function issuerText({ contact, rootUrl }: RefusedRequest): string {
  // Where the operator names no contact, providers are told the service itself, which answers nobody.
  return contact === undefined || contact === rootUrl
    ? ' The operator of the service issues keys (npm run keys -- create).'
    : ` The operator of the service issues keys: ${contact}.`;
}

function quotaDetail(refusal: LimitRefusal, nowMs?: number): string {
  const isOfImages = refusal.of === 'generations';
  if (refusal.counts !== undefined && !isOfImages) return limitDetail(refusal, nowMs);
  const { limit, window } = refusal.rateLimit;
  const units = `${refusal.isPublished ? '' : `${limit} `}${isOfImages ? 'AI images' : 'requests'}`;
  const others = isOfImages ? ' AI images that exist and stock images are served as before.' : '';
  return `The quota of ${units} per month has been reached. It resets ${momentText(window.endMs, nowMs)}.${others}`;
}

function limitDetail(
  { rateLimit: { limit, window }, counts, hint, isPublished }: LimitRefusal,
  nowMs: number | undefined,
): string {
  const what = counts ?? 'requests';
  return `The limit of ${isPublished && counts === undefined ? '' : `${limit} `}${what} per ${window.kind} has been reached. It resets ${momentText(window.endMs, nowMs)}.${hint === undefined ? '' : ` ${hint}`}`;
}

const throttleDetail =
  'Too many requests of this account at the same time. The request was not charged; retry it in a second.';

/** In a function, because a text with a number in it is kept in bundles that need none of these. */
const listDetails = (): Record<
  Exclude<
    ProblemCode,
    | 'invalid_parameter'
    | 'conflicting_parameters'
    | 'rate_limited'
    | 'quota_exceeded'
    | 'service_unavailable'
    | 'generation_paused'
  >,
  string
> => ({
  not_found:
    'The URL, or what the request names, does not exist or belongs to another account. Images are available at /api/image?query=… and /api/image/{width}x{height}-{words}.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  authentication_required:
    'This request requires an API key: send it as Authorization: Bearer pk_… or in the header X-API-Key.',
  invalid_api_key:
    'The API key is malformed, unknown, revoked or expired: send it as Authorization: Bearer pk_… or in the header X-API-Key.',
  invalid_signature:
    'The signature is missing or does not match the URL, or its signer is unknown, revoked or expired.',
  invalid_site_key: 'The site key is malformed, unknown, revoked or expired.',
  origin_not_allowed:
    'The Origin, else the Referer, of a request with a site key has to be one of the origins of the key.',
  link_expired: 'The signed URL has expired.',
  image_removed: 'The operator has removed this image. Use other words, or another style or variation.',
  credential_not_allowed:
    'Signed URLs and site keys are for the images of a page: GET /api/image. Everything else requires an API key: Authorization: Bearer or the X-API-Key header.',
  unsupported_media_type:
    'Send the body as JSON, with Content-Type: application/json; a page also as text/html.',
  content_too_large: `The body may have at most ${batchBounds.bytesMax} bytes, a page ${pageBounds.bytesMax}.`,
  duplicate_image:
    'Each image found for this query is already shown by another slot, or excluded. Use other words, or another seed or variation.',
  last_owner: 'The account would have no owner key left. Create another owner key first.',
  too_many_keys:
    'The account has as many active credentials as it may. Revoke one that is not used any more.',
  no_image_found: 'No image was found for the query or the pick. Try fewer or more common words.',
  content_refused: "The generator's safety filter rejected this query.",
  upstream_unavailable: 'The image source did not respond and no fallback was available. Retry the request.',
  generation_in_progress:
    'The image is still being made. Reload it in a few seconds: the request that is answered with it is charged, and this one was not.',
  internal_error: 'An unexpected error occurred and has been logged. Retry the request.',
});

/** Where a caller can meet an error: kinds of routes, and one slot of a batch. */
export type ProblemPlace =
  | 'image'
  | 'permalink'
  | 'batch'
  | 'slot'
  | 'html'
  | 'mcp'
  | 'usage'
  | 'keys'
  | 'page';

/** The places of each error; none for one that no operation of the API returns. A constant of its own, so that other bundles leave it out. */
export const problemPlaces = /* @__PURE__ */ listPlaces();

function listPlaces(): Readonly<Record<ProblemCode, readonly ProblemPlace[]>> {
  const images = ['image', 'permalink'] as const;
  const withKeys = [...images, 'batch', 'html', 'mcp', 'usage', 'keys'] as const;
  // API Gateway itself may answer with these, on any route.
  const everywhere = [...withKeys, 'page'] as const;
  return {
    invalid_parameter: everywhere,
    conflicting_parameters: withKeys,
    not_found: ['permalink', 'keys'],
    method_not_allowed: [],
    authentication_required: ['image', 'batch', 'html', 'usage', 'keys'],
    invalid_api_key: withKeys,
    invalid_signature: images,
    invalid_site_key: images,
    origin_not_allowed: [...images, 'keys'],
    link_expired: ['image'],
    image_removed: [...images, 'slot'],
    credential_not_allowed: ['permalink', 'keys'],
    unsupported_media_type: ['batch', 'html', 'mcp', 'keys'],
    content_too_large: everywhere,
    duplicate_image: ['slot'],
    last_owner: ['keys'],
    too_many_keys: ['keys'],
    no_image_found: ['image', 'slot'],
    content_refused: ['image', 'slot'],
    rate_limited: [...everywhere, 'slot'],
    quota_exceeded: [...images, 'slot'],
    generation_paused: ['image', 'slot'],
    upstream_unavailable: [...images, 'slot'],
    generation_in_progress: [...images, 'slot'],
    service_unavailable: [...everywhere, 'slot'],
    internal_error: [...everywhere, 'slot'],
  };
}
