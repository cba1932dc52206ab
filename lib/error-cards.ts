/** The error cards as small PNGs, for clients that show no SVG: drawn while the functions are bundled. */

import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { type ProblemCode, problems } from '../lambda/problems/problem';
import glyphs from '../packages/scene/data/letters.json';

/** The expression that bundles replace by the cards as JSON. */
export const errorCardsName = 'globalThis.ERROR_CARDS';

const [widthPx, heightPx] = [360, 240];
/** Size of the letters in the table of the drawings, in their own units. */
const em = 400;

type Glyph = readonly [advance: number, outline: string];
const letters = glyphs as unknown as Readonly<Record<string, Glyph>>;

/** A line of type as paths, as the machine that bundles may have no fonts; smaller where it would be too wide. */
function line(text: string, sizePx: number, baselinePx: number, fill: string): string {
  let x = 0;
  const outlines = [...text].map((letter) => {
    const [advance, outline] = letters[letter] ?? [0.26 * em, ''];
    const path = `<path transform="translate(${x.toFixed(1)} 0)" d="${outline}"/>`;
    x += advance;
    return outline === '' ? '' : path;
  });
  const scale = Math.min(sizePx / em, (widthPx - 40) / x);
  const left = (widthPx - x * scale) / 2;
  return `<g fill="${fill}" transform="translate(${left} ${baselinePx}) scale(${scale})">${outlines.join('')}</g>`;
}

function cardOf(code: ProblemCode): string {
  const { status, title } = problems[code];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
<rect x=".5" y=".5" width="${widthPx - 1}" height="${heightPx - 1}" fill="#f3f4f6" stroke="#d5d9de"/>
<g transform="translate(${widthPx / 2 - 30} 40) scale(2.5)" fill="none" stroke="#8a96a3" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">
<rect x="2" y="4" width="20" height="16" rx="2.5"/><path d="m3 18 5.5-6.5 4 4.5 3-3 5.5 5"/>
<circle fill="#e2a33b" stroke="none" cx="16.5" cy="8.7" r="1.8"/></g>
${line(title, 30, 152, '#1f2933')}${line(String(status), 20, 196, '#626e7a')}</svg>`;
}

/** Each card in base64, by its code. */
export async function drawErrorCards(): Promise<Readonly<Record<ProblemCode, string>>> {
  const cards = (Object.keys(problems) as ProblemCode[]).map(async (code) => {
    const drawn = sharp(Buffer.from(cardOf(code))).png({ palette: true, colours: 16, compressionLevel: 9 });
    return [code, (await drawn.toBuffer()).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(cards)) as Record<ProblemCode, string>;
}

let made: string | undefined;

/** The same as JSON at once, for bundling, which waits for nothing; drawn once for all functions. */
export function errorCardsJson(): string {
  made ??= execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', __filename], {
    encoding: 'utf8',
  });
  return made;
}

if (require.main === module)
  void drawErrorCards().then((cards) => process.stdout.write(JSON.stringify(cards)));
