/** One live example: the script fetches its record, then shows the image with its credit line. */

import { type Html, html } from './html';

export interface LiveImage {
  readonly prefix: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly words: string;
  readonly seed?: string;
  readonly alt: string;
}

/** Placeholder until the image is loaded; without it some browsers show a broken image. */
const placeholder = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

export function liveImage({ prefix, widthPx, heightPx, words, seed, alt }: LiveImage): Html {
  const path = `/api/image/${widthPx}x${heightPx}-${words}${seed === undefined ? '' : `?seed=${seed}`}`;
  const size = `${widthPx}x${heightPx}`;
  return html`<figure class="shot">
    <code class="url">/api/image/<b>${size}</b>-<b>${words}</b>${seed === undefined ? undefined : html`?seed=<b>${seed}</b>`}</code>
    <img src="${placeholder}" data-live="${path}" width="${widthPx}" height="${heightPx}" alt="${alt}">
    <noscript><img src="${prefix}${path}" width="${widthPx}" height="${heightPx}" alt="${alt}" loading="lazy"></noscript>
    <figcaption></figcaption>
  </figure>`;
}
