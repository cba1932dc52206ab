/** Reference sections: parameters, plans, AI costs, errors and credit lines. */

import { bounds, type ParameterName, parameterNames, parameterTexts } from '../../../contract/parameters';
import {
  anonymousRequestsPerHour,
  generationBounds,
  type Plans,
  planNames,
  planTexts,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../contract/plans';
import { testOutcomes, testValues } from '../../../contract/test-values';
import { type ProblemCode, problems, remedies } from '../../../problems/problem';
import { reloadScript } from '../../../problems/reload-script';
import { schemaOf } from '../../../requests/json-schema';
import { type Html, html, prose } from '../html';

/** Every parameter with its values and default, from the contract. */
export function parameterSection(): Html {
  const rows = parameterNames.map((name: ParameterName) => {
    const { default: value } = schemaOf(name);
    return html`<tr><th scope="row"><code>${name}</code></th><td>${prose(parameterTexts[name].purpose)}</td><td>${bounds[name]}</td><td class="n">${value === undefined || value === '' ? '–' : String(value)}</td></tr>`;
  });
  return html`<section id="parameters" aria-labelledby="parameters-title"><div class="wrap">
    <h2 id="parameters-title">Parameters</h2>
    <p>Each parameter may be given once. A value out of bounds is rejected with an error that states the bounds.
      <code>q</code>, <code>w</code> and <code>h</code> are other names of <code>query</code>, <code>width</code> and <code>height</code>.
      Other names are ignored, and named in <code>X-Image-Note</code>. In the path, <code>-</code>, <code>_</code>, <code>+</code> and <code>/</code> separate words, and a
      trailing <code>.jpg</code>, <code>.webp</code> or <code>.avif</code> names the format of images that the service makes itself. PNG is not made:
      <code>.png</code> gets the best lossy format that the browser accepts, and so do <code>.gif</code>, <code>.svg</code>, <code>.bmp</code> and
      <code>.tif</code>.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table>
      <thead><tr><th scope="col">Name</th><th scope="col">Description</th><th scope="col">Accepts</th><th scope="col">Default</th></tr></thead>
      <tbody>${rows}</tbody></table></div>
  </div></section>`;
}

/** Requests, AI images, price and features of each plan of this stage, and how a key is sent. */
export function planSection(plans: Plans): Html {
  const amount = (units: number) => (units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en'));
  const rows = planNames.map((name) => {
    const { monthlyRequests, generationsPerMonth } = plans[name];
    const { title, price, features } = planTexts()[name];
    return html`<tr><th scope="row">${title}</th><td class="n">${amount(monthlyRequests)} per month</td><td class="n">${amount(generationsPerMonth)} per month</td><td class="n">${price}</td><td>${features}</td></tr>`;
  });
  return html`<section id="plans" aria-labelledby="plans-title"><div class="wrap">
    <h2 id="plans-title">Plans</h2>
    <p>Each request that returns an image counts as one. Requests without an image are free, and so are variations
      of an existing image and public alternatives, as <a href="#ai-costs">listed below</a>. The AI images are those that have to be made, free variations included; once
      they are used up, those that exist and stock images are served as before. Months are UTC calendar months.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
      <thead><tr><th scope="col">Plan</th><th scope="col">Requests</th><th scope="col">AI images</th><th scope="col">Price</th><th scope="col">Includes</th></tr></thead>
      <tbody><tr><th scope="row">Anonymous</th><td class="n">${anonymousRequestsPerHour} per hour</td><td class="n">–</td><td class="n">free</td><td>stock images, no key required</td></tr>${rows}
      <tr><th scope="row">Test keys</th><td class="n">${testRequestsPerHour} per hour</td><td class="n">${generationBounds.testPerMonth} per month</td><td class="n">with any plan</td><td>for development; do not count toward the monthly quota</td></tr></tbody></table></div>
    <p class="hint">API keys are issued by the operator of this service. Send yours from a server as
      <code>Authorization: Bearer pk_…</code>, which HTTP clients drop when a redirect leaves this host. They do not drop
      <code>X-API-Key</code>: with that header, use <code>format=json</code> or do not follow the redirect. Keep
      keys <a href="#publish">out of pages</a>. <code>GET /api/usage</code> returns your usage and is free.</p>
  </div></section>`;
}

/** Every problem code with its status and what to do; refusals link here. */
export function errorSection(): Html {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td class="n">${status}</td><td>${title}. ${remedies[code as ProblemCode]}</td></tr>`,
  );
  return html`<section id="errors" aria-labelledby="errors-title"><div class="wrap">
    <h2 id="errors-title">Errors</h2>
    <p>Errors are returned as problem documents (RFC 9457) with one of these codes. An image tag receives an error card of the
      requested size with the same status, so that a page never shows a broken image.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors"><table>
      <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and resolution</th></tr></thead>
      <tbody>${rows}</tbody></table></div>
    <h3>An image that is still being made</h3>
    <p>An AI image that is not ready within the request is answered with <code>generation_in_progress</code>. Its card is an image
      too, so that no error event tells a page of it. This script reloads it; only the image that is delivered is charged.</p>
    <pre tabindex="0" aria-label="Script"><code>${`<script>\n${reloadScript}\n</script>`}</code></pre>
    <h3>Test values</h3>
    <p>With test keys, and in the sandbox, these values of <code>query</code> give each outcome on demand and free of charge. With a
      live key they are queries like any other.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Test values"><table>
      <thead><tr><th scope="col">Query</th><th scope="col">Answer</th></tr></thead>
      <tbody>${testValues.map((value) => html`<tr><th scope="row"><code>test:${value}</code></th><td>${testOutcomes[value]}</td></tr>`)}</tbody></table></div>
  </div></section>`;
}

/** Where a credit line is found, and which images ask for one. */
export function creditSection(): Html {
  return html`<section id="credit-due" aria-labelledby="credit-title"><div class="wrap">
    <h2 id="credit-title">Credit lines</h2>
    <p>Most stock images require a visible credit: the creator, the source and the licence. Displaying it is up to you.</p>
    <div class="cards">
      <div class="card"><h3>Where to find it</h3><p>The JSON record contains <code>attribution.creditLine</code>, ready to display, and its parts. The
        <code>X-Image-Attribution</code> header holds the line spelled in ASCII, and <code>Link</code> the licence.</p></div>
      <div class="card"><h3>Image tags</h3><p>Browsers follow the redirect without exposing its headers to the page. Where a credit is required,
        request the record with <code>format=json</code> and display the line next to the image.</p></div>
      <div class="card"><h3>AI images</h3><p>Their metadata marks them as generated by AI. They require no credit line; disclose their origin
        where your readers should know it.</p></div>
    </div>
  </div></section>`;
}

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

/** Which requests for AI images cost a unit, and which are free. */
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
