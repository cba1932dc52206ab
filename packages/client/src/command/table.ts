/** Lines of text in columns, for terminals; the last column takes what is left of the line. */

const wordsMax = 44;

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = process.stdout.columns ?? 160,
): string {
  const cut = (text: string, max: number) =>
    [...text].length > max ? `${[...text].slice(0, max - 1).join('')}…` : text;
  const all = [head, ...rows].map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cut(cell, wordsMax))),
  );
  const widths = head.map((_, i) => Math.max(...all.map((row) => [...(row[i] ?? '')].length)));
  const rest = Math.max(20, columns - widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0));
  return all
    .map((row) =>
      row
        .map((cell, i) =>
          i === row.length - 1 ? cut(cell, rest) : cell + ' '.repeat((widths[i] ?? 0) - [...cell].length),
        )
        .join('  '),
    )
    .join('\n');
}
