/** Writes the reference of the page: parameters, headers, errors with their cards, test values. */

import { computeDayWindow, computeHourWindow, computeMonthWindow } from '../../../base/window';
import { headerTexts } from '../../../contract/headers';
import { type ParameterName, parameterNames, parameters } from '../../../contract/parameters';
import { anonymousRequestsPerHour, defaultPlans } from '../../../contract/plans';
import { routes } from '../../../contract/routes';
import { testOutcomes, testValues } from '../../../contract/test-values';
import {
  type KeyIssuer,
  type ProblemCode,
  problems,
  type Refusal,
  serviceUnavailable,
  writeDetail,
} from '../../../problems/problem';
import { errorText, otherNamesText, pathText } from '../../sentences';
import { type Html, html, markUpCode, type Topic, writeHtmlTable } from '../html';

function writeParameterTable(): Html {
  const rows = parameterNames.map((name: ParameterName) => {
    const { default: value } = parameters[name].schema;
    const { purpose, bounds } = parameters[name];
    return [`\`${name}\``, purpose, bounds, value === undefined || value === '' ? '–' : String(value)];
  });
  return writeHtmlTable('Parameters', { heads: ['Name', 'Description', 'Accepts', 'Default'], rows });
}

const nowMs = Date.UTC(2026, 11, 22, 12, 40);
const perHour = { limit: anonymousRequestsPerHour, remaining: 0, window: computeHourWindow(nowMs) };
const { monthlyRequests } = defaultPlans.free;
const perMonth = { limit: monthlyRequests, remaining: 0, window: computeMonthWindow(nowMs) };
const widthFault = { parameter: 'width', bounds: parameters.width.bounds, received: '50' };
const altFault = { parameter: 'alt', bounds: 'cannot be combined with variation' };

/** Examples of refusals. Their cards name a value, such as a limit. */
const exampleRefusals: readonly Refusal[] = [
  { code: 'invalid_parameter', faults: [widthFault] },
  { code: 'conflicting_parameters', faults: [altFault] },
  { code: 'rate_limited', rateLimit: perHour },
  { code: 'quota_exceeded', rateLimit: perMonth },
  { code: 'generation_paused', endsMs: computeDayWindow(nowMs).endsMs },
  serviceUnavailable,
];

/** Lists the problem codes with status and card. The `type` of a problem document links to its row. */
function writeErrorTable(keyIssuer: KeyIssuer): Html {
  const rows = Object.entries(problems).map(([name, { status, title }]) => {
    const code = name as ProblemCode;
    const refusal = exampleRefusals.find((example) => example.code === code) ?? ({ code } as Refusal);
    const detail = writeDetail(refusal, { nowMs, ...keyIssuer });
    return [html`<code id="${code}">${code}</code> ${status}`, html`<b>${title}.</b> ${markUpCode(detail)}`];
  });
  return writeHtmlTable('Errors', { heads: ['Code and status', 'Card'], rows });
}

const shownHeaders = Object.entries({ ...headerTexts.image, ...headerTexts.rate });
const headerRows = shownHeaders.map(([name, description]) => [`\`${name}\``, description]);
const testValueRows = testValues.map((value) => [`\`test:${value}\``, testOutcomes[value]]);

/** Makes the reference. @param prefix path of the root URL, without a trailing slash */
export function makeReference(prefix: string, keyIssuer: KeyIssuer): readonly Topic[] {
  return [
    {
      id: 'parameters',
      title: 'Parameters',
      content: html`<p><a href="${prefix}${routes.openApi}">openapi.json</a> describes all routes. Each parameter may be given once. The error of a wrong value states the accepted values.
      ${markUpCode(otherNamesText)}</p>
    <p>In the path, ${markUpCode(pathText)}</p>
    ${writeParameterTable()}`,
    },
    {
      id: 'response',
      title: 'Response',
      content: html`<p>The response is 302 with <code>Location</code> and a small JSON body. With <code>format=json</code>, it is 200 with the record. The
      redirect has these headers:</p>
    ${writeHtmlTable('Headers', { heads: ['Header', 'Meaning'], rows: headerRows })}`,
    },
    {
      id: 'errors',
      title: 'Errors',
      content: html`<p>${errorText}</p>
    ${writeErrorTable(keyIssuer)}`,
    },
    {
      id: 'test-values',
      title: 'Test values',
      content: html`<p>With a test key or in the sandbox, these values of <code>query</code> give each outcome free of charge. With a live key, they
      are plain words in every slot but the sandbox.</p>
    ${writeHtmlTable('Test values', { heads: ['Query', 'Answer'], rows: testValueRows })}`,
    },
  ];
}
