/** Draws error cards. A card is an image of exactly the requested size that states what went wrong. */

import { capitalise, escapeMarkup } from '../base/text';
import { formatMoment } from '../base/window';
import { problems, type Refusal, type RefusalContext, writeDetail } from '../problems/problem';
import type { Size } from '../requests/rendition';
import { acceptsOnlyPng } from './accept';
import type { HttpResponse } from './http-response';

/** Makes the response with the card of a refusal, with the headers of its problem document. */
export async function makeCardResponse(
  problem: HttpResponse,
  refusal: Refusal,
  { size, accept, ...request }: RefusalContext & { readonly size: Size; readonly accept: string | undefined },
): Promise<HttpResponse> {
  const { code } = refusal;
  const { status, title } = problems[code];
  const headers = { ...problem.headers, 'X-Image-Fallback': code };
  if (acceptsOnlyPng(accept)) {
    // Loaded on demand: few clients need PNG cards, and they are as large as all other code.
    const { readPngCard } = await import('./png-cards');
    const pngHeaders = { ...headers, 'Content-Type': 'image/png' };
    return { status, headers: pngHeaders, body: readPngCard(code), isBase64: true };
  }
  const detail = writeDetail(refusal, request);
  const card = { ...size, status, title, code, detail, brief: writeBrief(refusal, size, request.nowMs) };
  const type = 'image/svg+xml; charset=utf-8';
  return { status, headers: { ...headers, 'Content-Type': type }, body: drawErrorCard(card) };
}

/** Writes what to do, in a few words. When a size is refused, the card has the nearest valid size. */
function writeBrief(refusal: Refusal, { widthPx, heightPx }: Size, nowMs: number | undefined): string {
  if ('nearest' in refusal) return `Use ${widthPx}x${heightPx}`;
  if (!('rateLimit' in refusal)) return '';
  // Only the time, such as `In 23 minutes`, fits into the smallest card. The date follows a comma.
  const [time = ''] = formatMoment(refusal.rateLimit.window.endsMs, nowMs).split(',');
  return capitalise(time);
}

interface CardContent extends Size {
  readonly status: number;
  readonly title: string;
  /** Advice in a few words. It is shown when the detail has no room. */
  readonly brief?: string;
  /** Sentences. The card shows as many whole ones as fit. */
  readonly detail: string;
  readonly code: string;
}

const fonts = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',Arial,sans-serif";
/** Light colours of the card and of its landscape. */
export const lightStyle =
  '.card{fill:#f3f4f6;stroke:#d5d9de}.title{fill:#1f2933;font-weight:600}.detail{fill:#4a5560}.code{fill:#626e7a}.lines{stroke:#8a96a3}.sun{fill:#e2a33b}';
const darkStyle =
  '.card{fill:#1a2027;stroke:#323c47}.title{fill:#eef2f6}.detail{fill:#b7c1cb}.code{fill:#97a3af}.lines{stroke:#6a7887}';
const style = `${lightStyle}@media(prefers-color-scheme:dark){${darkStyle}}text{font-family:${fonts};text-anchor:middle}`;
/** A framed landscape, 24 by 24 units. */
export const landscapeDrawing =
  '<g class="lines" fill="none" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"><rect x="2" y="4" width="20" height="16" rx="2.5"/><path d="m3 18 5.5-6.5 4 4.5 3-3 5.5 5"/></g><circle class="sun" cx="16.5" cy="8.7" r="1.8"/>';

/** Width of an average letter in ems. It is generous, because the reader's font is unknown. */
const letterEm = 0.56;
const lineEm = 1.35;
/** Most letters in a line, and most lines of the detail: nobody reads more on a card. */
const [lettersMax, detailLinesMax] = [50, 5];

/** Lines of one role and font size. */
interface Block {
  readonly role: 'title' | 'detail' | 'code';
  readonly sizePx: number;
  readonly lines: readonly string[];
}

/** Draws the SVG of a card. It follows the light or dark setting of its reader, and needs no other file. */
export function drawErrorCard(content: CardContent): string {
  const { widthPx, heightPx, status, title, detail, code } = content;
  const unitPx = Math.max(11, Math.min(widthPx / 34, heightPx / 24));
  const gapPx = unitPx * 0.7;
  const blocks = chooseBlocks(content, unitPx, gapPx);
  const iconPx = unitPx * 4;
  const textsPx = measureHeight(blocks, gapPx);
  const iconRoomPx = gapPx + iconPx + textsPx <= heightPx ? gapPx + iconPx : 0;
  const topPx = (heightPx - iconRoomPx - textsPx) / 2 + gapPx;
  const place = `translate(${roundToHundredth((widthPx - iconPx) / 2)} ${roundToHundredth(topPx)}) scale(${roundToHundredth(iconPx / 24)})`;
  const icon = iconRoomPx > 0 ? `<g transform="${place}">${landscapeDrawing}</g>` : '';
  const label = escapeMarkup(`${status} ${title}`);
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"`;
  const description = `<title>${label} (${code})</title><desc>${escapeMarkup(detail)}</desc>`;
  const frame = `<rect class="card" x=".5" y=".5" width="${widthPx - 1}" height="${heightPx - 1}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}">${description}<style>${style}</style>${frame}${icon}${drawTexts(blocks, topPx + iconRoomPx, gapPx)}</svg>`;
}

/** Draws the lines of blocks below one another, with a gap after each block. */
function drawTexts(blocks: readonly Block[], topPx: number, gapPx: number): string {
  const textElements: string[] = [];
  let lineTopPx = topPx;
  for (const { role, sizePx, lines } of blocks) {
    for (const line of lines) {
      const place = `x="50%" y="${roundToHundredth(lineTopPx + sizePx)}" font-size="${roundToHundredth(sizePx)}"`;
      textElements.push(`<text class="${role}" ${place}>${escapeMarkup(line)}</text>`);
      lineTopPx += sizePx * lineEm;
    }
    lineTopPx += gapPx;
  }
  return textElements.join('');
}

/** Measures the height of blocks with a gap around each. */
function measureHeight(blocks: readonly Block[], gapPx: number): number {
  return blocks.reduce((sumPx, { sizePx, lines }) => sumPx + lines.length * sizePx * lineEm + gapPx, gapPx);
}

/** Chooses the texts. Title and code have room on the smallest card, the detail only as far as it fits. */
function chooseBlocks(
  { widthPx, heightPx, status, title, detail, brief = '', code }: CardContent,
  unitPx: number,
  gapPx: number,
): readonly Block[] {
  const countLetters = (sizePx: number) =>
    Math.min(lettersMax, Math.floor((widthPx - 2 * gapPx) / (sizePx * letterEm)));
  const titlePx = widthPx < 180 ? 12.5 : unitPx * 1.35;
  const codePx = Math.max(10, unitPx * 0.85);
  const fullCode = `${status} · ${code}`;
  const codeLine = fullCode.length <= countLetters(codePx) ? fullCode : String(status);
  const titleBlock: Block = {
    role: 'title',
    sizePx: titlePx,
    lines: breakLines(title, countLetters(titlePx)),
  };
  const codeBlock: Block = { role: 'code', sizePx: codePx, lines: [codeLine] };
  const roomPx = heightPx - measureHeight([titleBlock, codeBlock], gapPx) - gapPx;
  const linesMax = Math.min(detailLinesMax, Math.floor(roomPx / (unitPx * lineEm)));
  // Half a sentence would mislead, so as many whole ones as fit are shown, or else the brief.
  const sentences = detail.split(/(?<=[.?]) (?=\S)/);
  const excerpts = sentences.map((_, i) => sentences.slice(0, sentences.length - i).join(' '));
  const lines = [...excerpts, brief]
    .map((text) => breakLines(text, countLetters(unitPx)))
    .find(({ length }) => length <= linesMax);
  if (!lines?.length) return [titleBlock, codeBlock];
  return [titleBlock, { role: 'detail', sizePx: unitPx, lines }, codeBlock];
}

const roundToHundredth = (px: number) => Math.round(px * 100) / 100;

/** Breaks a text at spaces into lines of at most `letters` letters. Long URLs are broken too. */
function breakLines(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const lastLine = lines.at(-1);
    if (lastLine !== undefined && lastLine.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${lastLine} ${word}`;
    else lines.push(...(word.match(new RegExp(`.{1,${letters}}`, 'gsu')) ?? []));
  }
  return lines;
}

/** Draws the card for a missing file of the image distribution: an SVG of 600 x 400 pixels. */
export function drawMissingFileCard(): string {
  const detail = 'There is no image at this address any more.';
  const size = { widthPx: 600, heightPx: 400 };
  return drawErrorCard({ ...size, status: 404, title: 'Image not found', detail, code: 'not_found' });
}
