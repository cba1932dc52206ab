/** The illustrated look: bold flat colours, ink outlines, patterned ground. */
import { lit } from '../colour/lit';
import { adjust, mix } from '../colour/mix';
import type { Land, Look, Stage } from '../stage';
import { element } from '../svg/element';
import { drawHandMarks } from './hand-marks';

const inkOf = (stage: Stage): string => mix(stage.light.shade, '#000000', 0.15);

function land(stage: Stage, piece: Land): string {
  const { path, crest, colour, distance } = piece;
  const flat = lit(stage, colour, distance);
  const marks = drawHandMarks(stage, piece, adjust(flat, distance > 0.6 ? 1.07 : 0.88, 1.05));
  return (
    element('path', { d: path, fill: flat }) +
    marks +
    element('path', {
      d: crest,
      fill: 'none',
      stroke: inkOf(stage),
      'stroke-width': 0.0042 * stage.frame.unit * (1.15 - 0.5 * distance),
      'stroke-opacity': 1 - 0.35 * distance,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    })
  );
}

/** The look of `style=illustration`. */
export const illustrationLook: Look = {
  name: 'illustration',
  detail: 0.6,
  air: 0.55,
  land,
  edge: (stage, weight = 1) => ({
    stroke: inkOf(stage),
    'stroke-width': 0.0036 * stage.frame.unit * weight,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  }),
  finish: () => '',
};
