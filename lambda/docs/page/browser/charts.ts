/** Makes bar charts. Each has a table with the same numbers. */

import { createElement, createTable, writeNumber } from './elements';

/** One part of each bar, such as the requests of one key. All parts of a series have the same colour. */
export interface Series {
  readonly name: string;
  /** A value for each bar. */
  readonly values: readonly number[];
}

const addUp = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shortNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The colours of series. A chart shows no more series than there are colours. */
const seriesColours = [
  'var(--accent)',
  'light-dark(#d08a1d, #e2a33b)',
  'light-dark(#4a7fb5, #7fb2dd)',
  'light-dark(#9a5f96, #c79ac4)',
  'light-dark(#76838b, #93a1aa)',
];

const getHighest = ({ values }: Series) => Math.max(...values);

/** Chooses the series with the highest bars. The rest of the totals becomes the series “Others”. */
export function chooseSeries(series: readonly Series[], totals: readonly number[]): readonly Series[] {
  const tallest = [...series]
    .sort((a, b) => getHighest(b) - getHighest(a))
    .slice(0, seriesColours.length - 1);
  const otherValues = totals.map((total, i) =>
    tallest.reduce((remaining, { values }) => remaining - (values[i] ?? 0), total),
  );
  return [...tallest, { name: 'Others', values: otherValues }].filter((part) => getHighest(part) > 0);
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
export function createBarFigure({ title, unit, bars, series }: BarChart): HTMLElement {
  const caption = createElement('figcaption', {}, createElement('h3', {}, title));
  const totals = bars.map((_, i) => addUp(series.map(({ values }) => values[i] ?? 0)));
  if (addUp(totals) === 0) return createElement('figure', { class: 'card' }, caption, 'None yet.');
  const isSingle = series.length === 1;
  const columns = isSingle ? series : [{ name: 'All', values: totals }, ...series];
  const heads = [unit, ...columns.map(({ name }) => name)];
  const rows = bars.map(([name], i) => [name, ...columns.map(({ values }) => values[i] ?? 0)]);
  const legend = series.map(({ name, values }, s) => {
    const total = createElement('b', {}, writeNumber(addUp(values)));
    return createElement('li', {}, createSwatch(s), name, ' ', total);
  });
  return createElement(
    'figure',
    { class: 'card' },
    caption,
    createPlot({ title, bars, series }, totals),
    isSingle ? undefined : createElement('ul', { class: 'plain chips hint legend' }, ...legend),
    createElement('details', {}, createElement('summary', {}, 'Table'), createTable(title, heads, rows)),
  );
}

function createPlot({ title, bars, series }: Omit<BarChart, 'unit'>, totals: readonly number[]): HTMLElement {
  const halfScale = roundUp(Math.max(...totals) / 2);
  const columns = bars.map(([name, label], i) => {
    const parts = series.map(({ values }, s) => {
      const part = createSwatch(s);
      part.style.height = `${(50 * (values[i] ?? 0)) / halfScale}%`;
      return part;
    });
    const total = writeNumber(totals[i] ?? 0);
    return createElement('div', { title: `${name}: ${total}`, 'data-label': label }, ...parts);
  });
  const scale = [2 * halfScale, halfScale].map((value) =>
    createElement('span', {}, shortNumber.format(value)),
  );
  return createElement('div', { class: 'plot', role: 'img', 'aria-label': title }, ...columns, ...scale);
}

function createSwatch(series: number): HTMLElement {
  const swatch = createElement('i');
  swatch.style.background = seriesColours[series] ?? '';
  return swatch;
}

/** Rounds up to one digit followed by zeros: 123 becomes 200. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.max(1, Math.ceil(value / power)) * power;
}
