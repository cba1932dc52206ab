/** The part of the page about plans: what each allows and costs, and how a key is got and sent. */

import { keyHeadersText, ownerText, secrecyText } from '../../../contract/credentials';
import {
  anonymousRequestsPerHour,
  generationBounds,
  type Plans,
  planNames,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../contract/plans';
import { type Site, siteLink } from '../../../contract/site';
import { section, table } from '../components';
import { type Html, html, prose } from '../html';

const perMonth = (units: number) =>
  units === unlimitedRequests ? 'unlimited' : `${units.toLocaleString('en')} per month`;

/** The sections. @param site has the contact for a key, where the operator set one */
export function planSections(plans: Plans, { contact }: Site): Html {
  const said = planNames.map((name) => plans[name].texts ?? {});
  // Prices and features have a column only where a plan has one.
  const hasPrices = said.some(({ price }) => price !== undefined);
  const hasFeatures = said.some(({ features }) => features !== undefined);
  const rowOf = (cells: readonly [string, string, string, string, string]) =>
    cells.filter((_, column) => (column !== 3 || hasPrices) && (column !== 4 || hasFeatures));
  const rows = planNames.map((name, i) => {
    const { monthlyRequests, generationsPerMonth } = plans[name];
    const {
      title = `${name[0]?.toUpperCase()}${name.slice(1)}`,
      price = '–',
      features = '–',
    } = said[i] ?? {};
    return rowOf([title, perMonth(monthlyRequests), perMonth(generationsPerMonth), price, features]);
  });
  const issuer =
    contact === undefined
      ? 'by the operator of this service'
      : html`by the operator: <a href="${siteLink(contact)}">${contact}</a>`;
  return html`${section(
    'limits',
    'Plans and limits',
    html`<p>Each request that returns an image counts as one. Requests without an image are free, and so are variations of an existing
      image and public alternatives, as <a href="#ai-costs">listed for AI images</a>. Only AI images that are made count; once they
      are used up, those that exist and stock images are served as before. Months are UTC calendar months.</p>
    ${table('Plans', rowOf(['Plan', 'Requests', 'AI images', 'Price', 'Includes']), [
      rowOf([
        'Anonymous',
        `${anonymousRequestsPerHour} per hour`,
        '–',
        'free',
        'stock images, no key required',
      ]),
      ...rows,
      rowOf([
        'Test keys',
        `${testRequestsPerHour} per hour`,
        `${generationBounds.testPerMonth} per month`,
        'with any plan',
        'for development; do not count toward the monthly quota',
      ]),
    ])}`,
  )}
${section(
  'keys',
  'Keys',
  html`<p>The first key of an account is issued ${issuer}. ${prose(ownerText)}</p>
    <p>${prose(keyHeadersText)} ${secrecyText}</p>
    <p><code>GET /api/usage</code> returns your usage and is free; the account page shows it.</p>`,
)}`;
}
