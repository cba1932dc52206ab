/** Answers with a served image: a redirect, or a record. */

import { parseUrl } from '../../base/parse';
import type { Caller } from '../../credentials/caller';
import { cachingHeaders, noteHeader, rateHeaders } from '../../http/answer-headers';
import type { HttpResponse } from '../../http/http-response';
import type { ServedAnswer } from '../../images/answer';
import { asciiOf, creditCharactersMax } from '../../images/ascii';
import { noteOnImage } from '../../images/image';
import type { Attribution, ImageRecord, ShortRecord } from '../../images/record';
import type { Services } from '../../services';

/** Seconds that a browser may keep a redirect. */
const redirectMaxAgeS = 3_600;

/** The form in which an image is answered. */
export interface AnswerForm {
  /** The record in place of the redirect. */
  readonly record?: ImageRecord | undefined;
  /** Whether the URL names the format, so that `Accept` decides nothing. */
  readonly isFormatNamed?: boolean;
  /** Moment (epoch, milliseconds) at which the signed URL ends; absent without an end. */
  readonly linkExpiresMs?: number | undefined;
  /** The note on its request. */
  readonly note?: string | undefined;
}

/** Makes the redirect, or the record with status 200; both have the same headers. */
export function imageResponse(
  { config, telemetry, clock }: Pick<Services, 'config' | 'telemetry' | 'clock'>,
  caller: Caller,
  { image, cache, payment }: ServedAnswer,
  { record, isFormatNamed = false, linkExpiresMs, note }: AnswerForm,
): HttpResponse {
  telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
  const nowMs = clock.nowMs();
  // `Accept` decides the format of renditions; a provider that crops has one URL for all formats.
  const isRendition = image.location.startsWith(`${config.IMAGE_BASE_URL}/`);
  // Shared caches may keep the answer to a credential that stands in a page.
  const publishedAs = caller.kind === 'anonymous' ? undefined : caller.publishedAs;
  const variesByAccept = isRendition && !isFormatNamed;
  const shared = publishedAs && { publishedAs, linkExpiresMs, variesByAccept, isHotlink: !isRendition };
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

/** The credit line in ASCII. For other letters: provider, licence and the page that names the creator. */
function creditHeader({ creditLine, providerName, landingUrl, license }: Attribution): string {
  const credit = headerSafe(creditLine);
  if (!credit.includes('?') || creditLine.includes('?')) return credit;
  return headerSafe([providerName, linkTo(landingUrl), license.name].filter(Boolean).join(', '));
}

/** A text in ASCII, shortened; the record has the full one. */
function headerSafe(text: string): string {
  const ascii = asciiOf(text);
  return ascii.length > creditCharactersMax ? `${ascii.slice(0, creditCharactersMax - 3)}...` : ascii;
}

/** A URL for angle brackets, or `undefined` for none. */
function linkTo(text = ''): string | undefined {
  const url = parseUrl(text);
  // URLs of these schemes encode angle brackets and everything beyond ASCII.
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
