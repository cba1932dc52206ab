/** Formats the rows as a table for terminals and Markdown. */

import { type Row, type Verdict, verdictOf } from './row';
import { threeDigits } from './statistics';

const words: Readonly<Record<Verdict, string>> = {
  within: 'within target',
  above: 'ABOVE TARGET',
  below: 'BELOW TARGET',
  stated: 'no target',
  'does more': 'not comparable',
};

const heads = ['Measurement', 'Baseline', 'Ratio', 'Target', 'Verdict', 'Measured', 'Baseline value', 'Unit'];
const isNumber = [false, false, true, true, false, true, true, false];

/** A Markdown table with its columns padded. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const text = lines.map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] as number;
      return isNumber[column] ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(' | ')} |`;
  });
  const rule = widths.map((width, column) =>
    isNumber[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [text[0], `| ${rule.join(' | ')} |`, ...text.slice(1)].join('\n');
}

function cellsOf(row: Row): readonly string[] {
  return [
    row.name,
    row.baseline,
    `${threeDigits(row.ratio)} ×`,
    targetOf(row),
    words[verdictOf(row)],
    threeDigits(row.measured),
    threeDigits(row.least),
    row.unit,
  ];
}

function targetOf({ ratioMax, ratioMin }: Row): string {
  if (ratioMax !== undefined) return `≤ ${threeDigits(ratioMax)} ×`;
  return ratioMin === undefined ? '–' : `≥ ${threeDigits(ratioMin)} ×`;
}
