/** The top of the page: what the service does, with examples. */

import { drawnCredit, type Example, type ExampleName, examples } from '../../../contract/examples';
import { type Html, html } from '../html';

/** What the service is, with an example. @param examplesUrl folder of the pictures, without a trailing slash */
export function introduction(examplesUrl: string): Html {
  return html`<header>
    <div class="wrap">
      <div>
        <h1>An image for any words</h1>
        <p class="lead">Put words and a size into the URL of an image tag. The service finds a matching stock
          image or generates one with AI, and redirects to it: cropped to the exact size, with its credit line.</p>
        <p class="actions"><a class="button" href="#try-it">Try it</a> <a class="button quiet" href="#reference">API reference</a></p>
      </div>
      ${exampleImage(examplesUrl, 'mountain-lake')}
    </div>
  </header>`;
}

/** The way of a request in a few steps. @param examplesUrl as of `introduction` */
export function howItWorks(examplesUrl: string): Html {
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
        ${exampleImage(examplesUrl, 'city-at-night')}
        ${exampleImage(examplesUrl, 'city-at-night-2')}
      </div>
      <p class="hint">The pictures on this page are drawings of the service. What your URLs show comes from the sources of this
        installation: <a href="#try-it">try them</a>.</p>
    </div>
  </section>`;
}

/** One example: the URL, and a picture that stands for what it shows. */
function exampleImage(examplesUrl: string, name: ExampleName): Html {
  const { words, seed, widthPx, heightPx, alt }: Example = examples[name];
  const size = `${widthPx}x${heightPx}`;
  const path = words.replaceAll(' ', '-');
  return html`<figure class="shot">
    <code class="url">/api/image/<b>${size}</b>-<b>${path}</b>${seed === undefined ? undefined : html`?seed=<b>${seed}</b>`}</code>
    <img src="${examplesUrl}/${name}.webp" width="${widthPx}" height="${heightPx}" alt="${alt}" loading="lazy" decoding="async">
    <figcaption>${drawnCredit}</figcaption>
  </figure>`;
}
