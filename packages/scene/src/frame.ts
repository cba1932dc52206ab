/** The coordinate system of a scene, and positions across it that do not depend on its size in pixels. */
import type { Random } from './random';
import { element } from './svg';

/** Scene units: a frame has the same area at every size and ratio; a square one measures 1000 × 1000. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The middle from left to right. Scenery is laid out from here, so a wider frame shows more of it. */
  readonly centre: number;
  /** Typical length for things in the scene; smaller only in banners and columns. */
  readonly unit: number;
  /** How high a large mountain may rise. */
  readonly rise: number;
  /** How many times the width of a common landscape format fits in; 1 for that and anything narrower. */
  readonly breadth: number;
}

const AREA_ROOT = 1000;

/** The frame for a ratio of width to height. */
export function frameOf(aspect: number): Frame {
  const width = AREA_ROOT * Math.sqrt(aspect);
  const height = AREA_ROOT / Math.sqrt(aspect);
  const unit = Math.min(AREA_ROOT, 1.7 * Math.min(width, height));
  return {
    width,
    height,
    centre: width / 2,
    unit,
    rise: Math.min(0.2 * unit + 0.13 * height, 0.62 * width),
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

/** The widest part of a frame that is composed around one main subject, in units. */
const SECTION_UNITS = 2.4;

/** A part of the frame with its own main subject. */
export interface Section {
  /** The x at a share (0 to 1) of the section's width. */
  at(share: number): number;
  readonly random: Random;
}

/** One section for all but panoramas; a panorama has several side by side. */
export function sectionsOf({ width, unit }: Frame, random: Random): readonly Section[] {
  const count = Math.min(8, Math.max(1, Math.round(width / unit / SECTION_UNITS)));
  return Array.from({ length: count }, (_, index) => ({
    at: (share) => (width * (index + share)) / count,
    random: random.fork(index),
  }));
}

/** The side of a frame: 0 left, 1 right. */
export type Side = 0 | 1;

/** The x that lies inwards from one side by a share of the width of a common landscape format, at most. */
export const fromSide = ({ width, unit }: Frame, side: Side, share: number): number => {
  const inwards = share * Math.min(width, 1.5 * unit);
  return side === 0 ? inwards : width - inwards;
};
