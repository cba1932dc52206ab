/** Answers with an image that was served, in the form that its caller wants: a redirect or a record. */

import { parseUrl } from '../../base/parse-url';
import type { Caller } from '../../credentials/caller';
import { cachingHeaders, noteHeader, rateHeaders } from '../../http/answer-headers';
import type { HttpResponse } from '../../http/http-response';
import type { Served } from '../../images/answer';
import { asciiOf } from '../../images/ascii';
import { noteOnImage } from '../../images/image';
import type { Attribution, ImageRecord, ShortRecord } from '../../images/record';
import type { Services } from '../../services';

/** Seconds that a browser may keep a redirect. */
const redirectMaxAgeS = 3_600;

/** The form in which a caller wants an image. */
export interface AnswerForm {
  /** Stands in place of the redirect. */
  readonly record?: ImageRecord | undefined;
  /** Whether the URL names the image format, so that the `Accept` header has no say. */
  readonly isFormatNamed?: boolean;
  /** Moment (epoch, milliseconds) at which the signed URL of the request ends; absent for one without an end. */
  readonly linkExpiresMs?: number | undefined;
  /** What the caller should know of its request. */
  readonly note?: string | undefined;
}

/** The redirect, or status 200 with a record; both with the same headers. */
export function respond(
  { config, telemetry, clock }: Pick<Services, 'config' | 'telemetry' | 'clock'>,
  caller: Caller,
  { image, cache, payment }: Served,
  { record, isFormatNamed = false, linkExpiresMs, note }: AnswerForm,
): HttpResponse {
  telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
  const nowMs = clock.nowMs();
  // Renditions are made in the format of the `Accept` header; a provider that crops has one URL for all.
  const isRendition = image.location.startsWith(`${config.IMAGE_BASE_URL}/`);
  // A credential that stands in a page: shared caches may keep the answer.
  const as = caller.kind === 'anonymous' ? undefined : caller.publishedAs;
  const variesByAccept = isRendition && !isFormatNamed;
  const shared = as && { as, linkExpiresMs, variesByAccept, isHotlink: !isRendition };
  const { attribution, source, imageId = null, fit = null, fallback = null } = image;
  const color = image.placeholder?.color ?? image.color;
  // A provider's URL may hold letters or line breaks that a header may not.
  const url = new URL(image.location).href;
  const { widthPx: width, heightPx: height } = image;
  const short: ShortRecord = { url, width, height, source, cache, imageId, fit, fallback, attribution };
  const license = linkTo(attribution.license.url);
  return {
    status: record ? 200 : 302,
    headers: {
      ...(!record && { Location: url }),
      'X-Cache': cache,
      'X-Image-Source': source,
      ...(fit && { 'X-Image-Fit': fit }),
      ...(fallback && { 'X-Image-Fallback': fallback }),
      ...noteHeader([note, noteOnImage(image)]),
      ...(imageId !== null && { 'X-Image-Id': imageId }),
      'X-Image-Attribution': creditHeader(attribution),
      ...(color !== undefined && { 'X-Image-Color': headerSafe(color) }),
      ...(license && { Link: `<${license}>; rel="license"` }),
      ...rateHeaders(payment.rateLimit, nowMs),
      ...cachingHeaders(image, redirectMaxAgeS, nowMs, shared),
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(record ?? short),
  };
}

/** Longest credit line in a header, in characters; API Gateway takes 10,240 bytes of headers altogether. */
const creditCharactersMax = 400;

/** The credit line, or where letters of it are beyond ASCII the provider and the page of the image, which name the creator. */
function creditHeader({ creditLine, providerName, landingUrl, license }: Attribution): string {
  const credit = headerSafe(creditLine);
  if (!credit.includes('?') || creditLine.includes('?')) return credit;
  return headerSafe([providerName, linkTo(landingUrl), license.name].filter(Boolean).join(', '));
}

/** A text as a header may hold it; the full text stands in the record. */
function headerSafe(text: string): string {
  const ascii = asciiOf(text);
  return ascii.length > creditCharactersMax ? `${ascii.slice(0, creditCharactersMax - 3)}...` : ascii;
}

/** A URL as it may stand between angle brackets, or `undefined` when it is not a valid one. */
function linkTo(text = ''): string | undefined {
  const url = parseUrl(text);
  // Only URLs of these schemes are sure to encode angle brackets and everything beyond ASCII.
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
