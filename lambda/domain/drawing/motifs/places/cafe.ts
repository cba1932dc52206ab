/** A street café: a house front with awnings, lit windows, tables under parasols, a string of lamps. */

import { drawBistroSet } from '../../built/bistro-set';
import { drawHouseFront } from '../../built/house-front';
import { drawLampString } from '../../built/lamp-string';
import { drawPlanter } from '../../built/planter';
import { lit } from '../../colour/lit';
import { mix } from '../../colour/mix';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import type { Stage } from '../../stage';
import { element, num } from '../../svg/element';

/** Draws the motif. */
export function drawCafe(stage: Stage): string {
  const { frame, light, canvas, look } = stage;
  const random = stage.random.fork('cafe');
  const ground = frame.height * random.between(0.77, 0.81);
  const plan = planSky(stage, ground * 0.6);
  const storey = Math.min(frame.height * 0.205, frame.unit * 0.2);
  const pastel = ['#e8c9a4', '#d9a58a', '#c9b8c4', '#b9c7bd', '#e5d3b8', '#c98f7a', '#a8b6c4'] as const;
  const awnings = random.pick([
    ['#c8473c', '#2f6f73', '#d08a3c'],
    ['#2f6f73', '#c8473c', '#5a6fa8'],
    ['#b8434f', '#3f7a55', '#c8743c'],
  ]);
  const breadth = Math.max(storey * random.between(1.25, 1.45), frame.width / 11);
  const reach = Math.ceil(frame.width / 2 / breadth + 0.5);
  let fronts = '';
  let terrace = '';
  for (let place = -reach; place <= reach; place += 1) {
    const own = random.fork(`house${place}`);
    const x = frame.centre + (place - 0.5) * breadth;
    fronts += drawHouseFront(stage, own, {
      x,
      ground,
      width: breadth,
      storey,
      storeys: own.whole(2, 3) + (frame.height > 1.2 * frame.width ? 1 : 0),
      wall: own.pick(pastel),
      awning: awnings[(place + reach) % awnings.length] ?? '#c8473c',
    });
    if (own.chance(0.45))
      terrace += drawPlanter(stage, own, {
        x,
        y: ground + storey * 0.08,
        height: storey * own.between(0.26, 0.4),
      });
  }
  const sets = Math.max(2, Math.min(8, Math.round(frame.width / (storey * 1.15))));
  for (let index = 0; index < sets; index += 1) {
    const own = random.fork(`set${index}`);
    const row = index % 2;
    terrace +=
      row === 0
        ? drawBistroSet(stage, own, {
            x: ((index + 0.5 + own.between(-0.15, 0.15)) / sets) * frame.width,
            y: ground + storey * 0.2,
            height: storey * 0.34,
            parasol: own.chance(0.5) ? (awnings[index % awnings.length] ?? '#c8473c') : undefined,
          })
        : '';
  }
  for (let index = 0; index < sets; index += 1) {
    const own = random.fork(`near${index}`);
    if (index % 2 === 0) continue;
    terrace += drawBistroSet(stage, own, {
      x: ((index + 0.5 + own.between(-0.1, 0.1)) / sets) * frame.width,
      y: ground + storey * 0.46,
      height: storey * 0.44,
      parasol: own.chance(0.72) ? (awnings[(index + 1) % awnings.length] ?? '#c8473c') : undefined,
    });
  }
  const stone = lit(stage, '#b8a796', 0);
  const paving = canvas.linear(0, ground, 0, frame.height, [
    [0, mix(stone, light.haze, 0.3)],
    [1, mix(stone, light.shade, 0.35)],
  ]);
  let joints = '';
  const rows = 7;
  for (let row = 1; row <= rows; row += 1) {
    const y = ground + (frame.height - ground) * (row / rows) ** 1.7;
    joints += `M0 ${num(y)}H${num(frame.width)}`;
  }
  for (let index = -14; index <= 14; index += 1) {
    joints += `M${num(frame.centre + index * frame.width * 0.06)} ${num(ground)}L${num(frame.centre + index * frame.width * 0.2)} ${num(frame.height)}`;
  }
  return (
    drawSky(stage, { ...plan, horizon: ground * 0.8 }) +
    fronts +
    element('rect', { y: ground, width: frame.width, height: frame.height - ground, fill: paving }) +
    element('path', {
      d: joints,
      fill: 'none',
      stroke: light.shade,
      'stroke-opacity': 0.13,
      'stroke-width': frame.unit * (look.name === 'illustration' ? 0.0026 : 0.0016),
    }) +
    element('rect', {
      y: ground,
      width: frame.width,
      height: (frame.height - ground) * 0.5,
      fill: canvas.linear(0, ground, 0, ground + (frame.height - ground) * 0.5, [
        [0, light.night ? light.accent : light.shade, 0.24],
        [1, light.shade, 0],
      ]),
    }) +
    terrace +
    drawLampString(stage, { y: ground - storey * 1.62, sag: storey * 0.2, span: storey * 1.9 })
  );
}
