/** The top of the page: what the service does, with a live example. */

import { anonymousRequestsPerHour } from '../../../contract/plans';
import { type Html, html } from '../html';

/** What the service is, with a live example. @param prefix path of the stage, empty or with a leading slash */
export function introduction(prefix: string): Html {
  return html`<header>
    <div class="wrap">
      <div>
        <h1>An image for any words</h1>
        <p class="lead">Put words and a size into the URL of an image tag. The service finds a matching stock
          image or generates one with AI, and redirects to it: cropped to the exact size, with its credit line.</p>
        <p class="actions"><a class="button" href="#try-it">Try it</a> <a class="button quiet" href="#reference">API reference</a></p>
      </div>
      ${liveImage({
        prefix,
        widthPx: 1200,
        heightPx: 800,
        words: 'mountain-lake',
        alt: 'A mountain lake, found by the words in the URL above it',
      })}
    </div>
  </header>`;
}

/** The way of a request in a few steps. @param prefix path of the stage, empty or with a leading slash */
export function howItWorks(prefix: string): Html {
  return html`<section id="how" aria-labelledby="how-title">
    <div class="wrap">
      <h2 id="how-title">How it works</h2>
      <p>No account to get started, no library, no upload. All you need is a URL.</p>
      <div class="cards steps">
        <div class="card"><h3>Write a URL</h3><p>Size and words are in the path. Everything else is an optional query
          parameter.</p></div>
        <div class="card"><h3>Get a redirect</h3><p>The response is a 302 redirect to an image of exactly that size. Browsers follow it; programs
          read the <code>Location</code> header.</p></div>
        <div class="card"><h3>Get the same image again</h3><p>The same URL returns the same image. Another <code>seed</code> selects
          another image, which stays the same as well.</p></div>
      </div>
      <div class="pair">
        ${liveImage({ prefix, widthPx: 800, heightPx: 500, words: 'city-at-night', alt: 'A city at night' })}
        ${liveImage({
          prefix,
          widthPx: 800,
          heightPx: 500,
          words: 'city-at-night',
          seed: '2',
          alt: 'The same words with another seed: a different city at night',
        })}
      </div>
      <p class="hint">The three live images on this page count as requests, each in the size that fills its place on your screen: without a key you have ${anonymousRequestsPerHour} per hour.
        Your browser caches them for an hour.</p>
    </div>
  </section>`;
}

interface LiveImage {
  readonly prefix: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly words: string;
  readonly seed?: string;
  readonly alt: string;
}

/** Placeholder until the image is loaded; without it some browsers show a broken image. */
const placeholder = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** One live example: the script fetches its record, then shows the image with its credit line. */
function liveImage({ prefix, widthPx, heightPx, words, seed, alt }: LiveImage): Html {
  const path = `/api/image/${widthPx}x${heightPx}-${words}${seed === undefined ? '' : `?seed=${seed}`}`;
  const size = `${widthPx}x${heightPx}`;
  return html`<figure class="shot">
    <code class="url">/api/image/<b>${size}</b>-<b>${words}</b>${seed === undefined ? undefined : html`?seed=<b>${seed}</b>`}</code>
    <img src="${placeholder}" data-live="${path}" width="${widthPx}" height="${heightPx}" alt="${alt}">
    <noscript><img src="${prefix}${path}" width="${widthPx}" height="${heightPx}" alt="${alt}" loading="lazy"></noscript>
    <figcaption></figcaption>
  </figure>`;
}
