/** Marks of a pen on a stretch of land: dashes, dots, waves or tufts, strewn and cut to its outline. */
import type { Random } from '../random/random';
import type { Land, Stage } from '../stage';
import { element, num } from '../svg/element';

type Mark = (x: number, y: number, size: number, random: Random) => string;

const MARKS: readonly [Mark, ...Mark[]] = [
  (x, y, size, random) => `M${num(x)} ${num(y)}h${num(size * random.between(0.4, 1.1))}`,
  (x, y) => `M${num(x)} ${num(y)}h0`,
  (x, y, size) =>
    `M${num(x)} ${num(y)}q${num(size * 0.3)} ${num(-size * 0.4)} ${num(size * 0.6)} 0t${num(size * 0.6)} 0`,
  (x, y, size) =>
    `M${num(x)} ${num(y)}l${num(size * 0.2)} ${num(-size * 0.5)}l${num(size * 0.2)} ${num(size * 0.5)}`,
];

/** Draws the marks in one colour; nearer land has larger and fewer ones. A repeated pattern would cost ten times as much to render. */
export function drawHandMarks(stage: Stage, { path, top, bottom, distance }: Land, colour: string): string {
  const { frame, canvas } = stage;
  const random = stage.random.fork(`marks${num(distance * 100)}`);
  const mark = random.pick(MARKS);
  const size = frame.unit * (0.03 - 0.017 * distance);
  // What lies deeper than this is hidden behind the next stretch of land.
  const deep = Math.min(bottom - top, 0.34 * frame.unit);
  const rows = Math.max(2, Math.round(deep / (size * 1.9)));
  const perRow = Math.min(26, Math.max(6, Math.round(frame.width / (size * 5))));
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    const y = top + ((row + 0.5) / rows) * deep;
    for (let index = 0; index < perRow; index += 1) {
      if (random.chance(0.3)) continue;
      const x = ((index + (row % 2) * 0.5 + random.between(-0.22, 0.22)) / perRow) * frame.width;
      data += mark(x, y + random.between(-0.3, 0.3) * size, size, random);
    }
  }
  return element('path', {
    d: data,
    fill: 'none',
    stroke: colour,
    'stroke-width': size * 0.13,
    'stroke-linecap': 'round',
    'clip-path': canvas.clip(path),
  });
}
