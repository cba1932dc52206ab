/** Charts of numbers over time, each with a table of the same numbers, and tables. */

import { create } from './elements';

/** A cell of a table: texts, and numbers, which stand to the right. */
export type Cell = string | number;

/** One colour of the bars. */
export interface Series {
  readonly name: string;
  /** One for each bar. */
  readonly values: readonly number[];
}

/** A number with its thousands apart: `12,345`. */
export const amount = (value: number): string => value.toLocaleString('en');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** So many series have a colour of their own in the style sheet. */
export const coloursMax = 5;

/** A table whose first column names its rows. */
export function tableOf(
  label: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  const cellOf = (cell: Cell) => create('td', {}, typeof cell === 'number' ? amount(cell) : cell);
  const body = rows.map(([name = '', ...cells]) =>
    create('tr', {}, create('th', { scope: 'row' }, String(name)), ...cells.map(cellOf)),
  );
  const heads = head.map((text) => create('th', { scope: 'col' }, text));
  return create(
    'table',
    { class: 'numbers', 'aria-label': label },
    create('thead', {}, create('tr', {}, ...heads)),
    create('tbody', {}, ...body),
  );
}

interface BarChart {
  readonly title: string;
  /** What the chart says, in a sentence. */
  readonly about: string;
  /** What a bar is, such as `Day`. */
  readonly unit: string;
  /** What each bar is called: in full, and under it. */
  readonly bars: readonly (readonly [name: string, label: string])[];
  readonly series: readonly Series[];
}

/** Stacked bars with a legend and their table. Pointers read a bar by its title, everybody else the table. */
export function barFigure({ title, about, unit, bars, series }: BarChart): HTMLElement {
  const caption = create('figcaption', {}, create('h3', {}, title), create('p', {}, about));
  if (series.every(({ values }) => sum(values) === 0)) return create('figure', { class: 'card' }, caption);
  const totals = bars.map((_, i) => sum(series.map(({ values }) => values[i] ?? 0)));
  const top = roundedUp(Math.max(...totals));
  const columns = bars.map(([name, label], i) => {
    const parts = series.map(({ values }, s) => {
      const part = create('i', { class: `s${s}` });
      part.style.height = `${(100 * (values[i] ?? 0)) / top}%`;
      return part;
    });
    return create(
      'div',
      { title: `${name}: ${amount(totals[i] ?? 0)}` },
      create('span', {}, ...parts.reverse()),
      create('small', {}, label),
    );
  });
  const isOne = series.length === 1;
  const head = [unit, ...(isOne ? [] : ['All']), ...series.map(({ name }) => name)];
  const rows = bars.map(([name], i) => [
    name,
    ...(isOne ? [] : [totals[i] ?? 0]),
    ...series.map(({ values }) => values[i] ?? 0),
  ]);
  const legend = series.map(({ name, values }, s) =>
    create('li', {}, create('i', { class: `s${s}` }), name, ' ', create('b', {}, amount(sum(values)))),
  );
  return create(
    'figure',
    { class: 'card' },
    caption,
    create(
      'div',
      { class: 'plot', role: 'img', 'aria-label': `${title}. ${about}` },
      create('b', {}, short.format(top)),
      create('b', {}, short.format(top / 2)),
      ...columns,
    ),
    isOne ? undefined : create('ul', { class: 'plain legend' }, ...legend),
    create('details', {}, create('summary', {}, 'Table'), tableOf(title, head, rows)),
  );
}

/** The next of 1, 2, 3, 4, 6, 8, 10, 20, 30 and so on, whose half is as round. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 3, 4, 6, 8].find((step) => step * power >= value) ?? 10) * power;
}
