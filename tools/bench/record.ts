/** Writes the results of one run into docs/performance.md, whose other text is written by hand. */

import { table } from '../markdown';
import { isWithin, type Row } from './row';

const { format: threeDigits } = new Intl.NumberFormat('en', {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
  useGrouping: false,
});

/** Heads of the columns of the table of results. */
export const resultColumns = [
  'Measurement',
  'Baseline',
  'Ratio',
  'Target',
  'Verdict',
  'Measured',
  'Baseline value',
  'Unit',
];

/** A row of that table; numbers have three digits that count. */
export function resultCells(row: Row): readonly string[] {
  const { name, baseline, ratio, ratioMax, ratioMin, measured, least, unit } = row;
  const target =
    ratioMax === undefined ? `≥ ${threeDigits(ratioMin ?? 0)} ×` : `≤ ${threeDigits(ratioMax)} ×`;
  const values = [measured, least].map((value) => threeDigits(value));
  return [
    name,
    baseline,
    `${threeDigits(ratio)} ×`,
    target,
    isWithin(row) ? 'within target' : 'MISSED',
    ...values,
    unit,
  ];
}

/** What was measured on: `linux x64, 2 cores, Node.js v24.21.0`, and when: an ISO date. */
export interface Run {
  readonly machine: string;
  readonly date: string;
}

/** @param page text of the page, with `<!-- NAME -->` and `<!-- /NAME -->` around what is replaced. @throws `Error` without them */
export function recordInto(page: string, rows: readonly Row[], { machine, date }: Run): string {
  const parts = {
    run: `Written by \`npm run bench -- --record\` on ${date}: ${machine}, loopback only.`,
    results: `\n${table(resultColumns, rows.map(resultCells))}\n`,
  };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [before, rest] = text.split(`<!-- ${name} -->`);
    const [, after] = rest?.split(`<!-- /${name} -->`) ?? [];
    if (after === undefined) throw new Error(`docs/performance.md has no part "${name}"`);
    return `${before}<!-- ${name} -->\n${part}\n<!-- /${name} -->${after}`;
  }, page);
}
