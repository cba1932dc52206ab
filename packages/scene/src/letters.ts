/** Draws words as outlines of letters, because a renderer may have no fonts. */
import letters from '../data/letters.json';
import type { Scene } from './scene';
import { writePath, writeTag } from './svg';

/** A letter: the distance to the next letter, and its outline. The size of the type is `em` units. */
export type Glyph = readonly [advance: number, outline: string];

export const em = 400;
export const space: Glyph = [0.26 * em, ''];

/** The letters of Latin and Cyrillic by their characters. */
export const glyphs = letters as unknown as Readonly<Record<string, Glyph>>;

/** Measures the length of a line, in units. */
export const measureWidth = (line: readonly Glyph[]): number =>
  line.reduce((sum, [advance]) => sum + advance, 0);

/** Writes a line as paths. It begins at 0 on a base line at 0. */
export function writeLine(line: readonly Glyph[]): string {
  let x = 0;
  return line
    .map(([advance, d]) => {
      const transform = writePath`translate(${x} 0)`;
      x += advance;
      return d === '' ? '' : writeTag('path', { d, transform });
    })
    .join('');
}

const lineHeight = 1.12 * em;

/** Draws words in the middle of a scene. Letters that `glyphs` lacks are left out. */
export function drawWords({ words: text, frame, light, style, time }: Scene): string {
  const words = text
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => [...word].map((letter) => glyphs[letter]).filter((glyph) => glyph !== undefined))
    .filter((word) => word.length > 0);
  if (words.length === 0) return '';
  const [roomX, roomY] = [0.8 * frame.width, 0.62 * frame.height];
  const length = words.reduce((sum, word) => sum + measureWidth(word) + space[0], 0);
  // With lines of this length, the words fill the room.
  const lines = breakLines(words, 1.15 * Math.sqrt((length * lineHeight * roomX) / roomY));
  const widest = Math.max(...lines.map(measureWidth));
  const scale = Math.min(roomX / widest, (0.2 * frame.unit) / em, roomY / (lines.length * lineHeight));
  const drawnLines = lines.map((line, index) => {
    const x = frame.centre - (measureWidth(line) / 2) * scale;
    const y = frame.height / 2 + (index - lines.length / 2 + 0.77) * lineHeight * scale;
    return writeTag('g', { transform: writePath`translate(${x} ${y}) scale(${scale})` }, writeLine(line));
  });
  const ink = style.hasOutlines ? { stroke: light.shade, 'stroke-width': 6, 'paint-order': 'stroke' } : {};
  const fill = style.isDark || time === 'night' ? '#ffd58a' : light.shade;
  return writeTag('g', { fill, ...ink }, drawnLines.join(''));
}

/** Breaks words into lines of at most `lengthMax` units. A word that is longer gets a line of its own. */
function breakLines(words: readonly Glyph[][], lengthMax: number): Glyph[][] {
  const lines: Glyph[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && measureWidth(line) + space[0] + measureWidth(word) <= lengthMax) line.push(space, ...word);
    else lines.push([...word]);
  }
  return lines;
}
