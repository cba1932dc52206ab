/** Writes the part of the page about plans and keys. */

import { capitalise } from '../../../base/text';
import {
  anonymousRequestsPerHour,
  generationBounds,
  type Plans,
  planNames,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../contract/plans';
import { makeSiteLink, type Site } from '../../../contract/settings';
import { keyHeadersText, ownerText } from '../../sentences';
import { type Html, html, markUpCode, writeHtmlTable, writeSection } from '../html';

const formatPerMonth = (units: number) =>
  units === unlimitedRequests ? 'unlimited' : `${units.toLocaleString('en')} per month`;

/** Writes the table of plans. It has prices and features only if the operator has set some. */
function writePlanTable(plans: Plans): Html {
  const planRows = planNames.map((name) => {
    const { monthlyRequests, generationsPerMonth, texts } = plans[name];
    const title = texts?.title ?? capitalise(name);
    const amounts = [formatPerMonth(monthlyRequests), formatPerMonth(generationsPerMonth)];
    return [title, ...amounts, texts?.price ?? '–', texts?.features ?? '–'];
  });
  const hasTexts = planNames.some((name) => plans[name].texts?.price ?? plans[name].texts?.features);
  const heads = ['Plan', 'Requests', 'AI images', ...(hasTexts ? ['Price', 'Includes'] : [])];
  const testAmounts = [`${testRequestsPerHour} per hour`, `${generationBounds.testPerMonth} per month`];
  const rows = [
    ['Anonymous', `${anonymousRequestsPerHour} per hour`, '–', 'free', 'stock images, no key'],
    ...planRows,
    ['Test keys', ...testAmounts, 'with any plan', 'for development, outside the quota'],
  ];
  return writeHtmlTable('Plans', { heads, rows: rows.map((cells) => cells.slice(0, heads.length)) });
}

/** Writes the sections on plans and on keys. They name the contact of the operator if one is set. */
export function writePlanSections(plans: Plans, { contact }: Site): Html {
  const issuer =
    contact === undefined
      ? 'by the operator of this service'
      : html`by the operator: <a href="${makeSiteLink(contact)}">${contact}</a>`;
  return html`${writeSection(
    'limits',
    'Plans and limits',
    html`<p>Each request that returns an image counts as one. <a href="#ai-costs">Some requests for AI images</a> are free. An AI image counts
      when it is made. When the AI images of the month are used up, existing images and stock images are served as before. Months are in UTC.</p>
    ${writePlanTable(plans)}`,
  )}
${writeSection(
  'keys',
  'Keys',
  html`<p>The first key of an account is issued ${issuer}. ${markUpCode(ownerText)}</p>
    <p>${markUpCode(keyHeadersText)}</p>
    <p><code>GET /api/usage</code> returns your usage, and is free. The account page shows it.</p>`,
)}`;
}
