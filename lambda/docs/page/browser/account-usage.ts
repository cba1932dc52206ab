/** The usage of the account page: charged requests by day, key, source and month, and refused ones by code. */

import type { UsageBreakdown, UsageDocument } from '../../../quota/usage/usage-schema';
import { amount, type Cell, coloursMax, type Series, shareFigure, timeFigure } from './account-chart';
import { create } from './elements';

const monthName = (month: string, style: 'short' | 'long') =>
  new Date(`${month}-01`).toLocaleString('en-GB', { month: style, year: 'numeric', timeZone: 'UTC' });
const dayName = (date: string) =>
  new Date(date).toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });

type Day = UsageBreakdown['byDay'][number];
type Key = NonNullable<UsageBreakdown['byKey']>[number];

/** What a key used of the month, and on which day. */
interface Spender {
  readonly name: string;
  readonly requests: number;
  readonly byDay: ReadonlyMap<string, number>;
  /** Absent where it was not among the busiest of any day. */
  readonly busiest?: {
    readonly date: string;
    readonly requests: number;
    /** The median of its other days on which the account had requests. */
    readonly usual: number;
  };
}

/** Charts and tables of what was charged, whose sums are `used`; what was free is told apart. By day only for plans that have it. */
export function usageSections({ breakdown, history, mode }: UsageDocument): readonly HTMLElement[] {
  if (!breakdown)
    return [
      section(
        'Usage',
        create(
          'p',
          {},
          mode === 'live'
            ? 'Plans pro and up show their usage by day and source, plans business and enterprise by key too.'
            : 'Requests of test keys are counted in their hour alone.',
        ),
      ),
    ];
  const { month, byDay, bySource, refused, requests, free } = breakdown;
  const file = (name: string) => `${name}-${month}`;
  const days = daysOf(month);
  const labels = {
    unit: 'Day',
    labels: days.map((date) => String(Number(date.slice(-2)))),
    names: days.map(dayName),
  };
  const byDate = new Map(byDay.map((day) => [day.date, day]));
  const seriesOf = (name: string, value: (day: Day) => number | undefined): Series => ({
    name,
    values: days.map((date) => {
      const day = byDate.get(date);
      return (day && value(day)) ?? 0;
    }),
  });
  const sources = bySize(bySource);
  const busiest = maxOf(byDay, (day) => day.requests);
  const figures = [
    timeFigure({
      ...labels,
      title: 'Requests by day and source',
      about: busiest?.requests
        ? `Most on ${dayName(busiest.date)}: ${amount(busiest.requests)}.`
        : 'None yet this month.',
      series: sources.map(([source]) =>
        seriesOf(source, (day) => day.bySource[source as keyof typeof bySource]),
      ),
      file: file('requests-by-source'),
    }),
  ];
  const shares = [
    shareFigure({
      title: 'By source',
      unit: 'Source',
      parts: sources,
      none: 'No requests yet.',
      file: file('sources'),
    }),
  ];
  if (breakdown.byKey) {
    const spenders = spendersOf(breakdown.byKey, byDay);
    figures.unshift(keyFigure(spenders, seriesOf, { ...labels, file: file('requests-by-key') }));
    shares.push(
      shareFigure({
        title: 'By key',
        unit: 'Key',
        parts: spenders.map((each) => [each.name, each.requests] as const),
        none: 'No requests yet.',
        file: file('keys'),
      }),
    );
  }
  shares.push(
    shareFigure({
      title: 'Refused requests',
      unit: 'Code',
      parts: bySize(refused),
      none: 'None was refused.',
      file: file('refused'),
    }),
  );
  const months = history?.some((each) => each.requests > 0)
    ? history.filter((each, i) => each.requests > 0 || i >= history.length - 5)
    : [];
  const charged = `${amount(requests)} charged ${requests === 1 ? 'request' : 'requests'}.`;
  return [
    section(
      monthName(month, 'long'),
      create(
        'p',
        { class: 'hint' },
        free === 0 ? charged : `${charged} ${amount(free)} more were free, and are in no chart.`,
      ),
      ...figures,
      create('div', { class: 'cards' }, ...shares),
    ),
    ...(months.length > 0
      ? [
          section(
            'Months',
            timeFigure({
              title: 'Requests by month',
              about: `The last ${months.length} months.`,
              unit: 'Month',
              labels: months.map((each) => monthName(each.month, 'short').slice(0, 3)),
              names: months.map((each) => monthName(each.month, 'long')),
              series: [{ name: 'Requests', values: months.map((each) => each.requests) }],
              file: 'requests-by-month',
            }),
          ),
        ]
      : []),
  ];
}

/** The largest number first. */
const bySize = (numbers: Readonly<Record<string, number>>) =>
  Object.entries(numbers).sort(([, a], [, b]) => b - a);

/** What each of the keys used of each day. */
function keyFigure(
  spenders: readonly Spender[],
  seriesOf: (name: string, value: (day: Day) => number | undefined) => Series,
  labels: Pick<Parameters<typeof timeFigure>[0], 'unit' | 'labels' | 'names' | 'file'>,
): HTMLElement {
  const [unusual] = spenders;
  const spending = spenders.filter(({ busiest }) => busiest);
  const own = spending.slice(0, spending.length > coloursMax ? coloursMax - 1 : coloursMax);
  const series = own.map(({ name, byDay: onDay }) => seriesOf(name, ({ date }) => onDay.get(date)));
  const inColour = (day: Day) => own.reduce((sum, { byDay: onDay }) => sum + (onDay.get(day.date) ?? 0), 0);
  const others = seriesOf(
    spending.length > own.length ? `${spending.length - own.length} others` : 'Others',
    (day) => day.requests - inColour(day),
  );
  if (others.values.some((requests) => requests > 0)) series.push(others);
  return timeFigure({
    ...labels,
    title: 'Requests by day and key',
    about: unusual?.busiest
      ? `Furthest above a usual day: ${unusual.name} on ${dayName(unusual.busiest.date)} with ${amount(unusual.busiest.requests)}, usually ${amount(unusual.busiest.usual)}.`
      : 'None yet this month.',
    series,
  });
}

/** A part of the page under a heading, which names it for screen readers too. */
function section(title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return create('section', { 'aria-label': title }, create('h2', {}, title), ...children);
}

/**
 * The keys of the month, each under a name of its own: first the one whose busiest day is furthest above its usual ones, so
 * that it is seen also where it spends little, then those that used most.
 */
function spendersOf(byKey: readonly Key[], days: readonly Day[]): readonly Spender[] {
  const names = namesOf(byKey);
  const spenders = byKey
    .map(({ keyId: id, requests }): Spender => {
      const byDay = new Map(
        days.flatMap((day) => {
          const onDay = day.byKey?.find(({ keyId }) => keyId === id);
          return onDay ? [[day.date, onDay.requests] as const] : [];
        }),
      );
      const busiest = busiestOf(byDay, days);
      return { name: names.get(id) ?? id, requests, byDay, ...(busiest && { busiest }) };
    })
    .sort((a, b) => b.requests - a.requests);
  const unusual = maxOf(spenders, ({ busiest }) => (busiest ? busiest.requests - busiest.usual : -1));
  return [...(unusual ? [unusual] : []), ...spenders.filter((each) => each !== unusual)];
}

/** What keys are called by their ids: with the id where two have the same name, or one has none. */
function namesOf(byKey: readonly Key[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const { name = '' } of byKey) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    byKey.map(({ keyId, name = '' }) => {
      const isOwn = name !== '' && count.get(name) === 1;
      return [keyId, isOwn ? name : [name, keyId].filter(Boolean).join(' ')] as const;
    }),
  );
}

function busiestOf(spent: Spender['byDay'], days: readonly Day[]): Spender['busiest'] {
  const [most, ...others] = days
    .map(({ date }) => ({ date, requests: spent.get(date) ?? 0 }))
    .sort((a, b) => b.requests - a.requests);
  const usual = others[Math.floor(others.length / 2)]?.requests ?? 0;
  return most && most.requests > 0 ? { ...most, usual } : undefined;
}

/** All of the month as one table: a row for each day and source, key or code, and for what was free. */
export function usageRows({ window, used, limit, breakdown }: UsageDocument): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [['date', 'dimension', 'id', 'name', 'requests']];
  rows.push(
    [window.start.slice(0, 10), 'used', '', '', used],
    [window.start.slice(0, 10), 'limit', '', '', limit],
  );
  for (const { date, bySource, byKey = [], refused, free } of breakdown?.byDay ?? []) {
    for (const [source, requests] of Object.entries(bySource))
      rows.push([date, 'source', source, '', requests]);
    for (const { keyId, name = '', requests } of byKey) rows.push([date, 'key', keyId, name, requests]);
    rows.push([date, 'free', '', '', free]);
    for (const [code, requests] of Object.entries(refused)) rows.push([date, 'refused', code, '', requests]);
  }
  return rows;
}

/** All days of a month (`yyyy-mm`), as `yyyy-mm-dd`. */
function daysOf(month: string): readonly string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
}

function maxOf<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (most, item) => (most === undefined || value(item) > value(most) ? item : most),
    undefined,
  );
}
