/** Answers with an image that was served, in the form that its caller wants: a redirect, a record or a placeholder. */

import type { Caller } from '../../domain/caller/caller';
import type { Answer } from '../../domain/problem/answer';
import type { ImageRequest } from '../../domain/request/image-request';
import type { HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { imageResponse } from '../../http/image-response';
import type { UrlCredential } from '../../http/record/srcset';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';

export interface RespondDeps {
  /** Seconds a browser may keep a redirect. */
  readonly maxAgeS: number;
  /** URL below which the service delivers renditions, without a trailing slash. */
  readonly imageBaseUrl: string;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** In which form a caller wants an image. */
export interface AnswerForm {
  readonly asJson: boolean;
  readonly asPlaceholder?: boolean;
  /** Absent for a permalink, which has no words. */
  readonly request?: ImageRequest;
  readonly credential?: UrlCredential;
  /** Whether the URL names the image format, so that the `Accept` header has no say. */
  readonly isFormatNamed?: boolean;
  /** Moment (epoch, milliseconds) at which the signed URL of the request ends; absent for one without an end. */
  readonly linkExpiresMs?: number;
}

/** A refusal passes as it is. */
export async function respond(
  { telemetry, clock, maxAgeS, imageBaseUrl }: RespondDeps,
  { rootUrl }: Pick<HttpRequest, 'rootUrl'>,
  caller: Caller,
  answer: Answer,
  { asJson, asPlaceholder, request, isFormatNamed = false, credential, linkExpiresMs }: AnswerForm,
): Promise<HttpResult> {
  if (answer.outcome === 'refused') return answer;
  const { image, cache, rateLimit } = answer;
  telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
  // Renditions are made in the format of the `Accept` header; a provider that crops has one URL for all.
  const isRendition = image.location.startsWith(`${imageBaseUrl}/`);
  const isPublished = caller.kind !== 'anonymous' && caller.publishedAs !== undefined;
  const publication = isPublished
    ? { linkExpiresMs, variesByAccept: isRendition && !isFormatNamed }
    : undefined;
  const kept = { maxAgeS, nowMs: clock.nowMs(), publication };
  if (asPlaceholder) {
    const { placeholder } = image;
    if (!placeholder) return { refusal: { code: 'no_image_found' }, rateLimit };
    const { placeholderResponse } = await import('../../http/placeholder-response');
    return placeholderResponse({ ...image, placeholder }, cache, rateLimit, kept);
  }
  if (!asJson) return imageResponse(answer, kept);
  // Loaded on first need: an image tag never asks for it.
  const { imageRecord } = await import('../../http/record/image-record');
  const record = imageRecord(image, {
    cache,
    rootUrl,
    ...(request && { request }),
    ...(credential && { credential }),
  });
  return imageResponse(answer, { ...kept, record });
}
