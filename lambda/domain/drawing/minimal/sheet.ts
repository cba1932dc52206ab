/** The paper a minimal picture is laid out on, and the few shapes every one of them uses. */
import type { Frame } from '../frame';
import type { Random } from '../random/random';
import type { Canvas } from '../svg/canvas';
import { element, num } from '../svg/element';
import { curveOn, type Point } from '../svg/path';
import type { Tones } from './tones';

/** Everything a minimal picture is made from. */
export interface Sheet {
  readonly frame: Frame;
  readonly tones: Tones;
  readonly random: Random;
  readonly canvas: Canvas;
  /** The side the accent stands on: -1 left, 1 right. */
  readonly side: -1 | 1;
  readonly words: ReadonlySet<string>;
}

/** Draws one subject with a handful of flat shapes. */
export type MinimalPainter = (sheet: Sheet) => string;

/** A flat shape. */
export const shape = (d: string, fill: string): string => element('path', { d, fill });

/** A flat disc. */
export const disc = (cx: number, cy: number, r: number, fill: string): string =>
  element('circle', { cx, cy, r, fill });

/** The length that shapes are measured by. */
export const measure = ({ frame }: Sheet): number =>
  Math.min(frame.unit, frame.width * 1.1, frame.height * 1.35);

/** The accent: a disc high on its side. */
export function accentDisc(sheet: Sheet, level = 0.3, size = 0.07): string {
  const { frame, side, tones } = sheet;
  return disc(
    frame.centre + side * 0.19 * Math.min(frame.width, 1.5 * frame.unit),
    frame.height * level,
    size * measure(sheet),
    tones.accent,
  );
}

/** Ground from edge to edge below a calm curve through the given levels (shares of the height). */
export function ground({ frame }: Sheet, levels: readonly number[]): string {
  const points: Point[] = levels.map((level, index) => ({
    x: (index / (levels.length - 1)) * frame.width,
    y: level * frame.height,
  }));
  const first = points[0] ?? { x: 0, y: 0 };
  return `M0 ${num(first.y)}${curveOn(points)}V${num(frame.height)}H0Z`;
}
