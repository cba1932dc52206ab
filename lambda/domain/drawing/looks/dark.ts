/** The dark look: deep tones for dark interfaces, with luminous edges. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Land, Look, Stage } from '../stage';
import { element } from '../svg/element';

function land(stage: Stage, { path, crest, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, canvas, frame } = stage;
  const upper = mix(mix(lit(stage, colour, distance * 0.8), light.haze, 0.2), light.shade, 0.35);
  // A faintly glowing mist at the foot of each layer sets off what stands before it.
  const foot = mix(upper, light.haze, Math.min(0.85, mist * (0.5 + distance)));
  const fill = canvas.linear(0, top, 0, bottom, [
    [0, upper],
    [0.3, mix(upper, foot, 0.3)],
    [1, foot],
  ]);
  const rim = element('path', {
    d: crest,
    fill: 'none',
    stroke: light.glow,
    'stroke-width': 0.0022 * frame.unit * (1.4 - distance * 0.7),
    'stroke-opacity': 0.3 + 0.4 * distance,
    'stroke-linejoin': 'round',
  });
  return element('path', { d: path, fill }) + rim;
}

function finish(stage: Stage): string {
  const { width, height } = stage.frame;
  const edge = stage.canvas.radial(width / 2, height / 2, Math.hypot(width, height) / 2, [
    [0.5, stage.light.shade, 0],
    [1, stage.light.shade, 0.55],
  ]);
  return element('rect', { width, height, fill: edge });
}

/** The look of `style=dark`. */
export const darkLook: Look = { name: 'dark', detail: 0.75, air: 0.9, land, edge: () => ({}), finish };
