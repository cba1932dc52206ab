/** How commands show images: as a table, as small images in the terminal, and as a page with before and after. */

import { escapeHtml as escaped } from '../image-props';
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
    isWritten
      ? 'Written.'
      : 'Nothing was written. With --write the pages get these images, within a day without another charge.',
    '',
  ].join('\n');
}

const heightInLines = 3;
const loadTimeoutMs = 10_000;

/** Whether a terminal shows inline images. @param program as `TERM_PROGRAM` names it */
export function showsImages(isTerminal: boolean, program: string | undefined): boolean {
  return isTerminal && (program === 'iTerm.app' || program === 'WezTerm');
}

/**
 * One line for each image, with its words; without an image where it does not load.
 * @see https://iterm2.com/documentation-images.html
 */
export async function previews(
  images: readonly { readonly src?: string; readonly query: string }[],
): Promise<string> {
  const line = async ({ src = '', query }: (typeof images)[number]): Promise<string> => {
    if (!/^https?:/.test(src)) return '';
    try {
      const response = await fetch(src, { signal: AbortSignal.timeout(loadTimeoutMs) });
      const image = Buffer.from(await response.arrayBuffer()).toString('base64');
      return response.ok ? `\x1b]1337;File=inline=1;height=${heightInLines}:${image}\x07 ${query}\n` : '';
    } catch {
      return '';
    }
  };
  return (await Promise.all(images.map(line))).join('');
}

/** The images of a project before and after, side by side, as a page that a browser opens. */
export function reportHtml(reports: readonly FileReport[]): string {
  const image = (src: string | undefined, alt: string) =>
    src ? `<img src="${escaped(src)}" alt="${escaped(alt)}" loading="lazy">` : `<p>${escaped(alt)}</p>`;
  const rows = reports.flatMap(({ file, images }) =>
    images.map(
      ({ line, reason, was, query, width, height, src, outcome, problem, note }) => `<tr>
<th scope="row">${escaped(file)}:${line}<br><small>${reason.replace(/_/g, ' ')}, ${width} × ${height}</small></th>
<td>${image(/^https?:/.test(was) ? was : undefined, was || 'no URL')}</td>
<td>${image(src, outcome === 'left' ? (problem ?? 'left') : query)}<small>${escaped([query, note].filter(Boolean).join(' · '))}</small></td></tr>`,
    ),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Images before and after</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem;color:#222}table{border-collapse:collapse;width:100%}th,td{border-top:1px solid #ddd;padding:.75rem;text-align:left;vertical-align:top;width:33%;overflow-wrap:anywhere}img{display:block;max-width:100%;max-height:220px;background:#eee}small{color:#666;font-weight:400}</style></head>
<body><h1>Images before and after</h1><table><thead><tr><th>Where</th><th>Before</th><th>After</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>
`;
}
