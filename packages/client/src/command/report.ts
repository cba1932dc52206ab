/** How `fill` says what became of the images of a project. */

import type { FilledImage } from '../service';

/** What became of the images of a file. */
export interface FileReport {
  readonly file: string;
  readonly images: readonly FilledImage[];
  /** Credit lines that the page has to show. */
  readonly credits: readonly string[];
}

const wordsMax = 44;

/** Lines of text in columns; the last column takes what is left of the line. @param columns width of the terminal */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = process.stdout.columns ?? 160,
): string {
  const cut = (text: string, max: number) =>
    [...text].length > max ? `${[...text].slice(0, max - 1).join('')}…` : text;
  const last = head.length - 1;
  const all = [head, ...rows].map((row) => row.map((cell, i) => (i === last ? cell : cut(cell, wordsMax))));
  const widths = head.map((_, i) => Math.max(...all.map((row) => [...(row[i] ?? '')].length)));
  const rest = Math.max(20, columns - widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0));
  const padded = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - [...cell].length);
  return all
    .map((row) => row.map((cell, i) => (i === last ? cut(cell, rest) : padded(cell, i))).join('  '))
    .join('\n');
}

/** What `fill` did, or would do, as lines of text. */
export function reportText(reports: readonly FileReport[], isWritten: boolean): string {
  if (reports.length === 0) return 'Nothing to fill.\n';
  const now = ({ outcome, problem = 'left', note, src = '' }: FilledImage): string =>
    ({ left: problem, drawn: `drawn: ${note}`, filled: src })[outcome];
  const rows = reports.flatMap(({ file, images }) =>
    images.map((image) => [
      `${file}:${image.line}`,
      image.reason.replace(/_/g, ' '),
      image.query,
      `${image.width} × ${image.height}`,
      now(image),
    ]),
  );
  const credits = [...new Set(reports.flatMap((each) => each.credits))];
  return [
    table(['Where', 'Was', 'Words', 'Size', 'Now'], rows),
    ...(credits.length > 0
      ? ['', 'Show these credits on the page:', ...credits.map((credit) => `  ${credit}`)]
      : []),
    '',
    isWritten ? 'Written.' : 'Nothing was written. With --write the pages get these images.',
    '',
  ].join('\n');
}
