/** The error cards as small PNGs, for clients that show no SVG: drawn while the functions are bundled. */

import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { type ProblemCode, problems } from '../lambda/problems/problem';
import glyphs from '../packages/scene/data/letters.json';

/** The expression that bundles replace by the cards as JSON. */
export const errorCardsName = 'globalThis.ERROR_CARDS';

const widthPx = 360;
const heightPx = 240;

/** Size of the letters in the table of the drawings, and their line height, in their own units. */
const em = 400;
const lineEm = 1.2;

type Glyph = readonly [advance: number, outline: string];
const letters = glyphs as unknown as Readonly<Record<string, Glyph>>;

/** A line in type as paths, as the machine that bundles may have no fonts. */
function lineOf(
  text: string,
  { sizePx, baselinePx, fill }: Record<'sizePx' | 'baselinePx', number> & { readonly fill: string },
): string {
  const line = [...text].map((letter) => letters[letter] ?? ([0.26 * em, ''] as const));
  const scale = sizePx / em;
  let x = (widthPx / scale - line.reduce((sum, [advance]) => sum + advance, 0)) / 2;
  const outlines = line.map(([advance, outline]) => {
    const path = outline === '' ? '' : `<path transform="translate(${x.toFixed(1)} 0)" d="${outline}"/>`;
    x += advance;
    return path;
  });
  return `<g fill="${fill}" transform="translate(0 ${baselinePx}) scale(${scale})">${outlines.join('')}</g>`;
}

/** At most two lines, as long as one another. */
function linesOf(title: string): readonly string[] {
  const words = title.split(' ');
  if (title.length <= 18) return [title];
  const lengths = words.map((_, i) => Math.abs(words.slice(0, i).join(' ').length - title.length / 2));
  const half = lengths.indexOf(Math.min(...lengths));
  return [words.slice(0, half).join(' '), words.slice(half).join(' ')];
}

function cardOf(code: ProblemCode): string {
  const { status, title } = problems[code];
  const sizePx = 30;
  const titles = linesOf(title);
  const topPx = 138 - (titles.length - 1) * 12;
  const icon =
    '<g fill="none" stroke="#8a96a3" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"><rect x="2" y="4" width="20" height="16" rx="2.5"/><path d="m3 18 5.5-6.5 4 4.5 3-3 5.5 5"/></g><circle fill="#e2a33b" cx="16.5" cy="8.7" r="1.8"/>';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">`,
    `<rect x=".5" y=".5" width="${widthPx - 1}" height="${heightPx - 1}" fill="#f3f4f6" stroke="#d5d9de"/>`,
    `<g transform="translate(${widthPx / 2 - 30} 28) scale(2.5)">${icon}</g>`,
    ...titles.map((text, i) =>
      lineOf(text, { sizePx, baselinePx: topPx + i * sizePx * lineEm, fill: '#1f2933' }),
    ),
    lineOf(String(status), { sizePx: 20, baselinePx: 212, fill: '#626e7a' }),
    '</svg>',
  ].join('');
}

/** Each card in base64, by its code. */
export async function drawErrorCards(): Promise<Readonly<Record<ProblemCode, string>>> {
  const codes = Object.keys(problems) as ProblemCode[];
  const cards = codes.map(async (code) => {
    const png = await sharp(Buffer.from(cardOf(code)))
      .png({ palette: true, colours: 16, compressionLevel: 9 })
      .toBuffer();
    return [code, png.toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(cards)) as Record<ProblemCode, string>;
}

/** The same as JSON at once, for bundling, which waits for nothing. */
export function errorCardsJson(): string {
  return execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', __filename], {
    encoding: 'utf8',
  });
}

if (require.main === module)
  void drawErrorCards().then((cards) => process.stdout.write(JSON.stringify(cards)));
