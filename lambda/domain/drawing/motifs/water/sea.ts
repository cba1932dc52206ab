/** The open sea, with an island, a sail or a lighthouse where the words or the seed want one. */

import { drawSailboat } from '../../built/boat';
import { drawLighthouse } from '../../built/lighthouse';
import { drawBirds } from '../../sky/birds';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import type { Stage } from '../../stage';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { drawHeadland } from '../../terrain/headland';
import { drawSwell } from '../../terrain/swell';
import { drawWater } from '../../terrain/water';

/** Draws the motif. */
export function drawSea(stage: Stage): string {
  const { frame, words } = stage;
  const random = stage.random.fork('sea');
  const horizon = frame.height * random.between(0.52, 0.6);
  const plan = planSky(stage, horizon);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  const tower =
    words.has('lighthouse') ||
    words.has('leuchtturm') ||
    words.has('phare') ||
    words.has('faro') ||
    random.chance(0.3);
  const away = plan.sunX > frame.centre ? 0 : 1;
  return (
    drawSky(stage, plan) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon, plan.sunX, 0.55)) +
    drawHeadland(stage, {
      label: 'far-cape',
      horizon,
      side: away,
      reach: 0.42,
      height: 0.3,
      distance: 0.78,
    }) +
    drawWater(stage, { top: horizon, bottom: frame.height, sunX: plan.sunX, waves: 0.8 }) +
    drawHeadland(stage, {
      label: 'cape',
      horizon: horizon + frame.height * 0.012,
      side: away,
      reach: 0.26,
      height: 0.34,
      distance: 0.45,
    }) +
    (tower
      ? drawLighthouse(stage, {
          x: frame.width * (away === 0 ? 0.075 : 0.925),
          y: horizon - frame.rise * 0.26,
          height: frame.rise * 0.36,
        })
      : '') +
    drawSailboat(stage, {
      x: plan.sunX + (away === 0 ? -0.16 : 0.16) * frame.width,
      y: horizon + frame.height * 0.06,
      height: frame.unit * 0.1,
    }) +
    drawSwell(stage, horizon) +
    drawBirds(stage, horizon) +
    drawBloom(stage, plan)
  );
}
