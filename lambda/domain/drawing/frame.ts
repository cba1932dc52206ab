/** The picture's own coordinate system: the same area whatever the size, so one seed composes alike. */

/** Picture units; a square picture measures 1000 × 1000 of them. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The middle from left to right: terrain is laid out from here, so a wider picture shows more of it. */
  readonly centre: number;
  /** Typical length for things in the picture; shrinks only in extreme banners and columns. */
  readonly unit: number;
  /** How high a big mountain may rise. */
  readonly rise: number;
}

const AREA_ROOT = 1000;

/** The frame of a picture of the given size in pixels. */
export function frameOf(widthPx: number, heightPx: number): Frame {
  const aspect = widthPx / heightPx;
  const width = AREA_ROOT * Math.sqrt(aspect);
  const height = AREA_ROOT / Math.sqrt(aspect);
  const unit = Math.min(AREA_ROOT, 1.7 * Math.min(width, height));
  return { width, height, centre: width / 2, unit, rise: Math.min(0.2 * unit + 0.13 * height, 0.62 * width) };
}
