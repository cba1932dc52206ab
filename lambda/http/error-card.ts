/** Draws error cards. A card is an image of exactly the requested size that states what went wrong. */

import { capitalise, escapeMarkup } from '../base/text';
import { momentText } from '../base/window';
import { problems, type Refusal, type RefusedRequest, writeDetail } from '../problems/problem';
import type { Size } from '../requests/rendition';
import { acceptsOnlyPng } from './accept';
import type { HttpResponse } from './http-response';

/** Writes a refusal as a card. The headers are those of the problem document. */
export async function cardResponse(
  problem: HttpResponse,
  refusal: Refusal,
  { size, accept, ...request }: RefusedRequest & { readonly size: Size; readonly accept: string | undefined },
): Promise<HttpResponse> {
  const { code } = refusal;
  const { status, title } = problems[code];
  const headers = { ...problem.headers, 'X-Image-Fallback': code };
  if (acceptsOnlyPng(accept)) {
    // Loaded on demand: few clients need PNG cards, and they are as large as all other code.
    const { pngCard } = await import('./png-cards');
    const headersOfPng = { ...headers, 'Content-Type': 'image/png' };
    return { status, headers: headersOfPng, body: pngCard(code), isBase64: true };
  }
  const detail = writeDetail(refusal, request);
  const card = { ...size, status, title, code, detail, brief: writeBrief(refusal, size, request.nowMs) };
  const type = 'image/svg+xml; charset=utf-8';
  return { status, headers: { ...headers, 'Content-Type': type }, body: errorCard(card) };
}

/** Says what to do, in a few words. When a size is refused, the card has the nearest valid size. */
function writeBrief(refusal: Refusal, { widthPx, heightPx }: Size, nowMs: number | undefined): string {
  if ('nearest' in refusal) return `Use ${widthPx}x${heightPx}`;
  if (!('rateLimit' in refusal)) return '';
  // Only the time, such as `In 23 minutes`, fits into the smallest card. The date follows a comma.
  const [time = ''] = momentText(refusal.rateLimit.window.endsMs, nowMs).split(',');
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

/** Draws the SVG of a card. It follows the light or dark setting of its reader, and needs no other file. */
export function errorCard(content: CardContent): string {
  const { widthPx, heightPx, status, title, detail, code } = content;
  const label = escapeMarkup(`${status} ${title}`);
  const size = `width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"`;
  const texts = `<title>${label} (${code})</title><desc>${escapeMarkup(detail)}</desc>`;
  const frame = `<rect class="card" x=".5" y=".5" width="${widthPx - 1}" height="${heightPx - 1}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}">${texts}<style>${style}</style>${frame}${drawBlocks(content)}</svg>`;
}

/** Width of an average letter in ems. It is generous, because the reader's font is unknown. */
const letterEm = 0.56;
const lineEm = 1.35;
/** Most lines of the detail: nobody reads more on a card. */
const detailLinesMax = 5;
/** Longest line in letters: when there are several lines, and when there is one. */
const lettersMax = { ofSeveral: 46, alone: 90 } as const;

/** Lines of one role and font size. The icon has no lines. */
interface Block {
  readonly role: 'title' | 'detail' | 'code' | 'icon';
  readonly sizePx: number;
  readonly lines: readonly string[];
}

/** The measures of a card. They follow from its size. */
interface Layout extends Size {
  readonly unitPx: number;
  readonly marginPx: number;
  readonly gapPx: number;
}

function layOut({ widthPx, heightPx }: Size): Layout {
  const unitPx = Math.max(11, Math.min(widthPx / 34, heightPx / 24));
  return { widthPx, heightPx, unitPx, marginPx: Math.max(6, unitPx * 0.8), gapPx: unitPx * 0.6 };
}

function countLetters({ widthPx, marginPx }: Layout, sizePx: number, lineMax: number = lettersMax.ofSeveral) {
  return Math.min(lineMax, Math.floor((widthPx - 2 * marginPx) / (sizePx * letterEm)));
}

/** Computes the height of blocks with a gap below each. */
function heightWithGaps({ gapPx }: Layout, blocks: readonly Block[]): number {
  const heightsPx = blocks.map(
    ({ sizePx, lines }) => sizePx * (lines.length === 0 ? 1 : lines.length * lineEm),
  );
  return heightsPx.reduce((sumPx, heightPx) => sumPx + heightPx + gapPx, 0);
}

function drawBlocks(content: CardContent): string {
  const layout = layOut(content);
  const blocks = chooseBlocks(layout, content);
  const topPx = (layout.heightPx - heightWithGaps(layout, blocks) + layout.gapPx) / 2;
  return blocks
    .map((block, i) =>
      drawBlock(block, layout.widthPx / 2, topPx + heightWithGaps(layout, blocks.slice(0, i))),
    )
    .join('');
}

/** Chooses the first list that fits. When room is short, the icon goes first, the code last. */
function chooseBlocks(layout: Layout, content: CardContent): readonly Block[] {
  const { unitPx, marginPx, gapPx } = layout;
  const roomPx = layout.heightPx - 2 * marginPx;
  const fits = (blocks: readonly Block[]) => heightWithGaps(layout, blocks) - gapPx <= roomPx;
  const icon: Block = { role: 'icon', sizePx: unitPx * 4, lines: [] };
  const title = titleBlock(layout, content);
  const code = codeBlock(layout, content);
  // The detail has as many sentences as the room beside the other texts allows, maybe none.
  const detail = detailBlocks(layout, content, roomPx - heightWithGaps(layout, [title, code]));
  const choices = [
    [icon, title, ...detail, code],
    [title, ...detail, code],
    [title, code],
    [title, ...detailBlocks(layout, content, roomPx - heightWithGaps(layout, [title]))],
  ];
  return choices.find(fits) ?? [title];
}

function titleBlock(layout: Layout, { title }: CardContent): Block {
  const sizePx = layout.widthPx < 180 ? 12.5 : layout.unitPx * 1.35;
  return { role: 'title', sizePx, lines: breakLines(title, countLetters(layout, sizePx)) };
}

/** Writes status and code in one line. A narrow card has only the status. */
function codeBlock(layout: Layout, { status, code }: CardContent): Block {
  const sizePx = Math.max(10, layout.unitPx * 0.85);
  const texts = [`${status} · ${code}`, String(status)];
  const line = texts.find((text) => text.length <= countLetters(layout, sizePx)) ?? '';
  return { role: 'code', sizePx, lines: [line] };
}

/** Breaks the detail into lines. If none of its sentences fits, the brief takes its place. */
function detailBlocks(layout: Layout, { detail, brief = '' }: CardContent, roomPx: number): readonly Block[] {
  const rows = Math.min(detailLinesMax, Math.floor(roomPx / (layout.unitPx * lineEm)));
  const letters = countLetters(layout, layout.unitPx, rows > 1 ? lettersMax.ofSeveral : lettersMax.alone);
  const lines = [detail, brief]
    .map((text) => fittingLines(text, letters, rows))
    .find(({ length }) => length > 0);
  return lines ? [{ role: 'detail', sizePx: layout.unitPx, lines }] : [];
}

function drawBlock({ role, sizePx, lines }: Block, centrePx: number, topPx: number): string {
  if (role === 'icon')
    return `<g transform="translate(${round(centrePx - sizePx / 2)} ${round(topPx)}) scale(${round(sizePx / 24)})">${landscapeDrawing}</g>`;
  const texts = lines.map((line, i) => {
    const baselinePx = round(topPx + sizePx + i * sizePx * lineEm);
    return `<text class="${role}" x="${round(centrePx)}" y="${baselinePx}" font-size="${round(sizePx)}">${escapeMarkup(line)}</text>`;
  });
  return texts.join('');
}

/** Breaks as many whole sentences into lines as fit into the rows. Half a sentence would mislead. */
function fittingLines(text: string, letters: number, rows: number): readonly string[] {
  const sentences = text.split(/(?<=[.?]) (?=\S)/);
  for (let count = sentences.length; count > 0; count--) {
    const lines = breakLines(sentences.slice(0, count).join(' '), letters);
    if (lines.length <= rows) return lines;
  }
  return [];
}

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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Draws the card for a missing file of the image distribution: an SVG of 600 x 400 pixels. */
export function missingFileCard(): string {
  const detail = 'There is no image at this address any more.';
  const size = { widthPx: 600, heightPx: 400 };
  return errorCard({ ...size, status: 404, title: 'Image not found', detail, code: 'not_found' });
}
