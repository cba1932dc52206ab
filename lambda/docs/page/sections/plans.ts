/** Writes the part of the page about plans: what each allows and costs, and how one gets and sends a key. */

import {
  anonymousRequestsPerHour,
  generationBounds,
  type Plans,
  planNames,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../contract/plans';
import { type Site, siteLink } from '../../../contract/settings';
import { keyHeadersText, ownerText } from '../../sentences';
import { sectionHtml, tableHtml } from '../components';
import { type Html, html, textWithCode } from '../html';

const perMonth = (units: number) =>
  units === unlimitedRequests ? 'unlimited' : `${units.toLocaleString('en')} per month`;

const heads = ['Plan', 'Requests', 'AI images', 'Price', 'Includes'] as const;
/** Cells of a row by the heads of their columns. */
type Row = Readonly<Partial<Record<(typeof heads)[number], string>>>;

/** Writes the table of plans, with prices and features only if the operator has set some. */
function planTable(plans: Plans): Html {
  const planRows = planNames.map((name): Row => {
    const { monthlyRequests, generationsPerMonth, texts } = plans[name];
    return {
      Plan: texts?.title ?? `${name[0]?.toUpperCase()}${name.slice(1)}`,
      Requests: perMonth(monthlyRequests),
      'AI images': perMonth(generationsPerMonth),
      ...(texts?.price !== undefined && { Price: texts.price }),
      ...(texts?.features !== undefined && { Includes: texts.features }),
    };
  });
  const anonymousRow: Row = {
    Plan: 'Anonymous',
    Requests: `${anonymousRequestsPerHour} per hour`,
    Price: 'free',
    Includes: 'stock images, no key required',
  };
  const testRow: Row = {
    Plan: 'Test keys',
    Requests: `${testRequestsPerHour} per hour`,
    'AI images': `${generationBounds.testPerMonth} per month`,
    Price: 'with any plan',
    Includes: 'for development; do not count toward the monthly quota',
  };
  const shownHeads = heads.filter((head) => planRows.some((row) => row[head] !== undefined));
  const rows = [anonymousRow, ...planRows, testRow];
  return tableHtml(
    'Plans',
    shownHeads,
    rows.map((row) => shownHeads.map((head) => row[head] ?? '–')),
  );
}

/** Makes the sections on plans and on keys. @param site has the contact of the operator, if one is set */
export function planSections(plans: Plans, { contact }: Site): Html {
  const issuer =
    contact === undefined
      ? 'by the operator of this service'
      : html`by the operator: <a href="${siteLink(contact)}">${contact}</a>`;
  return html`${sectionHtml(
    'limits',
    'Plans and limits',
    html`<p>Each request that returns an image counts as one; <a href="#ai-costs">some requests for AI images</a> are free. An AI image counts
      when it is made. When those of the month are used up, existing ones and stock images are served as before. Months are in UTC.</p>
    ${planTable(plans)}`,
  )}
${sectionHtml(
  'keys',
  'Keys',
  html`<p>The first key of an account is issued ${issuer}. ${textWithCode(ownerText)}</p>
    <p>${textWithCode(keyHeadersText)}</p>
    <p><code>GET /api/usage</code> returns your usage and is free; the account page shows it.</p>`,
)}`;
}
