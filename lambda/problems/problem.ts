/** Defines the errors that callers can receive, and writes their public texts. */

import { isOutage } from '../base/outage';
import { capitalise } from '../base/text';
import { formatMoment, type Window } from '../base/window';
import { batchBounds, pageBounds } from '../contract/request-bounds';
import { routes } from '../contract/routes';

/** The status and title of each code. No code is ever renamed, because clients branch on codes. */
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
  credential_not_allowed: { status: 403, title: 'Wrong credential' },
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

export type ProblemCode = keyof typeof problems;

/** A wrong parameter, with the received value and the allowed values. */
export interface ParameterFault {
  readonly parameter: string;
  readonly bounds: string;
  /** The value, shortened by `writeReceived`. Credentials and missing values have none. */
  readonly received?: string;
}

/** The state of a limit, for the rate-limit headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly window: Window;
  /** The limit of AI images in the month. Present for requests for AI images. */
  readonly generations?: RateLimitStatus;
}

/** The refusal (429) of a request whose limit is used up. */
export interface LimitRefusal {
  readonly code: 'rate_limited' | 'quota_exceeded';
  readonly rateLimit: RateLimitStatus;
  /** The kind of a limit that is not of requests. The headers then still state the limit of the plan. */
  readonly kind?: 'work' | 'generations';
  /** The counted things in the plural, except for requests of a plan or an address. */
  readonly unitName?: string;
  readonly hint?: string;
  /** True if the caller is a visitor of a page. Visitors do not see the numbers of the account. */
  readonly isForVisitor?: true;
  /** True if the instance refused from memory, without a call. The usage does not count such a refusal. */
  readonly isRemembered?: true;
}

/** The refusal of a charge: a limit is used up, or the table throttles its counter. */
export type ChargeRefusal = LimitRefusal | typeof throttleRefusal;

/** The refusal (400) of invalid or contradicting parameters. */
export interface ParameterRefusal {
  readonly code: 'invalid_parameter' | 'conflicting_parameters';
  readonly faults: readonly ParameterFault[];
  readonly nearest?: string;
}

/** The refusals that have more fields than their code. */
type DetailedRefusal =
  | ParameterRefusal
  | ChargeRefusal
  /** `isExposed`: a page sent the key in a URL. */
  | { readonly code: 'invalid_api_key'; readonly isExposed?: true }
  /** `detail`: a sentence of the route that replaces the sentence of the code. */
  | { readonly code: 'credential_not_allowed' | 'origin_not_allowed'; readonly detail?: string }
  /** `endsMs`: the moment when AI images are made again. */
  | { readonly code: 'generation_paused'; readonly endsMs: number }
  | { readonly code: 'generation_in_progress' | 'service_unavailable'; readonly retryAfterS: number }
  /** `retryAfterS`: how long the service does not ask the source. Without it, one second may be enough. */
  | { readonly code: 'upstream_unavailable'; readonly retryAfterS?: number };

/** What a caller is told in place of an image or another result. All fields are public. */
export type Refusal = (DetailedRefusal | { readonly code: Exclude<ProblemCode, DetailedRefusal['code']> }) & {
  /** True if a charge or refund has an unknown outcome. */
  readonly mayBeCharged?: true;
  /** True for a refusal that a test value asks for. No metric counts it, so that it sets off no alarm. */
  readonly isTest?: true;
};

/** The refusal when DynamoDB throttles a counter. Nothing was charged. */
export const throttleRefusal = { code: 'rate_limited', retryAfterS: 1 } as const;

/** The refusal when the image is not ready, or no place to wait for it is free. */
export const generationInProgress = { code: 'generation_in_progress', retryAfterS: 5 } as const;

/** The refusal when a dependency is busy or does not answer. A burst or a short outage ends within the pause. */
export const serviceUnavailable = { code: 'service_unavailable', retryAfterS: 5 } as const;

/** Refuses by the kind of an error. An outage may pass. Anything else is a fault of the service. */
export function refuseByError(error: unknown): Refusal {
  return isOutage(error) ? serviceUnavailable : { code: 'internal_error' };
}

/** The issuer of the first key of an account. */
export interface KeyIssuer {
  /** The contact of the operator: an e-mail address or a URL, if the operator has set one. */
  readonly contact?: string | undefined;
  /** True for the service on a laptop. The caller is its operator, so texts name commands. */
  readonly isLocal?: boolean;
}

/** The facts about a request that the sentences of its refusal mention. */
export interface RefusalContext extends KeyIssuer {
  /** The present moment. Without it, moments are written in ISO 8601. */
  readonly nowMs?: number;
  readonly rootUrl?: string;
  readonly note?: string | undefined;
  readonly allow?: readonly string[];
  readonly page?: string | undefined;
}

/** The cause and remedy of each code. No value is computed, because bundles drop only unused constants. */
const sentences: Readonly<Partial<Record<ProblemCode, string>>> = {
  not_found:
    'The URL, or what the request names, does not exist or belongs to another account. Images are available at /api/image?query=… and /api/image/{width}x{height}-{words}.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  authentication_required:
    'This request requires an API key: send it as Authorization: Bearer pk_… or in the header X-API-Key.',
  invalid_api_key:
    'The API key is malformed, unknown, revoked or expired: send it as Authorization: Bearer pk_… or in the header X-API-Key.',
  invalid_signature:
    'The signature is missing or does not match the URL, or its signer is unknown, revoked or expired.',
  invalid_site_key:
    'The site key is malformed, unknown, revoked or expired. Owner keys make site keys by POST /api/keys.',
  origin_not_allowed:
    'The Origin, else the Referer, of a request with a site key has to be one of the origins of the key.',
  link_expired: 'The signed URL has expired. Sign it again.',
  image_removed: 'The operator has removed this image. Use other words, or another style or variation.',
  credential_not_allowed:
    'Signed URLs and site keys are for the images of a page: GET /api/image. Everything else requires an API key: Authorization: Bearer or the X-API-Key header.',
  unsupported_media_type:
    'Send the body as JSON, with Content-Type: application/json; a page also as text/html.',
  duplicate_image:
    'Each image found for this query is already shown by another slot, or excluded. Use other words, or another seed or variation.',
  last_owner: 'The account would have no owner key left. Create another owner key first.',
  too_many_keys:
    'The account has as many active credentials as it may. Revoke one that is not used any more.',
  no_image_found: 'No image was found for the query or the pick. Try fewer or more common words.',
  content_refused: "The generator's safety filter rejected this query.",
  rate_limited: 'Too many requests at the same time. Retry in a second',
  generation_paused:
    "Image generation is paused: the day's limit of the operator, or the part of it that one account may use, has been reached.",
  upstream_unavailable: 'The image source did not respond and no fallback was available. Retry the request.',
  generation_in_progress:
    'The image is still being made, and is charged when it is delivered. Reload it in a few seconds',
  service_unavailable:
    'A part of the service is busy, or does not answer at the moment. Retry in a few seconds',
  internal_error: 'An unexpected error occurred and has been logged. Retry the request.',
};

/** The warning that API keys are secret, with the credentials that may be public. */
export const secrecyText = 'API keys (pk_…) stay secret: on a public page, use signed URLs or a site key.';

/** Writes the sentences of a refusal: its cause, and the remedy. */
export function writeDetail(refusal: Refusal, request: RefusalContext = {}): string {
  if ('faults' in refusal) return writeFaultsDetail(refusal, request);
  if ('rateLimit' in refusal) return writeLimitDetail(refusal, request.nowMs);
  if ('detail' in refusal && refusal.detail !== undefined) return refusal.detail;
  const { [refusal.code]: text = '' } = sentences;
  switch (refusal.code) {
    case 'method_not_allowed':
      return request.allow
        ? `Use ${request.allow.filter((method) => method !== 'OPTIONS').join(' or ')}.`
        : text;
    case 'content_too_large':
      return `The body may have at most ${batchBounds.bytesMax} bytes, a page ${pageBounds.bytesMax}.`;
    case 'invalid_api_key':
      return `${text} ${writeIssuer(request)}${refusal.isExposed ? ` ${secrecyText}` : ''}`;
    case 'authentication_required':
      return `${text} ${writeIssuer(request)}`;
    case 'origin_not_allowed':
      return `${text} ${writePageText(request.page)}`;
    case 'rate_limited':
    case 'generation_in_progress':
    case 'service_unavailable':
      return `${text}${refusal.mayBeCharged ? '.' : '; the request was not charged.'}`;
    case 'generation_paused':
      return `${text} It continues ${formatMoment(refusal.endsMs, request.nowMs)}.`;
    default:
      return text;
  }
}

function writePageText(page: string | undefined): string {
  if (!page) return 'The request names neither.';
  const [origin = 'a page that conceals its origin'] = /^https?:\/\/[^/?#@\s]+/i.exec(page) ?? [];
  return `The request comes from ${origin.slice(0, 100)}.`;
}

function writeIssuer(issuer: KeyIssuer): string {
  const operator = nameOperator(issuer, 'npm run keys -- create');
  return `Owner keys make keys on ${routes.accountPage}. The first key of an account is issued by ${operator}.`;
}

/** Names the operator, with the contact. Without a contact, the service on a laptop names a command. */
export function nameOperator({ contact, isLocal }: KeyIssuer, command: string): string {
  const how = contact ?? (isLocal ? command : undefined);
  return `the operator of the service${how === undefined ? '' : ` (${how})`}`;
}

function writeFaultsDetail(
  { faults, nearest }: ParameterRefusal,
  { rootUrl = '', note }: RefusalContext,
): string {
  const isWordless = faults.some((fault) => fault.parameter === 'query' && fault.received === undefined);
  const sentenceTexts = faults.map(({ parameter, bounds, received }) =>
    received === undefined ? `${parameter}: ${bounds}.` : `${parameter}: ${bounds} (received: ${received}).`,
  );
  if (note) sentenceTexts.push(capitalise(note).replace(/[^.?]$/, '$&.'));
  if (isWordless) sentenceTexts.push(`For example: ${rootUrl}${routes.image}?query=mountain+lake.`);
  if (nearest !== undefined) sentenceTexts.push(`The nearest valid URL: ${rootUrl}${nearest}`);
  return sentenceTexts.join(' ');
}

function writeLimitDetail(refusal: LimitRefusal, nowMs?: number): string {
  const { code, rateLimit, kind, unitName, hint, isForVisitor } = refusal;
  const { limit, window } = rateLimit;
  const isOfImages = kind === 'generations';
  const isOfPlan = unitName === undefined || isOfImages;
  const name = isOfPlan && code === 'quota_exceeded' ? 'quota' : 'limit';
  const countText = isForVisitor && isOfPlan ? '' : `${limit} `;
  const sentenceTexts = [
    `The ${name} of ${countText}${unitName ?? 'requests'} per ${window.kind} has been reached.`,
    `It resets ${formatMoment(window.endsMs, nowMs)}.`,
  ];
  if (isOfImages) sentenceTexts.push('AI images that exist and stock images are served as before.');
  if (hint !== undefined) sentenceTexts.push(hint);
  return sentenceTexts.join(' ');
}
