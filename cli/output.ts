/** Writes the result of a command to stdout, as text for people or JSON for scripts. Remarks go to stderr. */

import { unlimitedRequests } from '../lambda/contract/plans';
import { exitCodes } from './failure';

/** The result of a command. */
export interface Result {
  /** The output of `--json`. */
  readonly json: object;
  /** The output for people; by default the names and values of `json`. */
  readonly text?: string;
  /** A remark for people, on stderr. */
  readonly note?: string;
  /** Whether the process ends with 1 all the same, as something that was examined is at fault. */
  readonly hasFailed?: boolean;
}

/** Prints a result, and sets the exit code. @param isJson whether to print one line of JSON */
export function printResult(result: Result, isJson: boolean): void {
  const { json, text = factsText(json), note, hasFailed } = result;
  const { stdout, stderr } = process;
  stdout.write(`${isJson ? JSON.stringify(json) : text.trimEnd()}\n`);
  if (note) stderr.write(`${note}\n`);
  if (hasFailed) process.exitCode = exitCodes.failed;
}

/** Names and values, one a line; those without a value are left out. */
export function factsText(values: object): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const titles = present.map(([name]) => inWords(name));
  const width = Math.max(...titles.map((title) => title.length));
  const lines = present.map(([, value], i) => `${titles[i]?.padEnd(width)}  ${valueText(value)}`);
  return lines.map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}`).join('\n');
}

/** A name of JSON for people: `expiresAt` as "expires at". */
const inWords = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value === unlimitedRequests) return 'unlimited';
  if (typeof value !== 'object' || value === null) return String(value);
  return valueText(Object.entries(value).map(([name, member]) => `${inWords(name)} ${valueText(member)}`));
}

/** Columns of an output that is no terminal. */
const pipedColumns = 100;
/** Least width of a table's last column. */
const narrowest = 16;

/** A row of a table: cells by the names of their columns. */
type Row = Readonly<Record<string, string | number>>;

/**
 * A table as text, as wide as the terminal; empty without rows. Numbers stand to the right, and the last
 * column is wrapped between words. The names of the first row head the columns.
 */
export function tableText(rows: readonly Row[]): string {
  const [first = {}] = rows;
  const names = Object.keys(first);
  const head: Row = Object.fromEntries(names.map((name) => [name, inWords(name).toUpperCase()]));
  const widths = names.map((name) => Math.max(...[head, ...rows].map((row) => lengthOf(row[name]))));
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(narrowest, (process.stdout.columns ?? pipedColumns) - indent);
  // A word that is longer than a line stays whole.
  const lines = new RegExp(`(.{1,${room}}|\\S+)( |$)`, 'gu');
  const lineOf = (row: Row) => {
    const cells = names.map((name, i) => {
      const cell = String(row[name]);
      const blanks = ' '.repeat((widths[i] ?? 0) - lengthOf(cell));
      if (typeof first[name] === 'number') return `${blanks}${cell}`;
      if (i < names.length - 1) return `${cell}${blanks}`;
      return cell.replaceAll(lines, `$1\n${' '.repeat(indent)}`);
    });
    return cells.join('  ').trimEnd();
  };
  return [head, ...rows].map(lineOf).join('\n');
}

/** A count with its noun: `1 alarm`, `2 alarms`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const lengthOf = (cell: string | number = '') => [...String(cell)].length;
