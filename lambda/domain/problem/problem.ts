/** Every refusal the service can answer with, its status and its public text: the one table of both. */

import type { RateLimitStatus } from '../quota/quota';

export const problems = {
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  conflicting_parameters: { status: 400, title: 'Parameters contradict each other' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here' },
  authentication_required: { status: 401, title: 'An API key is required' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  no_image_found: { status: 404, title: 'No image was found' },
  content_refused: { status: 422, title: 'The image was refused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'The monthly quota is used up' },
  too_many_generations: { status: 429, title: 'Too many images in the making' },
  upstream_unavailable: { status: 502, title: 'The image source is not available' },
  generation_in_progress: { status: 503, title: 'The image is still being made' },
  internal_error: { status: 500, title: 'Something went wrong' },
} as const;

export type ProblemCode = keyof typeof problems;

/** One faulty parameter; `bounds` says in words what would be accepted. */
export interface ParameterFault {
  readonly parameter: string;
  readonly bounds: string;
}

/** The caller's window is used up. */
export interface LimitRefusal {
  readonly code: 'rate_limited' | 'quota_exceeded';
  readonly rateLimit: RateLimitStatus;
}

/** An expected refusal. Everything in it may be read by the caller. */
export type Refusal =
  | {
      readonly code: 'invalid_parameter' | 'conflicting_parameters';
      readonly faults: readonly ParameterFault[];
    }
  | LimitRefusal
  | { readonly code: 'too_many_generations' | 'generation_in_progress'; readonly retryAfterS: number }
  | {
      readonly code: Exclude<
        ProblemCode,
        | 'invalid_parameter'
        | 'conflicting_parameters'
        | 'rate_limited'
        | 'quota_exceeded'
        | 'too_many_generations'
        | 'generation_in_progress'
      >;
    };

/** One or two sentences for the caller: what happened, and what would help. */
export function detailOf(refusal: Refusal): string {
  switch (refusal.code) {
    case 'invalid_parameter':
    case 'conflicting_parameters':
      return refusal.faults.map(({ parameter, bounds }) => `${parameter}: ${bounds}.`).join(' ');
    case 'rate_limited':
      return `All ${refusal.rateLimit.limit} requests of this hour are used. The next hour begins at ${isoSeconds(refusal.rateLimit.window.endMs)}.`;
    case 'quota_exceeded':
      return `All ${refusal.rateLimit.limit} requests of this month are used. The next month begins at ${isoSeconds(refusal.rateLimit.window.endMs)}.`;
    default:
      return details[refusal.code];
  }
}

/** ISO 8601 in UTC, to the second. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const details: Record<
  Exclude<ProblemCode, 'invalid_parameter' | 'conflicting_parameters' | 'rate_limited' | 'quota_exceeded'>,
  string
> = {
  not_found: 'Images are at /api/image?query=… and /api/image/{width}x{height}-{words}.',
  method_not_allowed: 'Use GET, HEAD or OPTIONS.',
  authentication_required:
    'provider=ai and /api/usage need an API key, in the X-API-Key header or the api_key parameter.',
  invalid_api_key: 'The API key is malformed, unknown, revoked or expired.',
  no_image_found: 'No image fits this query. Fewer or more common words find more.',
  content_refused: "The generator's safety filter refused this query.",
  too_many_generations: 'This account has as many images in the making as its plan allows at once.',
  upstream_unavailable:
    'The image source did not answer, and no other could take its place. Please try again.',
  generation_in_progress: 'The image is still being made. Ask again in a few seconds; it is charged once.',
  internal_error: 'The request could not be answered. It was logged, and trying again may help.',
};

/**
 * What helps, for the documentation. Only the docs function loads it: a constant of its own, so that the bundles of the hot
 * path leave it out.
 */
export const remedies: Readonly<Record<ProblemCode, string>> = {
  invalid_parameter: 'The answer names every faulty parameter and what it accepts.',
  conflicting_parameters: 'Leave one of them out; the answer names them.',
  not_found: 'Check the URL. A private image exists only for its account.',
  method_not_allowed: 'Use GET, HEAD or OPTIONS.',
  authentication_required: 'AI images and the usage report need a key.',
  invalid_api_key: 'Malformed, unknown, revoked or expired: check the key, or ask for a new one.',
  no_image_found: 'Fewer or more common words find more. Nothing was charged.',
  content_refused: 'The safety filter of the generator refused these words. Nothing was charged.',
  rate_limited: 'Wait for Retry-After seconds, or use a key.',
  quota_exceeded: 'The quota of the month is used up; Retry-After says when the next begins.',
  too_many_generations: 'Wait a few seconds until some of the images are done.',
  upstream_unavailable: 'No source could answer just now. Try again; nothing was charged.',
  generation_in_progress: 'Ask again after Retry-After seconds; the image is charged once.',
  internal_error: 'Try again. If it stays, name the requestId to the operator.',
};
