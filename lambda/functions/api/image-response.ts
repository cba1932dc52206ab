/** Answers with a served image: a redirect, or a record. */

import { parseWebUrl } from '../../base/parse';
import type { Caller } from '../../credentials/caller';
import type { HttpResponse } from '../../http/http-response';
import {
  type SharedResponse,
  writeCachingHeaders,
  writeNoteHeader,
  writeRateHeaders,
} from '../../http/response-headers';
import { creditCharactersMax, spellInAscii } from '../../images/ascii';
import { writeImageNote } from '../../images/image';
import type { Attribution, ImageRecord, ShortRecord } from '../../images/record';
import type { Services } from '../../services/services';
import type { ServedAnswer } from '../../serving/answer';

/** Seconds that a browser may keep a redirect. */
const redirectMaxAgeS = 3_600;

/** The form in which an image is answered. */
export interface AnswerForm {
  /** The record that replaces the redirect. */
  readonly record?: ImageRecord | undefined;
  /** True if the URL names the format. `Accept` then decides nothing. */
  readonly isFormatNamed?: boolean;
  readonly linkExpiresMs?: SharedResponse['linkExpiresMs'];
  /** The note on the request. */
  readonly note?: string | undefined;
}

/** Makes the redirect, or the record with status 200. Both have the same headers, except `Location`. */
export function makeImageResponse(
  { config, telemetry, clock }: Pick<Services, 'config' | 'telemetry' | 'clock'>,
  caller: Caller,
  answer: ServedAnswer,
  { record, isFormatNamed = false, linkExpiresMs, note }: AnswerForm,
): HttpResponse {
  const { image, cache, payment } = answer;
  telemetry.count('requests', { source: image.source, cache, caller: caller.kind });
  const nowMs = clock.nowMs();
  // `Accept` decides the format of renditions only. A provider that crops has one URL for all formats.
  const isRendition = image.location.startsWith(`${config.IMAGE_BASE_URL}/`);
  // Shared caches may keep the answer to a signer or site key, because its credential is public.
  const publishedAs = caller.kind === 'anonymous' ? undefined : caller.publishedAs;
  const variesByAccept = isRendition && !isFormatNamed;
  const shared = publishedAs && { publishedAs, linkExpiresMs, variesByAccept, isHotlink: !isRendition };
  // A provider's URL may have letters or line breaks, which a header must not have.
  const url = new URL(image.location).href;
  return {
    status: record ? 200 : 302,
    headers: {
      ...(!record && { Location: url }),
      ...writeImageHeaders(answer, note),
      ...(payment.rateLimit && writeRateHeaders(payment.rateLimit, nowMs)),
      ...writeCachingHeaders(image, redirectMaxAgeS, nowMs, shared),
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(record ?? makeShortRecord(answer, url)),
  };
}

/** Writes the headers that describe an image and credit it. */
function writeImageHeaders(
  { image, cache }: ServedAnswer,
  note: string | undefined,
): HttpResponse['headers'] {
  const { attribution, source, imageId, fit, fallback, placeholder } = image;
  const color = placeholder?.color ?? image.color;
  // URLs of the web encode angle brackets and everything beyond ASCII.
  const license = parseWebUrl(attribution.license.url);
  return {
    'X-Cache': cache,
    'X-Image-Source': source,
    ...(fit && { 'X-Image-Fit': fit }),
    ...(fallback && { 'X-Image-Fallback': fallback }),
    ...writeNoteHeader([note, writeImageNote(image)]),
    ...(imageId !== undefined && { 'X-Image-Id': imageId }),
    'X-Image-Attribution': writeCreditHeader(attribution),
    ...(color !== undefined && { 'X-Image-Color': writeHeaderText(color) }),
    ...(license && { Link: `<${license}>; rel="license"` }),
  };
}

/** Makes the body of a redirect, for programs that do not follow it. */
function makeShortRecord({ image, cache }: ServedAnswer, url: string): ShortRecord {
  const { widthPx: width, heightPx: height, source, attribution } = image;
  const { imageId = null, fit = null, fallback = null } = image;
  return { url, width, height, source, cache, imageId, fit, fallback, attribution };
}

/** Writes the credit in ASCII. In place of another script: provider, page of the image, and licence. */
function writeCreditHeader({ creditLine, providerName, landingUrl, license }: Attribution): string {
  const credit = writeHeaderText(creditLine);
  if (!credit.includes('?') || creditLine.includes('?')) return credit;
  return writeHeaderText([providerName, parseWebUrl(landingUrl), license.name].filter(Boolean).join(', '));
}

/** Writes a text in ASCII and cuts a long one. The record has the full text. */
function writeHeaderText(text: string): string {
  const ascii = spellInAscii(text);
  return ascii.length > creditCharactersMax ? `${ascii.slice(0, creditCharactersMax - 3)}...` : ascii;
}
