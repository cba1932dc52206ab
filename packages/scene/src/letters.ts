/** Sets lines in type, as outlines of letters: a renderer may have no fonts. */
import letters from '../data/letters.json';
import { path, tag } from './svg';

/** A letter: the distance to the next one, and its outline, in units of which `em` are the letters' size. */
export type Glyph = readonly [advance: number, outline: string];

/** Size of the letters, in units. */
export const em = 400;
/** The space between two words. */
export const space: Glyph = [0.26 * em, ''];

/** The letters by their characters; those of other scripts than Latin and Cyrillic are absent. */
export const glyphs = letters as unknown as Readonly<Record<string, Glyph>>;

/** Length of a line, in units. */
export const widthOf = (line: readonly Glyph[]): number => line.reduce((sum, [advance]) => sum + advance, 0);

/** A line as paths on a base line at 0, from 0 to the right. */
export function setLine(line: readonly Glyph[]): string {
  let x = 0;
  return line
    .map(([advance, d]) => {
      const transform = path`translate(${x} 0)`;
      x += advance;
      return d === '' ? '' : tag('path', { d, transform });
    })
    .join('');
}
