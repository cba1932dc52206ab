/** What callers look up: parameters, plans, errors and the duties that come with an image. */

import { bounds, type ParameterName, parameterNames, parameterTexts } from '../../../../contract/parameters';
import {
  anonymousRequestsPerHour,
  type Plans,
  planNames,
  planTexts,
  testGenerationsAtOnce,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../../contract/plans';
import { problems, remedies } from '../../../../domain/problem/problem';
import { schemaOf } from '../../openapi/parameters';
import { type Html, html, prose } from '../html';

export function parameterSection(): Html {
  const rows = parameterNames.map((name: ParameterName) => {
    const { default: value } = schemaOf(name);
    return html`<tr><th scope="row"><code>${name}</code></th><td>${prose(parameterTexts[name].purpose)}</td><td>${bounds[name]}</td><td class="n">${value === undefined || value === '' ? '–' : String(value)}</td></tr>`;
  });
  return html`<section id="parameters" aria-labelledby="parameters-title"><div class="wrap">
    <h2 id="parameters-title">Parameters</h2>
    <p>Give each at most once. What is out of bounds is refused with the bounds, never changed in silence; what is unknown
      is ignored.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table>
      <thead><tr><th scope="col">Name</th><th scope="col">What it does</th><th scope="col">Accepts</th><th scope="col">Default</th></tr></thead>
      <tbody>${rows}</tbody></table></div>
  </div></section>`;
}

export function planSection(plans: Plans): Html {
  const amount = (units: number) => (units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en'));
  const rows = planNames.map((name) => {
    const { monthlyRequests, generationsAtOnce } = plans[name];
    const { title, price, features } = planTexts[name];
    return html`<tr><th scope="row">${title}</th><td class="n">${amount(monthlyRequests)} a month</td><td class="n">${generationsAtOnce}</td><td class="n">${price}</td><td>${features}</td></tr>`;
  });
  return html`<section id="plans" aria-labelledby="plans-title"><div class="wrap">
    <h2 id="plans-title">Plans</h2>
    <p>One answered request costs one. What is not answered with an image costs nothing, and so do a variation of a
      image that exists and a public alternative. Months are UTC calendar months.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Plans"><table>
      <thead><tr><th scope="col">Plan</th><th scope="col">Requests</th><th scope="col">AI images at once</th><th scope="col">Price</th><th scope="col">With it</th></tr></thead>
      <tbody><tr><th scope="row">Anonymous</th><td class="n">${anonymousRequestsPerHour} an hour</td><td class="n">–</td><td class="n">free</td><td>no key; stock images</td></tr>${rows}
      <tr><th scope="row">Test keys</th><td class="n">${testRequestsPerHour} an hour</td><td class="n">${testGenerationsAtOnce}</td><td class="n">with any plan</td><td>for development; they never touch the quota</td></tr></tbody></table></div>
    <p class="hint">Keys are issued by whoever operates this service. Send yours as <code>X-API-Key</code> from a server, keep it out of
      pages, and change it from time to time. <code>GET /api/usage</code> tells what you have used, for free.</p>
  </div></section>`;
}

export function errorSection(): Html {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td class="n">${status}</td><td>${title}. ${remedies[code as keyof typeof remedies]}</td></tr>`,
  );
  return html`<section id="errors" aria-labelledby="errors-title"><div class="wrap">
    <h2 id="errors-title">Errors</h2>
    <p>Programs get a problem document (RFC 9457) with one of these codes. An image tag gets a card of the size it asked for,
      with the same status, so that a page never shows a broken image.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors"><table>
      <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">What it means and what helps</th></tr></thead>
      <tbody>${rows}</tbody></table></div>
  </div></section>`;
}

export function creditSection(): Html {
  return html`<section id="credit-due" aria-labelledby="credit-title"><div class="wrap">
    <h2 id="credit-title">Credit where it is due</h2>
    <p>Most stock images ask for a visible credit: the creator, the source and the licence. That is yours to print.</p>
    <div class="cards">
      <div class="card"><h3>Where it is</h3><p>The JSON record has <code>attribution.creditLine</code>, ready to print, and its parts. The same
        line stands in <code>X-Image-Attribution</code>, percent-encoded, and the licence in <code>Link</code>.</p></div>
      <div class="card"><h3>An image tag cannot see it</h3><p>Browsers follow the redirect without showing its headers to the page. Where a credit is due,
        ask with <code>format=json</code> and print the line beside the image.</p></div>
      <div class="card"><h3>AI images</h3><p>They carry a mark in their metadata that they were made by AI. They need no credit; tell your readers
        where it matters to them.</p></div>
    </div>
  </div></section>`;
}
