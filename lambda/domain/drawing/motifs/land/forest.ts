/** A forest: trunk behind trunk into the mist, or rows of trees over rolling ground. */
import { lit } from '../../colour/lit';
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawLeafRow } from '../../plants/leaf-row';
import { drawPineRow, firPath } from '../../plants/pines';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { hills, landBelow } from '../../terrain/profile';
import { drawDeepForest } from './deep-forest';

/** Tall firs at both sides, close enough to be cut by the picture's edge. */
function sides(stage: Stage): string {
  const { frame, light, look, mood } = stage;
  const random = stage.random.fork('sides');
  const tall = Math.min(frame.height * 0.92, frame.unit * 0.72);
  let data = '';
  for (const side of [0, 1]) {
    for (let index = 0; index < 4; index += 1) {
      const inward = (-0.02 + 0.062 * index + random.between(-0.012, 0.02)) * frame.unit;
      const height = tall * (1 - 0.2 * index) * random.between(0.8, 1.05);
      data += firPath(
        random,
        side === 0 ? inward : frame.width - inward,
        frame.height * 1.1,
        height * 1.08,
        13,
      );
    }
  }
  const colour = lit(stage, mix(materialsOf(mood.season).pine, light.shade, 0.5), 0);
  return element('path', { d: data, fill: colour, ...look.edge(stage) });
}

/** Draws the motif. */
export function drawForest(stage: Stage): string {
  const { frame, look, mood } = stage;
  const random = stage.random.fork('forest');
  if (random.chance(0.5) && !stage.motifs.includes('mountains')) return drawDeepForest(stage);
  const materials = materialsOf(mood.season);
  const horizon = frame.height * random.between(0.5, 0.58);
  const plan = planSky(stage, horizon);
  const leafy = mood.season === 'autumn' || mood.season === 'spring' || random.chance(0.3);
  const kind = backdropOf(stage, ['mountains'], 'hills');
  const rows = [
    { distance: 0.74, level: 0.12 },
    { distance: 0.54, level: 0.34 },
    { distance: 0.36, level: 0.6 },
    { distance: 0.18, level: 0.94 },
  ];
  const woods = rows
    .map(({ distance, level }, index) => {
      const label = `row${index}`;
      const base = horizon + (frame.height - horizon) * level;
      const profile = hills(random.fork(label), frame, {
        base,
        height: frame.rise * (0.3 - 0.03 * index),
        wavelength: frame.unit * 0.38,
        octaves: 3,
      });
      const land = look.land(stage, {
        ...landBelow(profile, frame, frame.height + 5),
        colour: mix(materials.grass, materials.pine, 0.45),
        distance,
        mist: 0.75,
      });
      const trees =
        leafy && index % 2 === 1
          ? drawLeafRow(stage, { label, profile, distance, density: 1.1 })
          : drawPineRow(stage, { label, profile, distance, density: 1.6, tops: index < 2 });
      return (
        trees + land + drawMist(stage, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance + 0.08)
      );
    })
    .join('');
  return (
    drawSky(stage, plan) +
    (kind === 'mountains'
      ? drawBackdrop(stage, 'mountains', horizon + frame.rise * 0.1, plan.sunX, 0.8)
      : '') +
    woods +
    sides(stage) +
    drawBloom(stage, plan)
  );
}
