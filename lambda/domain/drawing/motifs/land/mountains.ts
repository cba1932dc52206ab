/** Mountains: ranges behind ranges, wooded hills before them. */
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawPineRow } from '../../plants/pines';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { hills, landBelow } from '../../terrain/profile';
import { drawRanges } from '../../terrain/ranges';

/** Draws the motif. */
export function drawMountains(stage: Stage): string {
  const { frame, look } = stage;
  const materials = materialsOf(stage.mood.season);
  const random = stage.random.fork('mountains');
  const horizon = frame.height * random.between(0.66, 0.72);
  const plan = planSky(stage, horizon);
  const left = frame.height - horizon;
  const layer = (label: string, drop: number, height: number, distance: number, colour: string) => {
    const profile = hills(random.fork(label), frame, {
      base: horizon + left * drop,
      height: frame.rise * height,
      wavelength: frame.unit * 0.42,
      octaves: 3,
    });
    const land = look.land(stage, { ...landBelow(profile, frame, frame.height + 5), colour, distance });
    return drawPineRow(stage, { label, profile, distance, density: 1 - distance * 0.3, tops: true }) + land;
  };
  return (
    drawSky(stage, plan) +
    drawRanges(stage, horizon + left * 0.12, plan.sunX) +
    layer('foothills', 0.22, 0.24, 0.5, mix(materials.pine, materials.farGrass, 0.45)) +
    drawMist(stage, horizon + left * 0.36, left * 0.3, 0.4) +
    layer('woods', 0.52, 0.22, 0.24, mix(materials.pine, materials.grass, 0.3)) +
    layer('near', 0.92, 0.24, 0, mix(materials.pine, stage.light.shade, 0.35)) +
    drawBloom(stage, plan)
  );
}
