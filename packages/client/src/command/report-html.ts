/** The images of a project before and after, side by side, as a page that a browser opens. */

import type { FilledImage } from '../service';

export interface FileReport {
  readonly file: string;
  readonly images: readonly FilledImage[];
  readonly credits: readonly string[];
}

const escaped = (text: string) => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);

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
