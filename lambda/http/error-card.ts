/** The card an image tag shows in place of a broken image: an SVG of exactly the wanted size that says what happened. */

import { detailOf, problems, type Refusal } from '../problems/problem';
import type { Size } from '../requests/rendition';
import { type CardContent, type Line, layOut } from './card-layout';
import type { HttpResponse } from './http-response';

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", Arial, sans-serif';

/**
 * Puts a refusal into a card, where an image tag would show a broken image.
 * @param problem the same refusal as a problem document, whose headers the card keeps
 */
export function cardResponse(problem: HttpResponse, refusal: Refusal, size: Size): HttpResponse {
  const { code } = refusal;
  const { status, title } = problems[code];
  return {
    status,
    headers: {
      ...problem.headers,
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'X-Image-Fallback': code,
    },
    body: errorCard({ ...size, status, title, detail: detailOf(refusal), code }),
  };
}

/** Follows the reader's light or dark setting, as an SVG in an image tag may; needs no font and no other file. */
export function errorCard(content: CardContent): string {
  const { widthPx: w, heightPx: h, status, title, detail, code } = content;
  const { lines, iconPx, topPx } = layOut(content);
  const text = lines.map((line) => textElement(line, w)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escapeXml(`${status} ${title}`)}"><title>${escapeXml(`${status} ${title} (${code})`)}</title><desc>${escapeXml(detail)}</desc><style>.a{stop-color:#f6f7f9}.b{stop-color:#e4e8ee}.t{fill:#1d2733}.d{fill:#46535f}.c{fill:#5d6b78}.i{stroke:#8b99a7}.s{fill:#e2a33b}.f{stroke:#cdd4dc}@media(prefers-color-scheme:dark){.a{stop-color:#1c232b}.b{stop-color:#12171d}.t{fill:#eef2f6}.d{fill:#b9c4ce}.c{fill:#94a1ad}.i{stroke:#647382}.s{fill:#d9a04a}.f{stroke:#2c3641}}text{font-family:${sans.replaceAll('"', "'")};text-anchor:middle}</style><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop class="a"/><stop class="b" offset="1"/></linearGradient></defs><rect width="${w}" height="${h}" fill="url(#g)"/><rect class="f" x=".5" y=".5" width="${w - 1}" height="${h - 1}" fill="none"/>${icon(w / 2, topPx, iconPx)}${text}</svg>`;
}

function textElement({ text, role, sizePx, baselinePx }: Line, widthPx: number): string {
  const weight = role === 't' ? ' font-weight="600"' : '';
  return `<text class="${role}" x="${widthPx / 2}" y="${round(baselinePx)}" font-size="${round(sizePx)}"${weight}>${escapeXml(text)}</text>`;
}

/** A framed landscape, drawn in a square of `sizePx` below `topPx`; nothing where there is no room for it. */
function icon(centrePx: number, topPx: number, sizePx: number): string {
  if (sizePx === 0) return '';
  const scale = round(sizePx / 24);
  return `<g transform="translate(${round(centrePx - sizePx / 2)} ${round(topPx)}) scale(${scale})"><g class="i" fill="none" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"><rect x="2" y="4" width="20" height="16" rx="2.5"/><path d="m3 18 5.5-6.5 4 4.5 3-3 5.5 5"/></g><circle class="s" cx="16.5" cy="8.7" r="1.8"/></g>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
