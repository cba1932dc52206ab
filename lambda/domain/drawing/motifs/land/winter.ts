/** Winter: snow on rolling ground, firs that carry it, a cabin with a light in the window. */

import { drawCabin } from '../../built/cabin';
import { mix } from '../../colour/mix';
import { drawSnowyFirs } from '../../plants/snowy-firs';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { drawBackdrop } from '../../terrain/backdrop';
import { hills, landBelow } from '../../terrain/profile';

/** Draws the motif. */
export function drawWinter(bare: Stage): string {
  const stage: Stage = { ...bare, mood: { ...bare.mood, season: 'winter' } };
  const { frame, look, light } = stage;
  const random = stage.random.fork('winter');
  const horizon = frame.height * random.between(0.52, 0.58);
  const depth = frame.height - horizon;
  const plan = planSky(stage, horizon);
  const ground = (label: string, level: number, height: number, distance: number) => {
    const profile = hills(random.fork(label), frame, {
      base: horizon + depth * level,
      height: frame.rise * height,
      wavelength: frame.unit * 0.55,
    });
    const colour = mix('#eef4fb', light.sky[1], 0.06 + 0.1 * distance);
    return {
      profile,
      marks: look.land(stage, {
        ...landBelow(profile, frame, frame.height + 5),
        colour,
        distance: distance * 0.6,
        mist: 0.3,
      }),
    };
  };
  const far = ground('far', 0.16, 0.2, 0.7);
  const middle = ground('middle', 0.42, 0.2, 0.4);
  const near = ground('near', 0.86, 0.2, 0.05);
  const spot =
    frame.width * (plan.sunX > frame.centre ? random.between(0.28, 0.4) : random.between(0.6, 0.72));
  return (
    drawSky(stage, plan) +
    drawBackdrop(
      stage,
      random.chance(0.65) ? 'mountains' : 'forest',
      horizon + depth * 0.06,
      plan.sunX,
      0.72,
    ) +
    far.marks +
    drawSnowyFirs(stage, { label: 'far', profile: far.profile, distance: 0.55, count: 26 }) +
    drawMist(stage, horizon + depth * 0.22, depth * 0.14, 0.35) +
    middle.marks +
    drawSnowyFirs(stage, {
      label: 'middle',
      profile: middle.profile,
      distance: 0.3,
      count: 15,
      clear: spot,
    }) +
    drawCabin(stage, { x: spot, y: middle.profile(spot) + frame.unit * 0.03, height: frame.unit * 0.1 }) +
    near.marks +
    drawSnowyFirs(stage, { label: 'near', profile: near.profile, distance: 0.02, count: 7, clear: spot }) +
    drawBloom(stage, plan)
  );
}
