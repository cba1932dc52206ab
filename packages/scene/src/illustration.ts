/** The illustration style's land: flat colours, ink outlines, and marks of a pen. */
import { adjust, mix } from './colour';
import { along } from './frame';
import type { Random } from './random';
import { type Land, lit, type Stage } from './stage';
import { line, path, shape } from './svg';

export const inkOf = ({ light }: Stage): string => mix(light.shade, '#000000', 0.15);

type Mark = (x: number, y: number, size: number, random: Random) => string;

const MARKS: readonly [Mark, ...Mark[]] = [
  (x, y, size, random) => path`M${x} ${y}h${size * random.between(0.4, 1.1)}`,
  (x, y) => path`M${x} ${y}h0`,
  (x, y, size) => path`M${x} ${y}q${size * 0.3} ${-size * 0.4} ${size * 0.6} 0t${size * 0.6} 0`,
  (x, y, size) => path`M${x} ${y}l${size * 0.2} ${-size * 0.5}l${size * 0.2} ${size * 0.5}`,
];

/** Dashes, dots, waves or tufts, cut to the land's outline; nearer land has larger and fewer ones. */
function drawMarks(stage: Stage, { path: outline, top, bottom, distance }: Land, colour: string): string {
  const { frame, defs } = stage;
  const random = stage.random.fork(`marks${distance}`);
  const mark = random.pick(MARKS);
  const size = frame.unit * (0.03 - 0.017 * distance);
  // What lies deeper than this is hidden behind the next piece of land.
  const deep = Math.min(bottom - top, 0.34 * frame.unit);
  const rows = Math.min(14, Math.max(2, Math.round(deep / (size * 1.9))));
  const spacing = Math.max(size * 5, frame.unit * 0.065 * frame.breadth ** 0.85);
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    const y = top + ((row + 0.5) / rows) * deep;
    for (const { x, random: own } of along(frame, random.fork(row), spacing, { jitter: 0.22 })) {
      if (own.chance(0.3)) continue;
      data += mark(x + (row % 2) * 0.5 * spacing, y + own.between(-0.3, 0.3) * size, size, own);
    }
  }
  return line(data, colour, size * 0.13, { 'clip-path': defs.clip(outline) });
}

/** Draws a piece of land; its marks are drawn one by one, as a repeated pattern would take ten times as long to render. */
export function drawIllustratedLand(stage: Stage, land: Land): string {
  const { path: outline, crest, colour, distance } = land;
  const flat = lit(stage, colour, distance);
  return (
    shape(outline, flat) +
    drawMarks(stage, land, adjust(flat, distance > 0.6 ? 1.07 : 0.88, 1.05)) +
    line(crest, inkOf(stage), 0.0042 * stage.frame.unit * (1.15 - 0.5 * distance), {
      'stroke-opacity': 1 - 0.35 * distance,
      'stroke-linejoin': 'round',
    })
  );
}
