/** A city: towers behind towers, a river in front of them, windows lit when the light is low. */
import { drawTowers } from '../../built/skyline';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { drawWater } from '../../terrain/water';

/** Draws the motif. */
export function drawCity(stage: Stage): string {
  const { frame, look, light } = stage;
  const random = stage.random.fork('city');
  const horizon = frame.height * random.between(0.72, 0.79);
  const plan = planSky(stage, horizon * 0.86);
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const lights = light.night ? 0.62 : 0.5;
  const kind = backdropOf(stage, ['mountains'], 'hills');
  const rows =
    drawTowers(stage, {
      label: 'third',
      base: horizon,
      height: tall,
      breadth: frame.unit * 0.062,
      distance: 0.8,
      windows: 0,
    }) +
    drawMist(stage, horizon, tall * 0.4, 0.4) +
    drawTowers(stage, {
      label: 'second',
      base: horizon,
      height: tall * 0.78,
      breadth: frame.unit * 0.078,
      distance: 0.5,
      windows: lights * 0.6 * look.detail,
    }) +
    drawMist(stage, horizon, tall * 0.26, 0.4) +
    drawTowers(stage, {
      label: 'first',
      base: horizon,
      height: tall * 0.5,
      breadth: frame.unit * 0.1,
      distance: 0.14,
      windows: lights * look.detail,
    });
  return (
    drawSky(stage, { ...plan, horizon }) +
    (kind === 'mountains' ? drawBackdrop(stage, 'mountains', horizon, plan.sunX, 0.9) : '') +
    element('g', { id: 'far' }, rows) +
    drawWater(stage, { top: horizon, bottom: frame.height, sunX: plan.sunX, waves: 0.35, mirrored: 'far' }) +
    drawBloom(stage, plan)
  );
}
