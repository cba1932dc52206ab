/** Makes the report of an account: the used part of its plan, and requests by day, key, source and month. */

import { listDaysOfMonth } from '../../../base/window';
import { unlimitedRequests, writeReportedPlans } from '../../../contract/plans';
import type { UsageBreakdown, UsageDocument } from '../../../quota/usage/usage-schema';
import { chooseSeries, createBarFigure, type Series } from './charts';
import { createElement, createTable, writeNumber } from './elements';

const formatInUtc = (when: string | Date, options: Intl.DateTimeFormatOptions) =>
  new Date(when).toLocaleString('en-GB', { ...options, timeZone: 'UTC' });
/** Writes a moment in UTC, such as `1 Dec 2026, 00:00`. @param when a date, or a text in ISO 8601 */
export const formatUtc = (when: string | Date): string =>
  formatInUtc(when, { dateStyle: 'medium', timeStyle: 'short' });
const formatDay = (date: string) => formatInUtc(date, { weekday: 'short', day: 'numeric', month: 'short' });
const formatMonth = (month: string) => formatInUtc(`${month}-01`, { month: 'long', year: 'numeric' });

type Key = NonNullable<UsageBreakdown['byKey']>[number];
type Part = readonly [name: string, requests: number];

/** Makes the sections of the report. */
export function createReport(usage: UsageDocument): readonly HTMLElement[] {
  const { breakdown, history = [], mode } = usage;
  if (!breakdown) {
    const reason =
      mode === 'live'
        ? `The plans ${writeReportedPlans('by-day')} show usage by day and source, ${writeReportedPlans('by-key')} by key too.`
        : 'Requests of test keys are counted by the hour only.';
    return [createOverview(usage), createSection('Usage', createElement('p', {}, reason))];
  }
  const months = history.slice(history.findIndex(({ requests }) => requests > 0));
  const byMonth = {
    title: 'Requests by month',
    unit: 'Month',
    bars: months.map(({ month }) => [formatMonth(month), formatMonth(month).slice(0, 3)] as const),
    series: [{ name: 'Requests', values: months.map(({ requests }) => requests) }],
  };
  return [
    createOverview(usage),
    createSection(formatMonth(breakdown.month), ...createMonthFigures(breakdown)),
    ...(history.length > 0 ? [createSection('Months', createBarFigure(byMonth))] : []),
  ];
}

function createSection(title: string, ...children: readonly (HTMLElement | undefined)[]): HTMLElement {
  return createElement('section', { 'aria-label': title }, createElement('h2', {}, title), ...children);
}

function createOverview(usage: UsageDocument): HTMLElement {
  const { account, accountName, plan, limit, used, reset, generations, mode } = usage;
  const id = accountName === undefined ? '' : `${account} · `;
  const period = mode === 'live' ? 'this month' : 'this hour';
  const planText = `${id}Plan ${plan}${mode === 'test' ? ' · test key' : ''}`;
  const requestsCard = createUsedCard('Requests', period, { used, limit, reset });
  const imagesCard = createUsedCard('AI images made', 'this month', generations);
  return createSection(
    accountName ?? account,
    createElement('p', { class: 'hint' }, planText),
    createElement('div', { class: 'cards' }, requestsCard, imagesCard),
  );
}

function createUsedCard(
  title: string,
  period: string,
  { used, limit, reset }: Pick<UsageDocument, 'used' | 'limit' | 'reset'>,
): HTMLElement {
  const isLimited = limit !== unlimitedRequests;
  const limitText = isLimited ? `of ${writeNumber(limit)} ${period}` : `${period}, without a limit`;
  const bar = { max: String(limit), value: String(Math.min(used, limit)), 'aria-label': `${title} used` };
  return createElement(
    'div',
    { class: 'card' },
    createElement('h3', {}, title),
    createElement('p', { class: 'big' }, writeNumber(used), ' ', createElement('small', {}, limitText)),
    isLimited ? createElement('progress', bar) : undefined,
    createElement('p', { class: 'hint' }, `Starts again ${formatUtc(reset)} UTC`),
  );
}

/** Makes the figures of a month: charts of charged requests, and tables of keys, sources and refusals. */
function createMonthFigures(breakdown: UsageBreakdown): readonly (HTMLElement | undefined)[] {
  const { month, byDay, byKey = [], bySource, refused, requests, free } = breakdown;
  const dates = listDaysOfMonth(month);
  const days = dates.map((date) => byDay.find((day) => day.date === date));
  const totals = days.map((day) => day?.requests ?? 0);
  const keySeries = byKey.map((key) => ({
    name: writeKeyName(key, byKey),
    values: days.map((day) => day?.byKey?.find(({ keyId }) => keyId === key.keyId)?.requests ?? 0),
  }));
  const sourceSeries = sortBySize(Object.entries(bySource)).map(([source]) => ({
    name: source,
    values: days.map((day) => day?.bySource[source as keyof typeof bySource] ?? 0),
  }));
  const bars = dates.map((date) => [formatDay(date), String(Number(date.slice(-2)))] as const);
  const drawChart = (title: string, series: readonly Series[]) =>
    createBarFigure({ title, unit: 'Day', bars, series });
  const chargedText = `${writeNumber(requests)} charged ${requests === 1 ? 'request' : 'requests'}.`;
  const freeText = free === 0 ? '' : ` ${writeNumber(free)} more were free, and are in no chart.`;
  const keyShares = byKey.map((key) => [writeKeyName(key, byKey), key.requests] as const);
  const hasKeys = byKey.length > 0;
  return [
    createElement('p', { class: 'hint' }, chargedText + freeText),
    hasKeys ? drawChart('Requests by day and key', chooseSeries(keySeries, totals)) : undefined,
    drawChart('Requests by day and source', sourceSeries),
    createElement(
      'div',
      { class: 'cards' },
      hasKeys ? createSharesCard('Keys', 'Key', keyShares) : undefined,
      createSharesCard('Sources', 'Source', Object.entries(bySource)),
      createSharesCard('Refused requests', 'Code', Object.entries(refused)),
    ),
  ];
}

/** Writes the name of a key. The id is added if another key has the same name, and stands in for no name. */
function writeKeyName({ keyId, name = '' }: Key, keys: readonly Key[]): string {
  if (name === '') return keyId;
  return keys.filter((key) => key.name === name).length > 1 ? `${name} (${keyId})` : name;
}

/** Makes a table of the parts of a whole, the largest part first. */
function createSharesCard(title: string, unit: string, parts: readonly Part[]): HTMLElement {
  const usedParts = sortBySize(parts).filter(([, requests]) => requests > 0);
  const total = usedParts.reduce((sum, [, requests]) => sum + requests, 0);
  const rows = usedParts.map(([name, count]) => [name, count, `${Math.round((100 * count) / total)} %`]);
  const table = createTable(title, [unit, 'Requests', 'Share'], rows);
  const content = rows.length === 0 ? createElement('p', {}, 'None.') : table;
  return createElement('div', { class: 'card' }, createElement('h3', {}, title), content);
}

const sortBySize = (parts: readonly Part[]) => [...parts].sort(([, a], [, b]) => b - a);
