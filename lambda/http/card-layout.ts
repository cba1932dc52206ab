/** Where the words of an error card stand: the largest letters that fit, and fewer words where none do. */

export interface CardContent {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
}

/** One line of text. `role`: title, detail or code. */
export interface Line {
  readonly text: string;
  readonly role: 't' | 'd' | 'c';
  readonly sizePx: number;
  readonly baselinePx: number;
}

export interface Layout {
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

export function layOut({ widthPx, heightPx, status, title, detail, code }: CardContent): Layout {
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
