/** Writes results to stdout, as text for people or JSON for scripts; everything else goes to stderr. */

import Table from 'cli-table3';

/** Where a command writes. */
export interface Output {
  /** The command's one result: JSON with `--json`, else the text. */
  result(value: unknown, text: (columns: number) => string): void;
  /** A remark for people. */
  note(text: string): void;
}

interface OutputStreams {
  /** `columns` is the width of a terminal; a pipe has none. */
  readonly stdout: { write(text: string): unknown; readonly columns?: number };
  readonly stderr: { write(text: string): unknown };
}

/** Writes to the streams of a process. @param isJson whether the result is one line of JSON */
export function createOutput({ stdout, stderr }: OutputStreams, isJson: boolean): Output {
  return {
    result: (value, text) => {
      const written = isJson
        ? JSON.stringify(value)
        : text(stdout.columns ?? Number.POSITIVE_INFINITY).trimEnd();
      stdout.write(`${written}\n`);
    },
    note: (text) => {
      stderr.write(`${text}\n`);
    },
  };
}

/** A cell of a table; a column of numbers alone stands to the right. */
export type Cell = string | number;

/** Names and values; those without a value are left out. */
export type Facts = readonly (readonly [name: string, value: Cell | undefined])[];

const gap = 2;
/** No column is wrapped to fewer characters. */
const narrowest = 10;

const parts = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'] as const;
const more = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const;
const chars = {
  ...Object.fromEntries([...parts, ...more].map((part) => [part, ''])),
  middle: ' '.repeat(gap),
};

/**
 * Rows under a head; numbers stand to the right. Where even wrapped it is wider than the terminal, each row is a list.
 * @param columns width of the terminal: cells with spaces are wrapped when the table would be wider
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const text = grid(head, rows, columns);
  if (fits(text, columns)) return text;
  const lists = rows.map((row) => facts(head.map((name, i) => [name, row[i] === '' ? undefined : row[i]])));
  return lists.join('\n\n');
}

/** A table whatever its width. */
export function grid(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const aligns = head.map((_, i) => (rows.every((row) => typeof row[i] === 'number') ? 'right' : 'left'));
  return draw([head.map((name) => name.toUpperCase()), ...rows], aligns, columns);
}

/** Whether no line is wider than the terminal. */
export const fits = (text: string, columns: number): boolean =>
  text.split('\n').every((line) => [...line].length <= columns);

/** A number of things. @param noun of one */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Names and values below one another. */
export function facts(entries: Facts): string {
  const rows = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return draw(rows, ['left', 'left'], Number.POSITIVE_INFINITY);
}

function draw(rows: readonly (readonly Cell[])[], colAligns: ('left' | 'right')[], columns: number): string {
  const drawn = new Table({
    chars,
    colAligns,
    colWidths: widthsOf(rows, columns),
    wordWrap: true,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  drawn.push(...rows.map((row) => row.map(String)));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The width that each column needs, or less for the widest of those that can be wrapped where that makes the table fit. */
function widthsOf(rows: readonly (readonly Cell[])[], columns: number): number[] {
  const cells = (rows[0] ?? []).map((_, i) => rows.map((row) => String(row[i] ?? '')));
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => [...text].length));
  const whole = cells.map(longest);
  const widths = [...whole];
  const least = cells.map((texts) => Math.max(narrowest, longest(texts.flatMap((text) => text.split(' ')))));
  let excess = widths.reduce((sum, width) => sum + width + gap, -gap) - columns;
  for (; excess > 0; excess--) {
    const room = widths.map((width, i) => (width > (least[i] ?? 0) ? width : 0));
    const widest = room.indexOf(Math.max(...room));
    if ((room[widest] ?? 0) === 0) return whole;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
