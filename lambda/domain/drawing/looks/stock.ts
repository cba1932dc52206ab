/** The plain look: soft gradients, layered air, no outlines. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Land, Look, Stage } from '../stage';
import { element } from '../svg/element';

function land(stage: Stage, { path, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const upper = lit(stage, colour, distance);
  const foot = mix(upper, stage.light.haze, mist * (0.25 + 0.6 * distance));
  const fill = stage.canvas.linear(0, top, 0, bottom, [
    [0, upper],
    [0.35, mix(upper, foot, 0.25)],
    [1, foot],
  ]);
  return element('path', { d: path, fill });
}

/** The look of a request without a style. */
export const stockLook: Look = {
  name: 'stock',
  detail: 0.7,
  air: 1,
  land,
  edge: () => ({}),
  finish: () => '',
};
