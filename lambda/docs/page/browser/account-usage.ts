/** The usage of an account: what of its plan is used, and charged requests by day, key, source and month. */

import type { UsageBreakdown, UsageDocument } from '../../../quota/usage/usage-schema';
import { amount, barFigure, coloursMax, type Series, tableOf } from './charts';
import { create } from './elements';

/** How "unlimited" is written in a limit. */
const unlimited = 2_147_483_647;

const none = 'None yet this month.';

const inUtc = (when: string | Date, options: Intl.DateTimeFormatOptions) =>
  new Date(when).toLocaleString('en-GB', { ...options, timeZone: 'UTC' });
/** A moment in UTC: `1 Dec 2026, 00:00`. @param when as a date or ISO 8601 */
export const moment = (when: string | Date): string =>
  inUtc(when, { dateStyle: 'medium', timeStyle: 'short' });
const dayName = (date: string) => inUtc(date, { weekday: 'short', day: 'numeric', month: 'short' });
const monthName = (month: string) => inUtc(`${month}-01`, { month: 'long', year: 'numeric' });

type Day = UsageBreakdown['byDay'][number];
type Key = NonNullable<UsageBreakdown['byKey']>[number];

/** Everything that is shown of an account. */
export function accountReport(usage: UsageDocument): readonly HTMLElement[] {
  const { breakdown, history = [], mode } = usage;
  if (!breakdown) {
    const why =
      mode === 'live'
        ? 'Plans pro and up show their usage by day and source, plans business and enterprise by key too.'
        : 'Requests of test keys are counted in their hour alone.';
    return [overview(usage), section('Usage', create('p', {}, why))];
  }
  const first = history.findIndex(({ requests }) => requests > 0);
  const months = first < 0 ? [] : history.slice(first);
  return [
    overview(usage),
    section(monthName(breakdown.month), ...monthFigures(breakdown)),
    ...(months.length > 0 ? [section('Months', monthsFigure(months))] : []),
  ];
}

/** A part of the page under a heading, which names it for screen readers too. */
function section(title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return create('section', { 'aria-label': title }, create('h2', {}, title), ...children);
}

/** The name of the account, and how much of its plan and of its AI images is used. */
function overview(usage: UsageDocument): HTMLElement {
  const { account, accountName, plan, limit, used, reset, generations, mode } = usage;
  const about = [...(accountName === undefined ? [] : [account]), `Plan ${plan}`];
  const period = mode === 'live' ? 'this month' : 'this hour';
  return create(
    'section',
    { 'aria-label': 'Plan' },
    create('h2', {}, accountName ?? account),
    create('p', { class: 'hint' }, [...about, ...(mode === 'test' ? ['test key'] : [])].join(' · ')),
    create(
      'div',
      { class: 'cards' },
      usedCard('Requests', used, limit, period, reset),
      usedCard('AI images made', generations.used, generations.limit, 'this month', generations.reset),
    ),
  );
}

/** How much of a limit is used, as a number and as a bar. */
function usedCard(title: string, used: number, limit: number, period: string, reset: string): HTMLElement {
  const isLimited = limit !== unlimited;
  const of = isLimited ? `of ${amount(limit)} ${period}` : `${period}, without a limit`;
  const bar = { max: String(limit), value: String(Math.min(used, limit)), 'aria-label': `${title} used` };
  return create(
    'div',
    { class: 'card' },
    create('h3', {}, title),
    create('p', { class: 'big' }, amount(used), ' ', create('small', {}, of)),
    isLimited ? create('progress', bar) : undefined,
    create('p', { class: 'hint' }, `Starts again ${moment(reset)} UTC`),
  );
}

/** Charts whose sums are what was charged, and tables of what else there was. */
function monthFigures({
  month,
  byDay,
  byKey,
  bySource,
  refused,
  requests,
  free,
}: UsageBreakdown): readonly HTMLElement[] {
  const days = daysOf(month);
  const bars = days.map((date) => [dayName(date), String(Number(date.slice(-2)))] as const);
  const dayAt = new Map(byDay.map((day) => [day.date, day]));
  const seriesOf = (name: string, value: (day: Day) => number | undefined): Series => ({
    name,
    values: days.map((date) => {
      const day = dayAt.get(date);
      return (day && value(day)) ?? 0;
    }),
  });
  const sources = bySize(Object.entries(bySource));
  const busiest = maxOf(byDay, (day) => day.requests);
  const chart = (title: string, about: string, series: readonly Series[]) =>
    barFigure({ title, about, unit: 'Day', bars, series });
  const charged = `${amount(requests)} charged ${requests === 1 ? 'request' : 'requests'}.`;
  return [
    create(
      'p',
      { class: 'hint' },
      free === 0 ? charged : `${charged} ${amount(free)} more were free, and are in no chart.`,
    ),
    ...(byKey ? [chart('Requests by day and key', ...keySeries(byKey, byDay, seriesOf))] : []),
    chart(
      'Requests by day and source',
      busiest?.requests ? `Most on ${dayName(busiest.date)}: ${amount(busiest.requests)}.` : none,
      sources.map(([source]) => seriesOf(source, ({ bySource: of }) => of[source as keyof typeof of])),
    ),
    create(
      'div',
      { class: 'cards' },
      ...(byKey
        ? [
            sharesCard(
              'Keys',
              'Key',
              byKey.map((key) => [nameOf(key, byKey), key.requests]),
            ),
          ]
        : []),
      sharesCard('Sources', 'Source', sources),
      sharesCard('Refused requests', 'Code', bySize(Object.entries(refused))),
    ),
  ];
}

/** What each key used of each day; first, and named, the one whose busiest day is furthest above its usual ones. */
function keySeries(
  byKey: readonly Key[],
  byDay: readonly Day[],
  seriesOf: (name: string, value: (day: Day) => number | undefined) => Series,
): [about: string, series: readonly Series[]] {
  const bySpending = [...byKey].sort((a, b) => b.requests - a.requests);
  const all = bySpending.map((key) => {
    const onDay = ({ byKey: keys = [] }: Day) => keys.find(({ keyId }) => keyId === key.keyId)?.requests ?? 0;
    const [peak, ...others] = [...byDay].sort((a, b) => onDay(b) - onDay(a));
    const median = others[Math.floor(others.length / 2)];
    const most = peak ? onDay(peak) : 0;
    return {
      name: nameOf(key, byKey),
      onDay,
      date: peak?.date ?? '',
      most,
      usual: median ? onDay(median) : 0,
    };
  });
  const spenders = all.filter(({ most }) => most > 0);
  const unusual = maxOf(spenders, ({ most, usual }) => most - usual);
  const ordered = [...(unusual ? [unusual] : []), ...spenders.filter((each) => each !== unusual)];
  const own = ordered.slice(0, ordered.length > coloursMax ? coloursMax - 1 : coloursMax);
  const others = seriesOf(
    'Others',
    (day) => day.requests - own.reduce((all, { onDay }) => all + onDay(day), 0),
  );
  const series = own.map(({ name, onDay }) => seriesOf(name, onDay));
  return [
    unusual
      ? `Furthest above a usual day: ${unusual.name} on ${dayName(unusual.date)} with ${amount(unusual.most)}, usually ${amount(unusual.usual)}.`
      : none,
    others.values.some((value) => value > 0) ? [...series, others] : series,
  ];
}

/** The name of a key; with its id where two have the same, and the id alone where it has none. */
function nameOf({ keyId, name = '' }: Key, all: readonly Key[]): string {
  if (name === '') return keyId;
  return all.filter((each) => each.name === name).length > 1 ? `${name} (${keyId})` : name;
}

/** The parts of a whole as a table, the largest first. */
function sharesCard(title: string, unit: string, parts: readonly (readonly [string, number])[]): HTMLElement {
  const shown = bySize(parts).filter(([, requests]) => requests > 0);
  const all = shown.reduce((total, [, requests]) => total + requests, 0);
  const rows = shown.map(([name, requests]) => [name, requests, `${Math.round((100 * requests) / all)} %`]);
  const table =
    rows.length > 0 ? tableOf(title, [unit, 'Requests', 'Share'], rows) : create('p', {}, 'None.');
  return create('div', { class: 'card' }, create('h3', {}, title), table);
}

function monthsFigure(months: NonNullable<UsageDocument['history']>): HTMLElement {
  return barFigure({
    title: 'Requests by month',
    about: 'Charged requests, the running month included.',
    unit: 'Month',
    bars: months.map(({ month }) => [monthName(month), monthName(month).slice(0, 3)]),
    series: [{ name: 'Requests', values: months.map(({ requests }) => requests) }],
  });
}

const bySize = (parts: readonly (readonly [string, number])[]) => [...parts].sort(([, a], [, b]) => b - a);

function maxOf<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  return [...items].sort((a, b) => value(b) - value(a))[0];
}

/** All days of a month (`yyyy-mm`), as `yyyy-mm-dd`. */
function daysOf(month: string): readonly string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
}
