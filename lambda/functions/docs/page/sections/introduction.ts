/** The top of the page: what the service does, with an image to prove it. */

import { anonymousRequestsPerHour } from '../../../../contract/plans';
import { type Html, html } from '../html';
import { liveImage } from '../live-image';

export function introduction(prefix: string): Html {
  return html`<header>
    <div class="wrap">
      <div>
        <h1>An image for any words</h1>
        <p class="lead">Put the words and the size into the address of an image tag. The service finds a
          fitting image, or has one drawn, and redirects to it: cropped to the pixel, with its credit.</p>
        <p class="actions"><a class="button" href="#try-it">Try it</a> <a class="button quiet" href="#reference">API reference</a></p>
      </div>
      ${liveImage({
        prefix,
        widthPx: 1200,
        heightPx: 800,
        words: 'mountain-lake',
        alt: 'A mountain lake, found by the words in the address above it',
      })}
    </div>
  </header>`;
}

export function howItWorks(prefix: string): Html {
  return html`<section id="how" aria-labelledby="how-title">
    <div class="wrap">
      <h2 id="how-title">How it works</h2>
      <p>No account for a first try, no library, no upload: an address is all there is.</p>
      <div class="cards steps">
        <div class="card"><h3>Write an address</h3><p>Size and words are in the path; everything else is an option after
          the question mark.</p></div>
        <div class="card"><h3>Get a redirect</h3><p>The answer is a 302 to an image of exactly that size. Browsers follow it; programs
          read <code>Location</code>.</p></div>
        <div class="card"><h3>Get the same again</h3><p>The same address shows the same image. A <code>seed</code> picks another
          one, just as steadily.</p></div>
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
      <p class="hint">The three live images on this page count as requests of yours: without a key you have ${anonymousRequestsPerHour} an hour.
        Your browser keeps them for an hour.</p>
    </div>
  </section>`;
}
