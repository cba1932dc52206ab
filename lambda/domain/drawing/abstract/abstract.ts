/** A composition without a subject, whose form follows from the words. */
import { mix } from '../colour/mix';
import { createRandom } from '../random/random';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { drawArcs } from './arcs';
import { drawFacets } from './facets';
import { drawOrbs } from './orbs';
import { drawRibbons } from './ribbons';
import { swatchFor } from './swatch';

const FORMS = [drawRibbons, drawOrbs, drawArcs, drawFacets] as const;

/** Draws the motif. */
export function drawAbstract(stage: Stage): string {
  const { frame, canvas } = stage;
  const swatch = swatchFor(createRandom(`swatch/${stage.lightKey}`), stage.look.name, stage.light.night);
  const form = createRandom(`form/${[...stage.words].join(' ')}`).pick(FORMS);
  const base = element('rect', {
    width: frame.width,
    height: frame.height,
    fill: canvas.linear(0, 0, frame.width * 0.3, frame.height, [
      [0, swatch.back],
      [1, mix(swatch.back, swatch.colours[3], 0.55)],
    ]),
  });
  return base + form(stage, swatch);
}
