/** What stands at the far end of a picture: ranges, wooded hills or a skyline, as the words ask. */

import { drawSkyline } from '../built/skyline';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import { drawPineRow } from '../plants/pines';
import { drawMist } from '../sky/weather';
import type { Stage } from '../stage';
import { hills, landBelow } from './profile';
import { drawRanges } from './ranges';

/** The kinds of far end. */
export type Backdrop = 'mountains' | 'forest' | 'city' | 'hills';

/** The first of the allowed kinds that the words name, or `otherwise`. */
export function backdropOf(stage: Stage, allowed: readonly Backdrop[], otherwise: Backdrop): Backdrop {
  return allowed.find((kind) => stage.motifs.some((motif) => motif === kind)) ?? otherwise;
}

/** One row of far hills; `wooded` sets firs on it. */
function drawFarHills(
  stage: Stage,
  {
    label,
    base,
    height,
    distance,
    wooded,
  }: { label: string; base: number; height: number; distance: number; wooded: boolean },
): string {
  const { frame, look, mood } = stage;
  const materials = materialsOf(mood.season);
  const profile = hills(stage.random.fork(label), frame, {
    base,
    height,
    wavelength: frame.unit * 0.46,
    octaves: 3,
  });
  const colour = mix(materials.farGrass, materials.pine, wooded ? 0.7 : 0.3);
  const land = look.land(stage, {
    ...landBelow(profile, frame, base + frame.unit * 0.03),
    colour,
    distance,
    mist: 0.7,
  });
  return (wooded ? drawPineRow(stage, { label, profile, distance, density: 1.5, tops: true }) : '') + land;
}

/** Draws the far end so that it stands on `horizon`. */
export function drawBackdrop(stage: Stage, kind: Backdrop, horizon: number, sunX: number, scale = 1): string {
  const rise = stage.frame.rise * scale;
  const row = (label: string, height: number, distance: number, wooded: boolean): string =>
    drawFarHills(stage, { label, base: horizon, height: rise * height, distance, wooded });
  switch (kind) {
    case 'mountains':
      return (
        drawRanges(stage, horizon, sunX, scale) +
        row('shore-hills', 0.16, 0.52, true) +
        drawMist(stage, horizon, rise * 0.12, 0.35)
      );
    case 'forest':
      return (
        row('back-hills', 0.7, 0.82, true) +
        row('mid-hills', 0.46, 0.6, true) +
        drawMist(stage, horizon - rise * 0.1, rise * 0.25, 0.5) +
        row('shore-hills', 0.2, 0.36, true)
      );
    case 'city':
      return row('back-hills', 0.4, 0.9, false) + drawSkyline(stage, horizon, scale);
    default:
      return (
        row('back-hills', 0.62, 0.86, false) +
        row('mid-hills', 0.42, 0.66, false) +
        drawMist(stage, horizon, rise * 0.25, 0.45) +
        row('shore-hills', 0.2, 0.46, true)
      );
  }
}
