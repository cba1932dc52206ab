/** Draws charts of bars, each with a table of the same numbers, and tables of numbers. */

import { createElement, createTable } from './elements';

/** The parts of the bars that have one colour. */
export interface Series {
  readonly name: string;
  /** One for each bar. */
  readonly values: readonly number[];
}

/** Writes a number with its thousands apart: `12,345`. */
export const writeNumber = (value: number): string => value.toLocaleString('en');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Number of series that have a colour of their own in the style sheet. */
export const coloursMax = 5;

/** Makes a table of numbers, which stand to the right. */
export function createNumberTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): HTMLElement {
  const texts = rows.map((cells) =>
    cells.map((cell) => (typeof cell === 'number' ? writeNumber(cell) : cell)),
  );
  const table = createTable(label, heads, texts);
  table.className = 'numbers';
  return table;
}

interface BarChart {
  readonly title: string;
  /** What a bar stands for, such as `Day`. */
  readonly unit: string;
  /** The names of the bars: in full, and below them. */
  readonly bars: readonly (readonly [name: string, label: string])[];
  readonly series: readonly Series[];
}

/** Makes stacked bars with a legend, a title for pointers, and a table for everybody else. */
export function createBarFigure(chart: BarChart): HTMLElement {
  const { title, unit, bars, series } = chart;
  const caption = createElement('figcaption', {}, createElement('h3', {}, title));
  const totals = bars.map((_, i) => sum(series.map(({ values }) => values[i] ?? 0)));
  if (sum(totals) === 0) return createElement('figure', { class: 'card' }, caption, 'None yet.');
  const isSingle = series.length === 1;
  const heads = [unit, ...(isSingle ? [] : ['All']), ...series.map(({ name }) => name)];
  const rows = bars.map(([name], i) => [
    name,
    ...(isSingle ? [] : [totals[i] ?? 0]),
    ...series.map(({ values }) => values[i] ?? 0),
  ]);
  const legend = series.map(({ name, values }, s) =>
    createElement(
      'li',
      {},
      createElement('i', { class: `s${s}` }),
      name,
      ' ',
      createElement('b', {}, writeNumber(sum(values))),
    ),
  );
  return createElement(
    'figure',
    { class: 'card' },
    caption,
    createPlot(chart, totals),
    isSingle ? undefined : createElement('ul', { class: 'plain legend' }, ...legend),
    createElement(
      'details',
      {},
      createElement('summary', {}, 'Table'),
      createNumberTable(title, heads, rows),
    ),
  );
}

function createPlot({ title, bars, series }: BarChart, totals: readonly number[]): HTMLElement {
  const half = roundUp(Math.max(...totals) / 2);
  const columns = bars.map(([name, label], i) => {
    const parts = series.map(({ values }, s) => {
      const part = createElement('i', { class: `s${s}` });
      part.style.height = `${(50 * (values[i] ?? 0)) / half}%`;
      return part;
    });
    const total = writeNumber(totals[i] ?? 0);
    return createElement('div', { title: `${name}: ${total}`, 'data-label': label }, ...parts);
  });
  const scale = [2 * half, half].map((value) => createElement('span', {}, short.format(value)));
  return createElement('div', { class: 'plot', role: 'img', 'aria-label': title }, ...columns, ...scale);
}

/** Rounds up to a whole number of one digit and zeros. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.max(1, Math.ceil(value / power)) * power;
}
