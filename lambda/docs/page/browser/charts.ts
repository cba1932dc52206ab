/** Bar charts and tables of numbers. Each chart has a table with the same numbers. */

import { createElement, createTable } from './elements';

/** One part of each bar, such as the requests of one key. All parts of a series have the same colour. */
export interface Series {
  readonly name: string;
  /** A value for each bar. */
  readonly values: readonly number[];
}

/** Writes a number with separated thousands, such as `12,345`. */
export const writeNumber = (value: number): string => value.toLocaleString('en');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shortNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The style sheet has a colour for so many series. */
export const coloursMax = 5;

/** Makes a table whose numbers are aligned to the right. */
export function createNumberTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): HTMLElement {
  const writeCell = (cell: string | number) => (typeof cell === 'number' ? writeNumber(cell) : cell);
  const texts = rows.map((cells) => cells.map(writeCell));
  const table = createTable(label, heads, texts);
  table.className = 'numbers';
  return table;
}

interface BarChart {
  readonly title: string;
  /** What a bar stands for, such as `Day`. */
  readonly unit: string;
  /** The bars: a full name for the table, and a short label below the bar. */
  readonly bars: readonly (readonly [name: string, label: string])[];
  readonly series: readonly Series[];
}

/** Makes a chart of stacked bars, its legend, and a table with the same numbers. */
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
  const plot = createPlot(chart, totals);
  const legend = isSingle ? undefined : createLegend(series);
  const summary = createElement('summary', {}, 'Table');
  const table = createElement('details', {}, summary, createNumberTable(title, heads, rows));
  return createElement('figure', { class: 'card' }, caption, plot, legend, table);
}

function createLegend(series: readonly Series[]): HTMLElement {
  const entries = series.map(({ name, values }, s) => {
    const total = createElement('b', {}, writeNumber(sum(values)));
    return createElement('li', {}, createElement('i', { class: `s${s}` }), name, ' ', total);
  });
  return createElement('ul', { class: 'plain legend' }, ...entries);
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
  const scale = [2 * half, half].map((value) => createElement('span', {}, shortNumber.format(value)));
  return createElement('div', { class: 'plot', role: 'img', 'aria-label': title }, ...columns, ...scale);
}

/** Rounds up to one digit followed by zeros: 123 becomes 200. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.max(1, Math.ceil(value / power)) * power;
}
