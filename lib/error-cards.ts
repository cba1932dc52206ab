/** Draws the error cards as small PNGs, for clients that show no SVG. */

import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { landscapeDrawing, lightStyle } from '../lambda/http/error-card';
import { type ProblemCode, problems } from '../lambda/problems/problem';
import { em, glyphs, measureWidth, space, writeLine } from '../packages/scene/src/letters';

const [widthPx, heightPx] = [360, 240];

/** Draws a centred line of type. A line that would be too wide is set smaller. */
function drawCentredLine(text: string, sizePx: number, baselinePx: number, role: 'title' | 'code'): string {
  const letters = [...text].map((letter) => glyphs[letter] ?? space);
  const scale = Math.min(sizePx / em, (widthPx - 40) / measureWidth(letters));
  const leftPx = (widthPx - measureWidth(letters) * scale) / 2;
  return `<g class="${role}" transform="translate(${leftPx} ${baselinePx}) scale(${scale})">${writeLine(letters)}</g>`;
}

function drawCard(code: ProblemCode): string {
  const { status, title } = problems[code];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
<style>${lightStyle}</style><rect class="card" x=".5" y=".5" width="${widthPx - 1}" height="${heightPx - 1}"/>
<g transform="translate(${widthPx / 2 - 30} 40) scale(2.5)">${landscapeDrawing}</g>
${drawCentredLine(title, 30, 152, 'title')}${drawCentredLine(String(status), 20, 196, 'code')}</svg>`;
}

/** Draws all cards. Returns each as base64, by the code of its error. */
export async function drawErrorCards(): Promise<Readonly<Record<ProblemCode, string>>> {
  const cards = (Object.keys(problems) as ProblemCode[]).map(async (code) => {
    const image = sharp(Buffer.from(drawCard(code))).png({ palette: true, colours: 16, compressionLevel: 9 });
    return [code, (await image.toBuffer()).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(cards)) as Record<ProblemCode, string>;
}

let cardsJson: string | undefined;

/** Returns the cards as JSON. Another process draws them, because bundling is synchronous. */
export function drawErrorCardsJson(): string {
  const args = ['--no-warnings', '--import', 'tsx', __filename];
  cardsJson ??= execFileSync(process.execPath, args, { encoding: 'utf8' });
  return cardsJson;
}

if (require.main === module)
  void drawErrorCards().then((cards) => process.stdout.write(JSON.stringify(cards)));
