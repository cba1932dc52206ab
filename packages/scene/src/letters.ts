/** Sets lines in type, as outlines of letters: what shows them may have no fonts. */
import letters from '../data/letters.json';
import { element, path } from './svg';

/** A letter: how far the next one is, and its outline, in units of which the letters' size has `em`. */
export type Glyph = readonly [advance: number, outline: string];

/** Size of the letters. */
export const em = 400;
/** Between two words. */
export const space: Glyph = [0.26 * em, ''];

/** The letters by their characters; those of other scripts than Latin and Cyrillic are absent. */
export const glyphs = letters as unknown as Readonly<Record<string, Glyph>>;

/** How long a line is. */
export const widthOf = (line: readonly Glyph[]): number => line.reduce((sum, [advance]) => sum + advance, 0);

/** A line as paths on a base line at 0, from 0 to the right. */
export function setLine(line: readonly Glyph[]): string {
  let x = 0;
  return line
    .map(([advance, d]) => {
      const transform = path`translate(${x} 0)`;
      x += advance;
      return d === '' ? '' : element('path', { d, transform });
    })
    .join('');
}
