/** The card an image tag shows in place of a broken image: an SVG of exactly the wanted size that says what happened. */

import { detailOf, problems, type Refusal, type RefusedRequest } from '../problems/problem';
import type { Size } from '../requests/rendition';
import type { HttpResponse } from './http-response';

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", Arial, sans-serif';

/**
 * Puts a refusal into a card, where an image tag would show a broken image.
 * @param problem the same refusal as a problem document, whose headers the card keeps
 * @param request what its words depend on
 */
export function cardResponse(
  problem: HttpResponse,
  refusal: Refusal,
  size: Size,
  request: RefusedRequest,
): HttpResponse {
  const { code } = refusal;
  const { status, title } = problems[code];
  return {
    status,
    headers: {
      ...problem.headers,
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'X-Image-Fallback': code,
    },
    body: errorCard({ ...size, status, title, detail: detailOf(refusal, request), code }),
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

/** What a card of a size says. */
export interface CardContent {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
}

/** One line of text. `role`: title, detail or code. */
interface Line {
  readonly text: string;
  readonly role: 't' | 'd' | 'c';
  readonly sizePx: number;
  readonly baselinePx: number;
}

interface Layout {
  readonly lines: readonly Line[];
  /** Side of the icon's square in pixels, 0 for none. */
  readonly iconPx: number;
  readonly topPx: number;
}

/** Letters below this are not worth reading, in pixels. */
const readablePx = 10;
/** Width of an average letter in ems; generous, because the reader's font is not known. */
const letterEm = 0.56;

interface Paragraph {
  readonly text: string;
  readonly role: Line['role'];
  readonly scale: number;
}

/** Where the words stand: the largest letters that fit, and fewer words where none do. */
function layOut({ widthPx, heightPx, status, title, detail, code }: CardContent): Layout {
  const heading: Paragraph = { text: title, role: 't', scale: 1.35 };
  const body: Paragraph = { text: detail, role: 'd', scale: 1 };
  const footer: Paragraph = { text: `${status} · ${code}`, role: 'c', scale: 0.85 };
  const choices = [
    { paragraphs: [heading, body, footer], iconEm: 4 },
    { paragraphs: [heading, body, footer], iconEm: 0 },
    { paragraphs: [heading, footer], iconEm: 0 },
    { paragraphs: [heading], iconEm: 0 },
  ];
  const largestPx = Math.min(Math.max(Math.min(widthPx, heightPx) / 18, 14), 72);
  for (const { paragraphs, iconEm } of choices) {
    for (let px = largestPx; px >= readablePx; px *= 0.92) {
      const layout = tryAt(px, paragraphs, iconEm, widthPx, heightPx);
      if (layout) return layout;
    }
  }
  const sizePx = Math.min(heightPx / 3, widthPx / 3);
  return {
    lines: [{ text: String(status), role: 't', sizePx, baselinePx: heightPx / 2 + sizePx * 0.35 }],
    iconPx: 0,
    topPx: 0,
  };
}

/** The layout with letters of `px`, or `undefined` when it does not fit. */
function tryAt(
  px: number,
  paragraphs: readonly Paragraph[],
  iconEm: number,
  widthPx: number,
  heightPx: number,
): Layout | undefined {
  const marginPx = Math.max(6, Math.min(widthPx, heightPx) * 0.06);
  const columnPx = Math.min(widthPx - 2 * marginPx, px * 34);
  const wrapped = paragraphs.map((paragraph) => ({
    ...paragraph,
    lines: wrap(paragraph.text, Math.floor(columnPx / (px * paragraph.scale * letterEm))),
  }));
  if (wrapped.some(({ lines }) => lines === undefined)) return undefined;

  const gapPx = px * 0.7;
  const iconPx = iconEm * px;
  const textPx = wrapped.reduce((sum, { lines = [], scale }) => sum + lines.length * px * scale * 1.35, 0);
  const totalPx = iconPx + (iconPx > 0 ? gapPx : 0) + textPx + gapPx * (wrapped.length - 1);
  if (totalPx > heightPx - 2 * marginPx) return undefined;

  const topPx = (heightPx - totalPx) / 2;
  let yPx = topPx + iconPx + (iconPx > 0 ? gapPx : 0);
  const lines: Line[] = [];
  for (const { lines: texts = [], role, scale } of wrapped) {
    const sizePx = px * scale;
    for (const text of texts) {
      lines.push({ text, role, sizePx, baselinePx: yPx + sizePx });
      yPx += sizePx * 1.35;
    }
    yPx += gapPx;
  }
  return { lines, iconPx, topPx };
}

/** Breaks a text at its spaces into lines of at most `lettersMax`; `undefined` when a word is longer. */
function wrap(text: string, lettersMax: number): readonly string[] | undefined {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    if (word.length > lettersMax) return undefined;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lettersMax)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
