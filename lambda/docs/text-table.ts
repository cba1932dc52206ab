/** Holds tables of texts, which documents show in Markdown and pages in HTML. */

/** A table. Code in its texts is in backticks. */
export interface TextTable<Cell = string> {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Makes a table of lines. They have `|` between their cells. The first line has the heads. */
export function makeTextTable(...lines: readonly string[]): TextTable {
  const [heads = [], ...rows] = lines.map((line) => line.split(' | '));
  return { heads, rows };
}

/** Writes a table in Markdown. */
export function writeMarkdownTable({ heads, rows }: TextTable): string {
  const writeLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [writeLine(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(writeLine)].join('\n');
}
