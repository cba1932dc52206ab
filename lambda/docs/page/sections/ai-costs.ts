/** What each kind of request for an AI image returns, and what it costs. */

import { type Html, html } from '../html';

/** Request, result and cost in requests. */
const rows: readonly (readonly [Html, string, string])[] = [
  [
    html`A new image`,
    'Words that your account has not used in this style, aspect ratio and visibility. Generating the image includes its first delivery.',
    '1',
  ],
  [html`The same image again`, 'In any size of its aspect ratio.', '1'],
  [
    html`<code>variation=n</code>, base image exists`,
    'Variation n of your image, generated on the first request for it.',
    'free',
  ],
  [
    html`<code>variation=n</code>, no base image`,
    'The base image is generated first and charged; the response is the variation.',
    '1',
  ],
  [
    html`<code>variation=n</code>, other aspect ratio`,
    'Each aspect ratio, style and visibility has a base image of its own, so the first such request generates one.',
    '1, then free',
  ],
  [
    html`<code>alt=n</code>, public images exist`,
    'The n-th public image of the same words and style, the oldest first, generated in any aspect ratio and cropped to the requested size. Your own image for the same request is left out.',
    'free',
  ],
  [html`<code>alt=n</code>, only your own exists`, 'Your own public image.', 'free'],
  [
    html`<code>alt=n</code>, fewer than n exist`,
    'Counting starts again with the first: with three images, alt=4 is the first.',
    'free',
  ],
  [
    html`<code>alt=n</code>, none exists`,
    'A new image of your own, with the visibility that you request.',
    '1',
  ],
  [
    html`<code>alt=n</code>, test key`,
    'An image of your own: test keys share none, and none is shared with them.',
    '1 of the hour',
  ],
];

export function aiCostSection(): Html {
  return html`<section id="ai-costs" aria-labelledby="ai-costs-title"><div class="wrap">
    <h2 id="ai-costs-title">What AI images cost</h2>
    <p>Free requests are answered even when the quota is used up. The aspect ratio is that of the requested size, rounded to the nearest
      of those in which images are generated. The same words give different AI images to different accounts; within an
      account they give the same one.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="What AI images cost"><table>
      <thead><tr><th scope="col">Request</th><th scope="col">Result</th><th scope="col">Requests charged</th></tr></thead>
      <tbody>${rows.map(([request, result, cost]) => html`<tr><th scope="row">${request}</th><td>${result}</td><td class="n">${cost}</td></tr>`)}</tbody></table></div>
  </div></section>`;
}
