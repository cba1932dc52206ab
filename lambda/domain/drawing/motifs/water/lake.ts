/** A lake: still water that mirrors what stands at its far end, firs at the viewer's feet. */
import { drawFraming } from '../../plants/framing';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { hills } from '../../terrain/profile';
import { drawWater } from '../../terrain/water';

/** Draws the motif. */
export function drawLake(stage: Stage): string {
  const { frame } = stage;
  const random = stage.random.fork('lake');
  const horizon = frame.height * random.between(0.56, 0.61);
  const plan = planSky(stage, horizon);
  const kind = backdropOf(
    stage,
    ['mountains', 'city', 'forest'],
    random.chance(0.6) ? 'mountains' : 'forest',
  );
  const near = hills(random.fork('near'), frame, {
    base: frame.height,
    height: frame.height * 0.07,
    wavelength: frame.unit * 0.5,
    octaves: 3,
  });
  return (
    drawSky(stage, plan) +
    element('g', { id: 'far' }, drawBackdrop(stage, kind, horizon, plan.sunX)) +
    drawWater(stage, { top: horizon, bottom: frame.height, sunX: plan.sunX, waves: 0.12, mirrored: 'far' }) +
    drawFraming(stage, { ground: near, away: plan.sunX }) +
    drawBloom(stage, plan)
  );
}
