/** Makes the record of an image: everything that a program needs to show it. */

import { isoSeconds } from '../../base/window';
import { altCharactersMax } from '../../contract/request-bounds';
import { shortened } from '../../images/alt-text';
import type { ServedImage } from '../../images/image';
import type { ImageRecord } from '../../images/record';
import type { ImageRequest } from '../../requests/image-request';
import { imageHtml } from './image-html';
import { requestUrl, srcsetOf, type UrlCredential } from './srcset';

export interface RecordContext {
  readonly cache: 'HIT' | 'MISS';
  /** What was asked; absent for a permalink, which has no words. */
  readonly request?: ImageRequest;
  /** What the request was published with; absent for an API key, which belongs into no page, and for none. */
  readonly credential?: UrlCredential;
  /** Root of the service as the caller sees it, without a trailing slash. */
  readonly rootUrl: string;
}

/** Stands for an image that neither its source nor a query describes. */
const undescribed = 'AI-generated image';

export function imageRecord(
  image: ServedImage,
  { cache, request, credential, rootUrl }: RecordContext,
): ImageRecord {
  const { widthPx, heightPx, source, attribution, imageId, placeholder } = image;
  const url = new URL(image.location).href;
  const alt = image.alt ?? shortened(request?.query ?? undescribed, altCharactersMax);
  const color = placeholder?.color ?? image.color;
  // An AI image is served to accounts only, so its URL without a signature would show nothing.
  const open = request?.provider === 'ai' && credential?.kind !== 'signed' ? undefined : request;
  const srcset = open && srcsetOf(rootUrl, open, credential);
  const markup = {
    src: open ? requestUrl(rootUrl, open, credential) : url,
    srcset,
    alt,
    widthPx,
    heightPx,
    placeholder: placeholder?.dataUri,
    color,
    attribution,
  };
  return {
    url,
    width: widthPx,
    height: heightPx,
    source,
    cache,
    imageId: imageId ?? null,
    attribution,
    alt,
    title: image.title ?? null,
    color: color ?? null,
    placeholder: placeholder ? { dataUri: placeholder.dataUri, thumbhash: placeholder.thumbhash } : null,
    fit: image.fit ?? null,
    fallback: image.fallback ?? null,
    pick: image.pick ?? null,
    srcset: srcset ?? null,
    html: imageHtml(markup),
    expiresAt: expiryOf(image),
  };
}

/** When the URL stops working or the same request may be answered with another image. */
function expiryOf({ locationEndsMs, keepUntilMs }: ServedImage): string | null {
  const endMs = Math.min(locationEndsMs ?? Infinity, keepUntilMs ?? Infinity);
  return endMs === Infinity ? null : isoSeconds(endMs);
}
