/** Writes results to stdout, as text for people or JSON for scripts; everything else goes to stderr. */

/** The one result of a command. */
export interface Result {
  /** What `--json` prints. */
  readonly json: unknown;
  /** @param columns width of the terminal, in characters */
  readonly text: (columns: number) => string;
  /** A remark for people, on stderr. */
  readonly note?: string;
  /** How the command ends, where it is not 0. */
  readonly exitCode?: number;
}

/** The width of what is written to no terminal, in characters. */
const pipedColumns = 100;

/** Prints a result, and has the process end as it says. @param isJson whether it is one line of JSON */
export function print({ json, text, note, exitCode }: Result, isJson: boolean): void {
  const { stdout, stderr } = process;
  const written = isJson ? JSON.stringify(json) : text(stdout.columns ?? pipedColumns).trimEnd();
  stdout.write(`${written}\n`);
  if (note) stderr.write(`${note}\n`);
  if (exitCode !== undefined) process.exitCode = exitCode;
}

/** A cell of a table; a column of numbers alone stands to the right. */
export type Cell = string | number;

/** Names and values; those without a value are left out. */
export type Facts = readonly (readonly [name: string, value: Cell | undefined])[];

/** The last column is wrapped to no fewer characters. */
const narrowest = 16;

/** Rows under a head. @param columns width of the terminal: the last column is wrapped at its words to fit it */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns = pipedColumns,
): string {
  const all = [head.map((name) => name.toUpperCase()), ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i]))));
  const isNumeric = head.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'));
  const last = head.length - 1;
  const indent = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(narrowest, columns - indent);
  const lines = all.map((row) => {
    const cells = row.map((cell, i) => {
      const blanks = ' '.repeat((widths[i] ?? 0) - lengthOf(cell));
      return isNumeric[i]
        ? `${blanks}${cell}`
        : i === last
          ? wrapped(String(cell), room)
          : `${cell}${blanks}`;
    });
    return cells
      .join('  ')
      .replaceAll('\n', `\n${' '.repeat(indent)}`)
      .trimEnd();
  });
  return lines.join('\n');
}

/** Names and values below one another. */
export function facts(entries: Facts): string {
  const known = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** A number of things. @param noun of one */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const lengthOf = (cell: Cell = '') => [...String(cell)].length;

/** Broken at spaces into lines of so many characters; a longer word stays whole. */
function wrapped(text: string, room: number): string {
  let length = 0;
  return text
    .split(' ')
    .map((word, i) => {
      const fits = i === 0 || length + 1 + lengthOf(word) <= room;
      length = (fits && i > 0 ? length + 1 : 0) + lengthOf(word);
      return i === 0 ? word : `${fits ? ' ' : '\n'}${word}`;
    })
    .join('');
}
