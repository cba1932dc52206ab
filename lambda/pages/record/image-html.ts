/** The markup of an image for a page, in which every text is escaped. */

import { parseUrl } from '../../base/parse-url';
import { asksForCredit } from '../../images/credit';
import type { Attribution } from '../../images/record';
import type { Size } from '../../requests/rendition';

export interface ImageMarkup extends Size {
  readonly src: string;
  readonly srcset: string | undefined;
  readonly alt: string;
  /** Data URL shown until the image is loaded. */
  readonly placeholder: string | undefined;
  /** Shown where there is no placeholder, `#rrggbb`. */
  readonly color: string | undefined;
  readonly attribution: Attribution;
}

/** An `<img>`; in a `<figure>` with the credit line where the licence asks for it. */
export function imageHtml(image: ImageMarkup): string {
  const { src, srcset, alt, widthPx, heightPx, placeholder, color, attribution } = image;
  const background =
    placeholder === undefined
      ? color && `background:${color}`
      : `background:url(${placeholder}) center/cover no-repeat`;
  const attributes = {
    src,
    srcset,
    sizes: srcset && `(min-width: ${widthPx}px) ${widthPx}px, 100vw`,
    width: widthPx,
    height: heightPx,
    alt,
    loading: 'lazy',
    decoding: 'async',
    style: ['max-width:100%', 'height:auto', background].filter(Boolean).join(';'),
  };
  const tag = `<img ${Object.entries(attributes).flatMap(attributeOf).join(' ')}>`;
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

function attributeOf([name, value]: readonly [string, string | number | undefined]): readonly string[] {
  return value === undefined ? [] : [`${name}="${escapeHtml(String(value))}"`];
}

function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"'`\p{Cc}]/gu, (character) => {
    const code = character.charCodeAt(0);
    // Control characters have no place in a document, escaped or not.
    return code < 32 || code > 126 ? ' ' : `&#${code};`;
  });
}
