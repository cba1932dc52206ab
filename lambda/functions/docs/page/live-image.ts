/** One live example: the script fetches its record, shows the image and prints whose it is. */

import { type Html, html } from './html';

export interface LiveImage {
  readonly prefix: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly words: string;
  readonly seed?: string;
  readonly alt: string;
}

/** Keeps the place of an image that is on its way; without it some browsers draw a broken one. */
const nothingYet = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

export function liveImage({ prefix, widthPx, heightPx, words, seed, alt }: LiveImage): Html {
  const path = `/api/image/${widthPx}x${heightPx}-${words}${seed === undefined ? '' : `?seed=${seed}`}`;
  const size = `${widthPx}x${heightPx}`;
  return html`<figure class="shot">
    <code class="url">/api/image/<b>${size}</b>-<b>${words}</b>${seed === undefined ? undefined : html`?seed=<b>${seed}</b>`}</code>
    <img src="${nothingYet}" data-live="${path}" width="${widthPx}" height="${heightPx}" alt="${alt}">
    <noscript><img src="${prefix}${path}" width="${widthPx}" height="${heightPx}" alt="${alt}" loading="lazy"></noscript>
    <figcaption></figcaption>
  </figure>`;
}
