/** Makes the record of an image, which has all that a program needs to show it. */

import { parseWebUrl } from '../base/parse';
import { cutToLength, escapeMarkup } from '../base/text';
import { dayMs, formatIsoSeconds } from '../base/window';
import { reliedOnDays } from '../contract/image-paths';
import { altCharactersMax } from '../contract/request-bounds';
import { asksForCredit } from '../images/credit';
import { type ServedImage, writeImageNote } from '../images/image';
import type { Attribution, ImageRecord } from '../images/record';
import type { ImageRequest } from '../requests/image-request';
import { makePickRequest, writeImageUrls } from './image-urls';
import { plainUrlsNote, type UrlAccess } from './publishing';

/** The facts of a request that its record needs beside the image. */
export interface RecordContext {
  readonly cache: 'HIT' | 'MISS';
  /** Absent for a permalink. */
  readonly request?: ImageRequest | undefined;
  /** Absent for a caller without any credential. */
  readonly urlAccess?: UrlAccess | undefined;
  readonly rootUrl: string;
  /** URL of the stored files of the service. They are deleted after some days. */
  readonly imageBaseUrl: string;
  readonly nowMs: number;
  readonly note?: string | undefined;
}

/** Makes the record of a served image. `url` leads to the file. All other URLs lead to the service. */
export function makeImageRecord(image: ServedImage, context: RecordContext): ImageRecord {
  const { cache, request, urlAccess, note } = context;
  const { widthPx: width, heightPx: height, source, attribution, placeholder } = image;
  const urls = makeUrls(image, context);
  const record = {
    url: new URL(image.location).href,
    width,
    height,
    source,
    cache,
    attribution,
    imageId: image.imageId ?? null,
    aiGenerated: source === 'ai',
    ...chooseAlt(image, request),
    title: image.title ?? null,
    color: placeholder?.color ?? image.color ?? null,
    placeholder: placeholder ? { dataUri: placeholder.dataUri } : null,
    fit: image.fit ?? null,
    fallback: image.fallback ?? null,
    pick: image.pick ?? null,
    src: urls?.src ?? null,
    srcset: urls?.srcset ?? null,
    note: [note, writeImageNote(image), writeUrlNote(image, urlAccess)].filter(Boolean).join('; ') || null,
    expiresAt: computeUrlEnd(image, context),
  };
  // Plain URLs work a few times a visitor, so a caller with a key gets no markup with them.
  const hasMarkup = urls && (!urlAccess || urlAccess.credential);
  return { ...record, html: hasMarkup ? writeImageHtml({ ...record, ...urls }) : null };
}

/** Makes the URLs for visitors of a page. Returns `undefined` if no URL can show them the image. */
function makeUrls(image: ServedImage, { request, rootUrl, urlAccess }: RecordContext) {
  const credential = urlAccess?.credential;
  // AI images are served to accounts only, so their URLs need a signature.
  if (image.source === 'ai' && credential?.kind !== 'signed') return undefined;
  if (request === undefined && image.pick === undefined) return undefined;
  return writeImageUrls(rootUrl, makePickRequest(image, request), credential);
}

/** Chooses the alternative text and its language: the text of the image, or else the query. */
function chooseAlt({ alt, altLang, source, attribution }: ServedImage, request: ImageRequest | undefined) {
  if (alt !== undefined) return { alt, altLang: altLang ?? null };
  const { lang } = request && 'filters' in request ? request.filters : {};
  const sourceText = source === 'ai' ? 'AI-generated image' : `Image from ${attribution.providerName}`;
  return { alt: cutToLength(request?.query || sourceText, altCharactersMax), altLang: lang ?? null };
}

/** Explains why visitors of a page load the URLs a few times only, or never. Returns `null` without a limit. */
export function writeUrlNote(
  { source }: Pick<ServedImage, 'source'>,
  urlAccess: UrlAccess | undefined,
): string | null {
  if (!urlAccess && source === 'ai') return 'Not published: AI images are published for an API key only.';
  if (!urlAccess) return `${plainUrlsNote} With an API key, they are published.`;
  return source === 'ai' && urlAccess.credential?.kind === 'site'
    ? 'Not published: a site key shows stock images only. Publish AI images with a signer.'
    : urlAccess.note;
}

/** Computes when `url` may stop working, because its signature or its file ends. A provider's URL has no end. */
function computeUrlEnd(
  { location, locationEndsMs = Infinity }: ServedImage,
  { imageBaseUrl, nowMs }: RecordContext,
): string | null {
  if (!location.startsWith(`${imageBaseUrl}/`)) return null;
  // The file was renewed within the last day.
  return formatIsoSeconds(Math.min(locationEndsMs, nowMs + (reliedOnDays - 1) * dayMs));
}

function writeImageHtml(record: Omit<ImageRecord, 'html'> & ReturnType<typeof writeImageUrls>): string {
  const { src, srcset, alt, width, height, placeholder, color, attribution, aiGenerated } = record;
  const background = placeholder ? `url(${placeholder.dataUri}) center/cover no-repeat` : color;
  const attributes = {
    src,
    srcset,
    sizes: `(min-width: ${width}px) ${width}px, 100vw`,
    width,
    height,
    alt,
    'data-ai-generated': aiGenerated ? 'true' : null,
    loading: 'lazy',
    decoding: 'async',
    style: `max-width:100%;height:auto${background === null ? '' : `;background:${background}`}`,
  };
  const attributeTexts = Object.entries(attributes).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${escapeMarkup(String(value))}"`],
  );
  const tag = `<img ${attributeTexts.join(' ')}>`;
  return asksForCredit(attribution.license)
    ? `<figure>${tag}<figcaption>${writeCredit(attribution)}</figcaption></figure>`
    : tag;
}

function writeCredit({ creditLine, landingUrl }: Attribution): string {
  const text = escapeMarkup(creditLine);
  const href = parseWebUrl(landingUrl);
  return href === undefined ? text : `<a href="${escapeMarkup(href)}" rel="noopener">${text}</a>`;
}
