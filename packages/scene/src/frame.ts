/** The coordinate system of a scene, and positions across it that do not depend on its size in pixels. */
import type { Random } from './random';
import { element } from './svg';

/** Scene units: a frame has the same area at every size and ratio; a square one measures 1000 × 1000. */
export type Frame = Readonly<ReturnType<typeof frameOf>>;

/** The frame for a ratio of width to height. */
export function frameOf(aspect: number) {
  const [width, height] = [1000 * Math.sqrt(aspect), 1000 / Math.sqrt(aspect)];
  const unit = Math.min(1000, 1.7 * Math.min(width, height));
  return {
    width,
    height,
    /** The middle from left to right. Scenery is laid out from here, so a wider frame shows more of it. */
    centre: width / 2,
    /** Typical length for things in the scene; smaller only in banners and columns. */
    unit,
    /** The width of the frame, or that of a common landscape format where it is wider. */
    span: Math.min(width, 1.5 * unit),
    /** How high a large mountain may rise. */
    rise: Math.min(0.2 * unit + 0.13 * height, 0.62 * width),
    /** How many times the width of a common landscape format fits in; 1 for that and anything narrower. */
    breadth: Math.max(1, width / unit / 1.4),
  };
}

/** A rectangle over the whole frame. */
export const cover = ({ width, height }: Frame, fill: string): string =>
  element('rect', { width, height, fill });

const POSITIONS_MAX = 200;

/**
 * Positions at a mean distance of `spacing`, each with a random stream of its own. They are counted from the
 * centre: another ratio adds or removes some at the borders and leaves all others as they were. The outermost lie
 * beyond the borders by `margin`, so that what stands there is cut by the frame and does not end before it.
 */
export function along(frame: Frame, random: Random, spacing: number, jitter = 0, margin = spacing) {
  const step = Math.max(spacing, (frame.width + 2 * margin) / POSITIONS_MAX);
  const reach = Math.ceil((frame.width / 2 + margin) / step);
  return Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const index = at - reach;
    const own = random.fork(index);
    return { index, random: own, x: frame.centre + (index + own.between(-jitter, jitter)) * step };
  });
}

/** In panoramas small things stand further apart, so that the size of the SVG stays bounded. */
export const thinned = ({ breadth }: Frame, spacing: number): number =>
  spacing * Math.max(1, breadth / 1.7) ** 0.9;

/** Where something stands once in a common format, and again at intervals in a panorama. */
export const centresOf = (frame: Frame, random: Random) => along(frame, random, 2.4 * frame.unit, 0, 0);

/** The side of a frame: -1 left, 1 right. */
export type Side = -1 | 1;

/** The x that lies inwards from one side by a share of the frame's span. */
export const fromSide = ({ centre, width, span }: Frame, side: Side, share: number): number =>
  centre + side * (width / 2 - share * span);
