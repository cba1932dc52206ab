/** Figures: a chart as SVG beside a table of the same numbers, which can be saved as CSV. */

import { BarChart, Svg } from 'chartist';
import { create } from './elements';

// The page's policy allows no style attribute; the style sheet says the same.
const setAttributes = Svg.prototype.attr as (this: Svg, given: unknown) => Svg;
Svg.prototype.attr = function (this: Svg, given: unknown) {
  const { style: _, ...others } = Object(given);
  return setAttributes.call(this, typeof given === 'object' ? others : given);
} as typeof Svg.prototype.attr;

/** A cell of a table: texts, and numbers, which stand to the right. */
export type Cell = string | number;

/** One line of a chart, or one colour of its bars. */
export interface Series {
  readonly name: string;
  /** One for each label of the chart. */
  readonly values: readonly number[];
}

/** A number with its thousands apart: `12,345`. */
export const amount = (value: number): string => value.toLocaleString('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** So many series have a colour of their own; the style sheet names them. */
export const coloursMax = 6;

/** A heading with what belongs to it at its right. */
const heading = (title: string, ...tools: readonly HTMLElement[]) =>
  create('div', { class: 'heading' }, create('h3', {}, title), ...tools);

/** A table whose first column names its rows, in an area that scrolls. */
function tableOf(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (Cell | Node)[])[],
): HTMLElement {
  const cells = rows.map(([first = '', ...rest]) => {
    const name = typeof first === 'number' ? amount(first) : first;
    const others = rest.map((cell) =>
      typeof cell === 'number' ? create('td', { class: 'n' }, amount(cell)) : create('td', {}, cell),
    );
    return create('tr', {}, create('th', { scope: 'row' }, name), ...others);
  });
  const isNumber = (column: number) =>
    rows.length > 0 && rows.every((row) => typeof row[column] === 'number');
  const heads = head.map((text, column) =>
    create('th', { scope: 'col', ...(isNumber(column) && { class: 'n' }) }, text),
  );
  const table = create(
    'table',
    {},
    create('thead', {}, create('tr', {}, ...heads)),
    create('tbody', {}, ...cells),
  );
  return create(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${title}: table` },
    table,
  );
}

/** A button that saves rows as CSV. @param name of the file, without its ending */
export function csvButton(
  title: string,
  name: string,
  rows: () => readonly (readonly Cell[])[],
  text = 'CSV',
): HTMLElement {
  const button = create(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `${text}: ${title}` },
    text,
  );
  button.addEventListener('click', () => {
    const csv = rows()
      .map((row) => row.map(csvCell).join(','))
      .join('\r\n');
    const url = URL.createObjectURL(new Blob([`\ufeff${csv}\r\n`], { type: 'text/csv;charset=utf-8' }));
    create('a', { href: url, download: `${name}.csv` }).click();
    URL.revokeObjectURL(url);
  });
  return button;
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(cell: Cell): string {
  const text = typeof cell === 'string' ? cell.replace(/^(?=[=+\-@\t\r])/, "'") : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface TimeChart {
  readonly title: string;
  /** What the chart says, in a sentence. */
  readonly about: string;
  /** What a label is, such as `Day`. */
  readonly unit: string;
  /** Short, under the bars. */
  readonly labels: readonly string[];
  /** The same, in full. */
  readonly names: readonly string[];
  readonly series: readonly Series[];
  /** Name of the CSV file. */
  readonly file: string;
}

/** Stacked bars over time, whose values are read with the pointer or the arrow keys. */
export function timeFigure({ title, about, unit, labels, names, series, file }: TimeChart): HTMLElement {
  if (series.every(({ values }) => sum(values) === 0)) return emptyFigure(title, about);
  const isOne = series.length === 1;
  const head = [unit, ...(isOne ? [] : ['All']), ...series.map(({ name }) => name)];
  const rows = names.map((name, i) => {
    const values = series.map(({ values }) => values[i] ?? 0);
    return [name, ...(isOne ? [] : [sum(values)]), ...values];
  });
  const plot = create('div', {
    class: 'plot',
    tabindex: '0',
    role: 'group',
    'aria-label': `${title}: left and right read the values`,
  });
  const tip = create('output', { class: 'tip', hidden: '' });
  const every = (step: number) => (label: unknown, i: number) => (i % step === 0 ? String(label) : '');
  const chart = new BarChart(
    plot,
    { labels: [...labels], series: series.map(({ values }) => [...values]) },
    {
      stackBars: true,
      height: '15rem',
      chartPadding: { top: 12, right: 4, bottom: 0, left: 0 },
      axisX: { showGrid: false, offset: 24, labelInterpolationFnc: every(1) },
      axisY: {
        onlyInteger: true,
        offset: 44,
        scaleMinSpace: 36,
        low: 0,
        labelInterpolationFnc: (value) => short.format(Number(value)),
      },
    },
    [
      [
        'screen and (max-width: 56rem)',
        { axisX: { labelInterpolationFnc: every(Math.ceil(labels.length / 7)) } },
      ],
    ],
  );
  let area = { x1: 0, width: 1 };
  chart.on('created', ({ svg, chartRect }) => {
    svg.attr({ role: 'img', 'aria-label': `${title}. ${about}` });
    area = { x1: chartRect.x1, width: chartRect.width() };
    plot.style.setProperty('--bar', `${Math.min(40, (0.6 * area.width) / labels.length)}px`);
    plot.append(tip);
  });
  let shown = -1;
  const show = (index: number) => {
    shown = index;
    const row = rows[index];
    tip.hidden = row === undefined;
    if (!row) return;
    const [name = '', total] = row;
    const lines = series.flatMap((each, i) => {
      const value = each.values[index] ?? 0;
      return value === 0 ? [] : [create('li', { class: `s${i}` }, each.name, create('b', {}, amount(value)))];
    });
    tip.replaceChildren(
      create('strong', {}, String(name), create('b', {}, amount(Number(total)))),
      create('ul', {}, ...lines),
    );
    const middle = area.x1 + (area.width * (index + 0.5)) / labels.length;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(plot.clientWidth - 2 * half, middle - half))}px`;
  };
  plot.addEventListener('pointermove', ({ clientX }) => {
    const at = (clientX - plot.getBoundingClientRect().left - area.x1) / area.width;
    show(at < 0 || at >= 1 ? -1 : Math.floor(at * labels.length));
  });
  for (const event of ['pointerleave', 'blur']) plot.addEventListener(event, () => show(-1));
  plot.addEventListener('keydown', (event) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, shown - 1),
      ArrowRight: Math.min(labels.length - 1, shown + 1),
      Home: 0,
      End: labels.length - 1,
      Escape: -1,
    };
    const to = targets[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(to);
  });
  const legend = series.map(({ name, values }, i) =>
    create('li', { class: `s${i}` }, name, create('b', {}, amount(sum(values)))),
  );
  return create(
    'figure',
    { class: 'card' },
    create(
      'figcaption',
      {},
      heading(
        title,
        csvButton(title, file, () => [head, ...rows]),
      ),
      create('p', {}, about),
    ),
    plot,
    ...(isOne ? [] : [create('ul', { class: 'legend' }, ...legend)]),
    create('details', {}, create('summary', {}, 'Table'), tableOf(title, head, rows)),
  );
}

/** What stands in the place of a chart without a number. */
const emptyFigure = (title: string, none: string) =>
  create('figure', { class: 'card' }, create('figcaption', {}, heading(title), create('p', {}, none)));

/** What is shown as shares: a bar of parts, and the table that explains it. */
interface ShareChart {
  readonly title: string;
  /** What a part is, such as `Source`. */
  readonly unit: string;
  readonly parts: readonly (readonly [name: string, requests: number])[];
  /** What stands there without any. */
  readonly none: string;
  readonly file: string;
}

/** The shares of a whole, in the order in which they are given. */
export function shareFigure({ title, unit, parts, none, file }: ShareChart): HTMLElement {
  const shown = parts.filter(([, requests]) => requests > 0);
  const total = sum(shown.map(([, requests]) => requests));
  const head = [unit, 'Requests', 'Share'];
  const rows = shown.map(
    ([name, requests]) => [name, requests, `${Math.round((100 * requests) / total)} %`] as const,
  );
  if (rows.length === 0) return emptyFigure(title, none);
  const plot = create('div', { class: 'bar' });
  new BarChart(
    plot,
    { labels: [''], series: shown.map(([, requests]) => [(100 * requests) / total]) },
    {
      horizontalBars: true,
      stackBars: true,
      high: 100,
      height: '0.75rem',
      chartPadding: 0,
      axisX: { showGrid: false, showLabel: false, offset: 0 },
      axisY: { showGrid: false, showLabel: false, offset: 0 },
    },
  ).on('created', ({ svg }) => {
    svg.attr({
      role: 'img',
      'aria-label': `${title}: ${rows.map(([name, , share]) => `${name} ${share}`).join(', ')}`,
    });
  });
  const named = rows.map(([name, ...rest], i) => [
    // A code that is too long breaks behind an underscore.
    create(
      'span',
      { class: `s${Math.min(i, coloursMax)}` },
      ...name.split(/(?<=_)/).flatMap((part) => [create('wbr'), part]),
    ),
    ...rest,
  ]);
  return create(
    'figure',
    { class: 'card shares' },
    create(
      'figcaption',
      {},
      heading(
        title,
        csvButton(title, file, () => [head, ...rows]),
      ),
    ),
    plot,
    tableOf(title, head, named),
  );
}
