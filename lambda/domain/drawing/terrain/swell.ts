/** The sea's long waves in front: a few translucent folds with light on their backs. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { hills, landBelow } from './profile';

/** Draws the folds between the horizon and the lower edge. */
export function drawSwell(stage: Stage, horizon: number): string {
  const { frame, light, canvas, look } = stage;
  const depth = frame.height - horizon;
  const water = materialsOf(stage.mood.season).water;
  return [0.3, 0.52, 0.78]
    .map((level, index) => {
      const profile = hills(stage.random.fork(`swell${index}`), frame, {
        base: horizon + depth * (level + 0.04),
        height: depth * 0.09,
        wavelength: frame.unit * (0.14 + 0.09 * index),
        octaves: 2,
      });
      const { path, crest, top } = landBelow(profile, frame, frame.height + 5, { count: 44 });
      const colour = mix(lit(stage, water, 0), light.sky[0], 0.5 + 0.08 * index);
      const fill = canvas.linear(0, top, 0, top + depth * 0.5, [
        [0, mix(colour, light.sky[2], 0.3), 0.4],
        [1, mix(colour, light.shade, 0.25), 0.5],
      ]);
      const foam = element('path', {
        d: crest,
        fill: 'none',
        stroke: mix(light.sun, light.sky[3], 0.4),
        'stroke-width': frame.unit * 0.0022 * (1 + index * 0.6),
        'stroke-opacity': look.name === 'illustration' ? 0.9 : 0.3,
      });
      return element('path', { d: path, fill }) + foam;
    })
    .join('');
}
