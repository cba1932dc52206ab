/** A beach: sand in front, surf across, a palm where it is warm. */

import { drawSailboat } from '../../built/boat';
import { lit } from '../../colour/lit';
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawPalm } from '../../plants/palm';
import { drawBirds } from '../../sky/birds';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { drawHeadland } from '../../terrain/headland';
import { hills, landBelow, type Profile } from '../../terrain/profile';
import { drawWater } from '../../terrain/water';

function surf(stage: Stage, shore: Profile, depth: number): string {
  const { frame, light } = stage;
  return [
    { rise: 0.16, width: 0.005, opacity: 0.35 },
    { rise: 0.075, width: 0.008, opacity: 0.55 },
    { rise: 0, width: 0.018, opacity: 0.9 },
  ]
    .map(({ rise, width, opacity }, index) => {
      const wobble = hills(stage.random.fork(`surf${index}`), frame, {
        base: 0,
        height: depth * 0.05,
        wavelength: frame.unit * 0.17,
      });
      const line = landBelow((x) => shore(x) - rise * depth + wobble(x), frame, frame.height, { count: 34 });
      return element('path', {
        d: line.crest,
        fill: 'none',
        stroke: mix('#ffffff', light.tint, light.tintAmount * 0.6),
        'stroke-width': width * frame.unit * 0.6,
        'stroke-opacity': opacity,
        'stroke-linecap': 'round',
      });
    })
    .join('');
}

/** Draws the motif. */
export function drawBeach(stage: Stage): string {
  const { frame, light, mood, canvas } = stage;
  const random = stage.random.fork('beach');
  const horizon = frame.height * random.between(0.46, 0.53);
  const depth = frame.height - horizon;
  const plan = planSky(stage, horizon);
  const away = plan.sunX > frame.centre ? 0 : 1;
  const lean = (away === 0 ? -1 : 1) * random.between(0.1, 0.2) * depth;
  const swing = hills(random.fork('shore'), frame, {
    base: 0,
    height: depth * 0.16,
    wavelength: frame.unit * 0.5,
  });
  // The sand rises towards the side where the palm stands.
  const shore: Profile = (x) =>
    horizon + depth * 0.66 + swing(x) - lean * ((x - frame.centre) / frame.width) * 2;
  const land = landBelow(shore, frame, frame.height + 5);
  const sand = lit(stage, materialsOf(mood.season).sand, 0);
  const wet = landBelow((x) => shore(x) + depth * 0.03, frame, frame.height + 5);
  const fill = canvas.linear(0, land.top, 0, frame.height, [
    [0, mix(sand, light.haze, 0.25)],
    [0.45, sand],
    [1, mix(sand, light.shade, 0.22)],
  ]);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  return (
    drawSky(stage, plan) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon, plan.sunX, 0.5)) +
    drawHeadland(stage, { label: 'cape', horizon, side: away, reach: 0.5, height: 0.24, distance: 0.7 }) +
    drawWater(stage, { top: horizon, bottom: frame.height, sunX: plan.sunX, waves: 0.5 }) +
    drawSailboat(stage, {
      x: frame.width * (away === 0 ? 0.6 : 0.36),
      y: horizon + depth * 0.07,
      height: frame.unit * 0.06,
    }) +
    surf(stage, shore, depth) +
    element('path', { d: land.path, fill: mix(sand, light.shade, 0.3) }) +
    element('path', { d: wet.path, fill }) +
    drawPalm(
      stage,
      {
        x: frame.width * (away === 0 ? 0.1 : 0.9),
        y: shore(frame.width * (away === 0 ? 0.1 : 0.9)) + depth * 0.2,
        height: Math.min(frame.height * 0.66, frame.unit * 0.55),
      },
      away === 0 ? 1 : -1,
    ) +
    drawBirds(stage, horizon) +
    drawBloom(stage, plan)
  );
}
