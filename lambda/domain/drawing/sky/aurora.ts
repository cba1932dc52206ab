/** Northern lights: curtains whose feet wind across the sky and whose rays fade upwards. */
import { createNoise, layered } from '../random/noise';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { curve, curveOn, type Point } from '../svg/path';

type Hues = readonly [foot: string, rays: string];

const HUES: readonly [Hues, ...Hues[]] = [
  ['#7dffc4', '#4fd8e8'],
  ['#5cf2b8', '#a886ff'],
  ['#8affa8', '#56b8ff'],
];

/** Folds laid over one another at this many heights make a soft edge without the cost of a blur. */
const FOLDS = 5;

/** Draws two or three curtains above `horizon`. */
export function drawAurora(stage: Stage, horizon: number): string {
  const { frame, canvas, look } = stage;
  const random = stage.random.fork('aurora');
  const curtains = random.whole(2, 3);
  let marks = '';
  for (let index = 0; index < curtains; index += 1) {
    const own = random.fork(`curtain${index}`);
    const noise = layered(createNoise(own), 2, 0.5);
    const flicker = createNoise(own.fork('flicker'));
    const [low, high] = own.pick(HUES);
    const base = horizon * (0.48 + 0.17 * index);
    const tall = horizon * own.between(0.34, 0.5);
    const foot = (x: number): number =>
      base + horizon * 0.2 * noise((x - frame.centre) / (0.55 * frame.unit));
    const steps = Math.min(26, Math.round(17 * Math.max(1, frame.width / frame.unit)));
    const strength = (look.name === 'illustration' ? 0.2 : 0.13) * (1 - 0.14 * index);
    const fill = canvas.linear(0, base - tall, 0, base + horizon * 0.14, [
      [0, high, 0],
      [0.3, high, strength * 0.1],
      [0.55, high, strength * 0.45],
      [0.82, low, strength],
      [1, low, strength * 0.5],
    ]);
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const t = fold / (FOLDS - 1);
      const lower: Point[] = [];
      const upper: Point[] = [];
      for (let step = 0; step <= steps; step += 1) {
        const x = (-0.06 + (1.12 * step) / steps) * frame.width;
        const ray = tall * (0.3 + 0.7 * t) * (0.84 + 0.3 * flicker((x / frame.unit) * 4 + fold * 0.4));
        lower.push({ x, y: foot(x) + (t - 0.5) * 0.05 * horizon });
        upper.unshift({ x, y: foot(x) - ray });
      }
      const turn = upper[0] ?? { x: 0, y: 0 };
      marks += element('path', {
        d: `${curve(lower)}L${num(turn.x)} ${num(turn.y)}${curveOn(upper)}Z`,
        fill,
      });
    }
  }
  return marks;
}
