/** What stands at the far end of a scene: ranges, wooded hills or a skyline, as the words ask. */

import { mix } from './colour';
import { drawFirRow } from './conifers';
import { drawGround } from './land';
import { drawRanges } from './ranges';
import { drawSkyline } from './skyline';
import type { Stage, Sun } from './stage';
import { drawMist } from './weather';

/** The kinds of far end. */
export type Backdrop = 'mountains' | 'forest' | 'city' | 'hills';

/** The first of the allowed kinds that the words name, or else the other one. */
export const backdropOf = <T extends Backdrop | undefined>(
  { motifs }: Stage,
  allowed: readonly Backdrop[],
  otherwise: T,
): Backdrop | T => allowed.find((kind) => motifs.some((motif) => motif === kind)) ?? otherwise;

/** Draws the far end, if any, so that it stands on `horizon`; `scale` 1 is as high as mountains may rise. */
export function drawBackdrop(stage: Stage, kind: Backdrop | undefined, horizon: number, sun: Sun, scale = 1) {
  const { frame, materials } = stage;
  const rise = frame.rise * scale;
  /** One row of far hills; `wooded` sets firs on it. */
  const row = (label: string, height: number, distance: number, wooded: boolean): string => {
    const hill = { base: horizon, height: rise * height, wavelength: frame.unit * 0.46, octaves: 3 };
    const colour = mix(materials.farGrass, materials.pine, wooded ? 0.7 : 0.3);
    const land = { ...hill, colour, distance, mist: 0.7, bottom: horizon + frame.unit * 0.03 };
    const { profile, marks } = drawGround(stage, stage.random.fork(label), land);
    return (wooded ? drawFirRow(stage, { label, profile, distance, density: 1.5 }, true) : '') + marks;
  };
  const mist = (above: number, thickness: number, opacity: number): string =>
    drawMist(stage, horizon - rise * above, rise * thickness, opacity);
  if (kind === 'mountains')
    return drawRanges(stage, horizon, sun.x, scale) + row('shore', 0.16, 0.52, true) + mist(0, 0.12, 0.35);
  if (kind === 'city') return row('back', 0.4, 0.9, false) + drawSkyline(stage, horizon, sun, scale);
  if (kind === 'hills') {
    const hills = row('back', 0.62, 0.86, false) + row('middle', 0.42, 0.66, false);
    return hills + mist(0, 0.25, 0.45) + row('shore', 0.2, 0.46, true);
  }
  if (kind === undefined) return '';
  const woods = row('back', 0.7, 0.82, true) + row('middle', 0.46, 0.6, true);
  return woods + mist(0.1, 0.25, 0.5) + row('shore', 0.2, 0.36, true);
}
