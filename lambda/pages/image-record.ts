/** Makes the record of an image: everything that a program needs to show it, with markup in which every text is escaped. */

import { parseUrl } from '../base/parse-url';
import { isoEnd } from '../base/window';
import { anonymousRequestsPerHour } from '../contract/plans';
import { altCharactersMax } from '../contract/request-bounds';
import { shortened } from '../images/alt-text';
import { asksForCredit } from '../images/credit';
import { noteOnImage, type ServedImage } from '../images/image';
import type { Attribution, ImageRecord } from '../images/record';
import { aiRequestOf, type ImageRequest, plainRequest } from '../requests/image-request';
import { type UrlCredential, urlsOf } from './image-urls';
import type { Published } from './publishing';

/** What a record is made for. */
export interface RecordContext {
  readonly cache: 'HIT' | 'MISS';
  /** Absent for a permalink, which has no words. */
  readonly request?: ImageRequest;
  /** How its URLs are published; absent for a caller without any credential. */
  readonly published?: Published;
  /** Root of the service as the caller sees it, without a trailing slash. */
  readonly rootUrl: string;
  /** What the caller should know of its request. */
  readonly note?: string | undefined;
}

/** The record of an image that was served. Its URLs are those of the service, but for `url`, which leads to the file. */
export function imageRecord(
  image: ServedImage,
  { cache, request, published: by, rootUrl, note: ofRequest }: RecordContext,
): ImageRecord {
  const { widthPx: width, heightPx: height, source, attribution, placeholder } = image;
  const credential = by?.credential;
  const undescribed = source === 'ai' ? 'AI-generated image' : `Image from ${attribution.providerName}`;
  // Of the query, where the caller has named it.
  const { lang } = request && 'filters' in request ? request.filters : {};
  // An AI image is served to accounts only, so its URL without a signature would show nothing.
  const isNamed = request !== undefined || image.pick !== undefined;
  const isOpen = isNamed && (source !== 'ai' || credential?.kind === 'signed');
  const urls = isOpen ? urlsOf(rootUrl, requestOf(image, request), credential) : { src: null, srcset: null };
  const record = {
    url: new URL(image.location).href,
    ...{ width, height, source, cache, attribution },
    imageId: image.imageId ?? null,
    aiGenerated: source === 'ai',
    alt: image.alt ?? shortened(request?.query || undescribed, altCharactersMax),
    altLang: (image.alt === undefined ? lang : image.altLang) ?? null,
    title: image.title ?? null,
    color: placeholder?.color ?? image.color ?? null,
    placeholder: placeholder ? { dataUri: placeholder.dataUri } : null,
    fit: image.fit ?? null,
    fallback: image.fallback ?? null,
    pick: image.pick ?? null,
    ...urls,
    note: noteOn(image, by, ofRequest),
    expiresAt: expiryOf(image, credential),
  };
  return { ...record, html: by && !(credential && isOpen) ? null : imageHtml(record) };
}

/** The request that shows this image again, whatever its words find by then; by its pick alone where it had no words. */
function requestOf(image: ServedImage, request: ImageRequest | undefined): ImageRequest {
  const { pick, widthPx, heightPx, label } = image;
  const requested = request ?? { ...plainRequest, widthPx, heightPx };
  const generated = image.source === 'ai' && requested.provider !== 'ai' ? aiRequestOf(requested) : requested;
  return { ...generated, ...(label && { label }), ...(pick !== undefined && { pick }) };
}

/** What the caller should know of its request, the image and its URLs. */
function noteOn(image: ServedImage, by: Published | undefined, ofRequest: string | undefined): string | null {
  return [ofRequest, noteOnImage(image), noteOnUrls(image, by)].filter(Boolean).join('; ') || null;
}

/** What the caller should know of the URLs of an image; `null` for nothing. */
export function noteOnUrls(
  { source }: Pick<ServedImage, 'source'>,
  by: Published | undefined,
): string | null {
  if (!by)
    return `The URLs carry no credential: each visitor has ${anonymousRequestsPerHour} requests per hour. With an API key, they are published.`;
  return source === 'ai' && by.credential?.kind === 'site'
    ? 'Not published: a site key shows stock images only. Publish AI images with a signer.'
    : by.note;
}

/** When the URL stops working, the same request may be answered with another image, or its signed URL ends. */
function expiryOf(
  { locationEndsMs = Infinity, keepUntilMs = Infinity }: ServedImage,
  credential: UrlCredential | undefined,
): string | null {
  const expires = credential?.kind === 'signed' && !credential.isOwn ? credential.signing.expires : undefined;
  return isoEnd(
    Math.min(locationEndsMs, keepUntilMs, expires === undefined ? Infinity : Number(expires) * 1_000),
  );
}

/** An `<img>`; in a `<figure>` with the credit line where the licence asks for it. */
function imageHtml(record: Omit<ImageRecord, 'html'>): string {
  const { url, src, srcset, alt, width, height, placeholder, color, attribution, aiGenerated } = record;
  const background = placeholder ? `url(${placeholder.dataUri}) center/cover no-repeat` : color;
  const attributes = {
    src: src ?? url,
    srcset,
    sizes: srcset && `(min-width: ${width}px) ${width}px, 100vw`,
    width,
    height,
    alt,
    'data-ai-generated': aiGenerated ? 'true' : null,
    loading: 'lazy',
    decoding: 'async',
    style: `max-width:100%;height:auto${background === null ? '' : `;background:${background}`}`,
  };
  const texts = Object.entries(attributes).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${escapeHtml(String(value))}"`],
  );
  const tag = `<img ${texts.join(' ')}>`;
  return asksForCredit(attribution.license)
    ? `<figure>${tag}<figcaption>${creditOf(attribution)}</figcaption></figure>`
    : tag;
}

/** The credit line, linked to the page of the image where that is a web page. */
function creditOf({ creditLine, landingUrl }: Attribution): string {
  const text = escapeHtml(creditLine);
  return landingUrl !== undefined && isWebPage(landingUrl)
    ? `<a href="${escapeHtml(new URL(landingUrl).href)}" rel="noopener">${text}</a>`
    : text;
}

function isWebPage(url: string): boolean {
  return /^https?:$/.test(parseUrl(url)?.protocol ?? '');
}

function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"'`@{}\p{Cc}]/gu, (character) => {
    const code = character.charCodeAt(0);
    // Control characters have no place in a document, escaped or not.
    return code < 32 || code > 126 ? ' ' : `&#${code};`;
  });
}
