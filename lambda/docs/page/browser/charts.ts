/** Draws charts of bars, each with a table of the same numbers, and tables of numbers. */

import { createTable, element } from './elements';

/** The parts of the bars that have one colour. */
export interface Series {
  readonly name: string;
  /** One for each bar. */
  readonly values: readonly number[];
}

/** A number with its thousands apart: `12,345`. */
export const numberText = (value: number): string => value.toLocaleString('en');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Number of series that have a colour of their own in the style sheet. */
export const coloursMax = 5;

/** Makes a table whose first column names its rows; numbers stand to the right. */
export function numberTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): HTMLElement {
  const cellOf = (cell: string | number) =>
    element('td', {}, typeof cell === 'number' ? numberText(cell) : cell);
  const body = rows.map(([name = '', ...cells]) =>
    element('tr', {}, element('th', { scope: 'row' }, String(name)), ...cells.map(cellOf)),
  );
  const table = createTable(label, heads, element('tbody', {}, ...body));
  table.className = 'numbers';
  return table;
}

interface BarChart {
  readonly title: string;
  /** The chart in a sentence. */
  readonly summary: string;
  /** The unit of a bar, such as `Day`. */
  readonly unit: string;
  /** The names of the bars: in full, and below them. */
  readonly bars: readonly (readonly [name: string, label: string])[];
  readonly series: readonly Series[];
}

/** Stacked bars with a legend and their table. Pointers read a bar by its title, everybody else the table. */
export function barFigure(chart: BarChart): HTMLElement {
  const { title, summary, unit, bars, series } = chart;
  const caption = element('figcaption', {}, element('h3', {}, title), element('p', {}, summary));
  const totals = bars.map((_, i) => sum(series.map(({ values }) => values[i] ?? 0)));
  if (sum(totals) === 0) return element('figure', { class: 'card' }, caption);
  const isSingle = series.length === 1;
  const heads = [unit, ...(isSingle ? [] : ['All']), ...series.map(({ name }) => name)];
  const rows = bars.map(([name], i) => [
    name,
    ...(isSingle ? [] : [totals[i] ?? 0]),
    ...series.map(({ values }) => values[i] ?? 0),
  ]);
  const legend = series.map(({ name, values }, s) =>
    element('li', {}, element('i', { class: `s${s}` }), name, ' ', element('b', {}, numberText(sum(values)))),
  );
  return element(
    'figure',
    { class: 'card' },
    caption,
    drawPlot(chart, totals),
    isSingle ? undefined : element('ul', { class: 'plain legend' }, ...legend),
    element('details', {}, element('summary', {}, 'Table'), numberTable(title, heads, rows)),
  );
}

/** Measures of a plot, in pixels: `leftPx` has the scale, and `bottomPx` the labels of the bars. */
const [heightPx, leftPx, bottomPx, slotPxMax] = [240, 42, 20, 60];

/** Draws the bars, as wide as the window of the reader. @param totals of each bar */
function drawPlot({ title, summary, bars, series }: BarChart, totals: readonly number[]): SVGElement {
  const widthPx = Math.max(280, (document.querySelector('main')?.clientWidth ?? 0) - 130);
  const slotPx = Math.min(slotPxMax, (widthPx - leftPx) / bars.length);
  const scaleMax = roundedUp(Math.max(...totals));
  const yOf = (value: number) => (1 - value / scaleMax) * (heightPx - bottomPx);
  const lines = [scaleMax, scaleMax / 2, 0].flatMap((value) => [
    draw('rect', { y: yOf(value), width: widthPx, height: 1 }),
    draw('text', { y: yOf(value) + 14 }, value > 0 ? short.format(value) : ''),
  ]);
  const columns = bars.map(([name, label], i) => {
    let top = 0;
    const rects = series.map(({ values }, s) => {
      const bottom = top;
      top += values[i] ?? 0;
      const height = yOf(bottom) - yOf(top);
      return draw('rect', { class: `s${s}`, y: yOf(top), width: slotPx * 0.8, height });
    });
    // Where bars are narrow, every seventh has a label.
    const hasLabel = slotPx > 18 || i % 7 === 0;
    const labelNode = draw('text', { x: slotPx * 0.4, y: heightPx - 4, 'text-anchor': 'middle' }, label);
    return draw(
      'g',
      { transform: `translate(${leftPx + i * slotPx})` },
      draw('title', {}, `${name}: ${numberText(totals[i] ?? 0)}`),
      ...rects,
      ...(hasLabel ? [labelNode] : []),
    );
  });
  const accessibleName = { role: 'img', 'aria-label': `${title}. ${summary}` };
  return draw('svg', { ...accessibleName, viewBox: `0 0 ${widthPx} ${heightPx}` }, ...lines, ...columns);
}

function draw(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Node | string)[]
): SVGElement {
  const svgElement = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) svgElement.setAttribute(name, String(value));
  svgElement.append(...children);
  return svgElement;
}

/** Rounds up to one of 2, 4, 6, 8, 10, 20, 30, 40, 60 and so on, whose half is a whole number too. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const steps = power === 1 ? [2, 4, 6, 8] : [1, 2, 3, 4, 6, 8];
  return (steps.find((step) => step * power >= value) ?? 10) * power;
}
