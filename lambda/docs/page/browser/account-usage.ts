/** The usage of the account page: by day, source, credential, code of refusal and month. */

import type { AccountDocument, UsageBreakdown, UsageDocument } from '../../../quota/usage/usage-schema';
import {
  amount,
  type Cell,
  coloursMax,
  type Series,
  shareFigure,
  tableOf,
  timeFigure,
} from './account-chart';
import { create } from './elements';

const kinds = { key: 'API key', signer: 'Signer', site: 'Site key' } as const;
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

/** What is known of a credential, and what it used on which day. */
interface Spender {
  readonly id: string;
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly requests: number;
  readonly free: number;
  readonly byDay: ReadonlyMap<string, number>;
  /** Absent where it was not among the busiest of any day. */
  readonly busiest?: {
    readonly date: string;
    readonly requests: number;
    /** The median of its other days on which the account had requests. */
    readonly usual: number;
  };
}

/** Charts and tables of the usage by day, source and credential; by day only for plans that have it. */
export function usageSections(usage: UsageDocument, account: AccountDocument): readonly HTMLElement[] {
  const { breakdown, history } = usage;
  const spenders = spendersOf(usage, account);
  if (!breakdown)
    return [
      section(
        'Usage',
        create(
          'p',
          {},
          usage.mode === 'live'
            ? 'Plans pro and up show their usage by day and source, plans business and enterprise by credential too.'
            : 'Requests of test keys are counted in their hour alone.',
        ),
      ),
      credentials(spenders, account, false),
    ];
  const { month, byDay, bySource, refused } = breakdown;
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
  const bySize = Object.entries(bySource).sort(([, a], [, b]) => b - a);
  const sources = bySize.map(([source]) => source as keyof typeof bySource);
  const busiest = maxOf(byDay, ({ requests }) => requests);
  const shown = monthName(month, 'long');
  const figures = [
    timeFigure({
      ...labels,
      title: 'Requests by day and source',
      about: busiest
        ? `Most on ${dayName(busiest.date)}: ${amount(busiest.requests)}.`
        : 'None yet this month.',
      series: sources.map((source) => seriesOf(source, (day) => day.bySource[source])),
      file: file('requests-by-source'),
    }),
  ];
  if (breakdown.byKey) {
    // Also one that is small on other days is seen, as the first of the chart.
    const unusual = maxOf(
      spenders.filter(({ busiest }) => busiest),
      ({ busiest }) => (busiest ? busiest.requests - busiest.usual : 0),
    );
    const spending = [
      ...(unusual ? [unusual] : []),
      ...spenders.filter((each) => each.requests > 0 && each !== unusual),
    ];
    const own = spending.slice(0, spending.length > coloursMax ? coloursMax - 1 : coloursMax);
    const others = spending.slice(own.length);
    const series = own.map(({ name, byDay: onDay }) => seriesOf(name, ({ date }) => onDay.get(date)));
    if (others.length > 0)
      series.push(
        seriesOf(`${others.length} others`, (day) =>
          others.reduce((sum, each) => sum + (each.byDay.get(day.date) ?? 0), 0),
        ),
      );
    figures.unshift(
      timeFigure({
        ...labels,
        title: 'Requests by day and credential',
        about: unusual?.busiest
          ? `Furthest above a usual day: ${unusual.name} on ${dayName(unusual.busiest.date)} with ${amount(unusual.busiest.requests)}, usually ${amount(unusual.busiest.usual)}.`
          : 'None yet this month.',
        series,
        file: file('requests-by-credential'),
      }),
    );
  }
  const ofKind = (kind: keyof typeof kinds) =>
    spenders.reduce((sum, each) => sum + (each.kind === kind ? each.requests : 0), 0);
  const shares = [
    shareFigure({
      title: 'By source',
      unit: 'Source',
      parts: Object.entries(bySource),
      none: 'No requests yet.',
      file: file('sources'),
    }),
    ...(breakdown.byKey
      ? [
          shareFigure({
            title: 'By kind of credential',
            unit: 'Kind',
            parts: (['key', 'signer', 'site'] as const).map((kind) => [kinds[kind], ofKind(kind)] as const),
            none: 'No requests yet.',
            file: file('kinds'),
          }),
        ]
      : []),
    shareFigure({
      title: 'Refused requests',
      unit: 'Code',
      parts: Object.entries(refused),
      none: 'None was refused.',
      file: file('refused'),
    }),
  ];
  const months = history?.some(({ requests }) => requests > 0)
    ? history.filter(({ requests }, i) => requests > 0 || i >= 7)
    : [];
  return [
    section(shown, ...figures, create('div', { class: 'cards' }, ...shares)),
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
              series: [
                { name: 'Charged', values: months.map(({ requests, free }) => requests - free) },
                { name: 'Free', values: months.map(({ free }) => free) },
              ],
              file: 'requests-by-month',
            }),
          ),
        ]
      : []),
    credentials(spenders, account, breakdown.byKey !== undefined),
  ];
}

/** A part of the page under a heading, which names it for screen readers too. */
function section(title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return create('section', { 'aria-label': title }, create('h2', {}, title), ...children);
}

/** @param isCounted whether the plan reports usage by credential */
function credentials(
  spenders: readonly Spender[],
  account: AccountDocument,
  isCounted: boolean,
): HTMLElement {
  const given = new Map(account.credentials.map((each) => [each.id, each]));
  const now = new Date().toISOString();
  const rows = spenders.map(({ id, name, kind, requests, free, busiest }) => {
    const { expiresAt, revokedAt, maxPerMonth } = given.get(id) ?? {};
    const isOver = revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= now);
    const ends = expiresAt && !isOver ? `until ${expiresAt.slice(0, 10)}` : 'active';
    return [
      create('span', {}, name, create('small', {}, id)),
      ...(isCounted
        ? [
            requests,
            busiest
              ? create('span', {}, amount(busiest.requests), create('small', {}, dayName(busiest.date)))
              : '–',
            free,
          ]
        : []),
      kinds[kind],
      isOver || !given.has(id) ? 'ended' : ends,
      maxPerMonth === undefined ? '–' : amount(maxPerMonth),
    ];
  });
  const head = [
    'Credential',
    ...(isCounted ? ['Requests', 'Busiest day', 'Free'] : []),
    'Kind',
    'State',
    'Monthly cap',
  ];
  return section('Credentials', tableOf('Credentials', head, rows));
}

/** The account's credentials, those that used most first. */
function spendersOf(
  { breakdown }: UsageDocument,
  { credentials: given }: AccountDocument,
): readonly Spender[] {
  const used = new Map((breakdown?.byKey ?? []).map((each) => [each.keyId, each]));
  const names = new Map(given.map(({ id, name }) => [id, name]));
  return [...new Set([...used.keys(), ...names.keys()])]
    .map((id): Spender => {
      const { name, requests = 0, free = 0 } = used.get(id) ?? {};
      const byDay = new Map(
        (breakdown?.byDay ?? []).flatMap((day) => {
          const onDay = day.byKey?.find(({ keyId }) => keyId === id);
          return onDay ? [[day.date, onDay.requests] as const] : [];
        }),
      );
      const busiest = busiestOf(byDay, breakdown?.byDay ?? []);
      const kind = /^sg_/.test(id) ? 'signer' : /^site_/.test(id) ? 'site' : 'key';
      return {
        id,
        name: names.get(id) || name || id,
        kind,
        requests,
        free,
        byDay,
        ...(busiest && { busiest }),
      };
    })
    .sort((a, b) => b.requests - a.requests);
}

function busiestOf(spent: Spender['byDay'], days: readonly Day[]): Spender['busiest'] {
  const [most, ...others] = days
    .map(({ date }) => ({ date, requests: spent.get(date) ?? 0 }))
    .sort((a, b) => b.requests - a.requests);
  const usual = others[Math.floor(others.length / 2)]?.requests ?? 0;
  return most && most.requests > 0 ? { ...most, usual } : undefined;
}

/** All of the month as one table: a row for each day and source, credential or code. */
export function usageRows(usage: UsageDocument, account: AccountDocument): readonly (readonly Cell[])[] {
  const { window, used, limit, breakdown } = usage;
  const rows: Cell[][] = [['date', 'dimension', 'id', 'name', 'requests']];
  rows.push(
    [window.start.slice(0, 10), 'used', '', '', used],
    [window.start.slice(0, 10), 'limit', '', '', limit],
  );
  const names = new Map(spendersOf(usage, account).map(({ id, name }) => [id, name]));
  for (const { date, bySource, byKey = [], refused } of breakdown?.byDay ?? []) {
    for (const [source, requests] of Object.entries(bySource))
      rows.push([date, 'source', source, '', requests]);
    for (const { keyId, requests } of byKey)
      rows.push([date, 'credential', keyId, names.get(keyId) ?? '', requests]);
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
