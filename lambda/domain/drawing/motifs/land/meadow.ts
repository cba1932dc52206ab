/** A meadow: rolling ground, a tree, and flowers that grow towards the viewer. */
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawTree } from '../../plants/broadleaf';
import { drawFlowerField } from '../../plants/flowers';
import { drawBirds } from '../../sky/birds';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { hills, landBelow } from '../../terrain/profile';

/** Draws the motif. */
export function drawMeadow(stage: Stage): string {
  const { frame, look, mood } = stage;
  const random = stage.random.fork('meadow');
  const materials = materialsOf(mood.season);
  const horizon = frame.height * random.between(0.5, 0.57);
  const depth = frame.height - horizon;
  const plan = planSky(stage, horizon);
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], random.chance(0.4) ? 'mountains' : 'hills');
  const ground = (label: string, level: number, height: number, distance: number, tone: number) => {
    const profile = hills(random.fork(label), frame, {
      base: horizon + depth * level,
      height: frame.rise * height,
      wavelength: frame.unit * 0.62,
      octaves: 2,
    });
    const colour = mix(materials.farGrass, materials.grass, tone);
    return {
      profile,
      marks: look.land(stage, {
        ...landBelow(profile, frame, frame.height + 5),
        colour,
        distance,
        mist: 0.4,
      }),
    };
  };
  const far = ground('far', 0.14, 0.24, 0.52, 0.3);
  const middle = ground('middle', 0.4, 0.3, 0.28, 0.7);
  const near = ground('near', 0.72, 0.24, 0.06, 1);
  const treeX =
    frame.width * (plan.sunX > frame.centre ? random.between(0.2, 0.34) : random.between(0.66, 0.8));
  return (
    drawSky(stage, plan) +
    drawBackdrop(stage, kind, horizon + depth * 0.04, plan.sunX, 0.62) +
    drawMist(stage, horizon + depth * 0.06, depth * 0.14, 0.4) +
    far.marks +
    drawTree(stage, random.fork('small-tree'), {
      x: frame.width - treeX,
      y: far.profile(frame.width - treeX) + 4,
      height: frame.unit * 0.08,
      distance: 0.45,
    }) +
    middle.marks +
    drawTree(stage, random.fork('tree'), {
      x: treeX,
      y: middle.profile(treeX) + 6,
      height: frame.unit * random.between(0.2, 0.27),
      distance: 0.2,
    }) +
    near.marks +
    drawFlowerField(stage, { top: middle.profile, bottom: frame.height }) +
    drawBirds(stage, horizon) +
    drawBloom(stage, plan)
  );
}
