/** Prints the output of commands: results on stdout, as text for people or JSON for scripts, and remarks on stderr. */

import { capitalise } from '../lambda/base/text';
import { unlimitedRequests } from '../lambda/contract/plans';

export interface Result {
  readonly json: object;
  /** The output for people. By default it is the names and values of `json`. */
  readonly text?: string;
  readonly remark?: string;
  /** True if the process ends with 1, because the command worked and has found a fault. */
  readonly hasFailed?: boolean;
}

/** Prints a result, and sets the exit code. */
export function printResult({ json, text, remark, hasFailed }: Result, isJson: boolean): void {
  process.stdout.write(`${isJson ? JSON.stringify(json) : (text ?? formatFields(json)).trimEnd()}\n`);
  if (remark) printRemark(remark);
  if (hasFailed) process.exitCode = 1;
}

/** Prints a remark for people on stderr, so that scripts read only the result. */
export function printRemark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes names and values, one a line. A name without a value is left out. */
export function formatFields(values: object): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const titles = entries.map(([name]) => spellOut(name));
  const width = Math.max(...titles.map((title) => title.length));
  const lines = entries.map(([, value], i) => `${titles[i]?.padEnd(width)}  ${formatValue(value)}`);
  return lines.map(capitalise).join('\n');
}

/** Writes the name of a JSON field for people: `expiresAt` as "expires at". */
const spellOut = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (value === unlimitedRequests) return 'unlimited';
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${spellOut(name)} ${formatValue(member)}`);
  return formatValue(members);
}

/** Writes rows as a table. The fields of the first row name the columns. Without rows the text is empty. */
export function formatTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const [first = {}] = rows;
  const columns = Object.entries(first).map(([name, value]) => {
    const cells = [spellOut(name).toUpperCase(), ...rows.map((row) => String(row[name]))];
    const width = Math.max(...cells.map((cell) => cell.length));
    return cells.map((cell) => (typeof value === 'number' ? cell.padStart(width) : cell.padEnd(width)));
  });
  const lines = columns[0]?.map((_, line) => columns.map((cells) => cells[line]).join('  ')) ?? [];
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Writes a count with its noun: `1 alarm`, `2 alarms`. */
export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
