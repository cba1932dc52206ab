/** What shines in a night sky: stars, the Milky Way, northern lights. */
import { createNoise } from './random';
import { outline, type Point } from './shapes';
import type { Stage } from './stage';
import { element, fade, group, line, path, shape } from './svg';

const MAGNITUDES = [
  { count: 150, size: 0.9, opacity: 0.5 },
  { count: 60, size: 1.5, opacity: 0.75 },
  { count: 18, size: 2.4, opacity: 0.95 },
] as const;

/** Draws stars above `horizon`: many faint, few bright; `density` 1 is a clear night over land. */
export function drawStars(
  { frame, style, time, light, random: source }: Stage,
  horizon: number,
  density: number,
): string {
  const dusk = time === 'dusk';
  const share = density * (dusk ? 0.45 : 1) * (0.4 + 0.6 * style.detail) * Math.min(3, frame.breadth);
  return MAGNITUDES.map(({ count, size, opacity }, magnitude) => {
    const random = source.fork(`stars${magnitude}/${density}`);
    let data = '';
    for (let star = 0; star < Math.round(count * share); star += 1) {
      const x = random.next() * frame.width;
      data += path`M${x} ${random.next() ** 1.25 * horizon * 0.94}h0`;
    }
    return line(data, magnitude === 2 ? light.sun : '#ffffff', size * 0.0016 * frame.unit, {
      'stroke-opacity': opacity * (dusk ? 0.7 : 1),
    });
  }).join('');
}

/** Draws the Milky Way, a tilted band of light with dark lanes and a dust of stars, and a shooting star beside it. */
export function drawMilkyWay({ frame, light, defs, style, random: source }: Stage, horizon: number): string {
  const random = source.fork('milky-way');
  const tilt = (random.chance(0.5) ? 1 : -1) * random.between(38, 62);
  const x = frame.width * random.between(0.36, 0.64);
  const long = Math.hypot(Math.min(frame.width, 1.8 * frame.unit), horizon) * 0.62;
  const glow = (colour: string, reach: number, squash: number, opacity: number, dx = 0, dy = 0): string => {
    const [cx, cy, rx] = [dx * long, dy * long, reach * long];
    const stops = fade(colour, [0, opacity], [0.45, opacity * 0.42], [1, 0]);
    return element('ellipse', { cx, cy, rx, ry: rx * squash, fill: defs.radial(cx, cy, rx, stops, squash) });
  };
  let dust = '';
  for (let grain = 0; grain < Math.round(300 * style.detail); grain += 1) {
    const distance = (random.next() + random.next() - 1) * long;
    dust += path`M${distance} ${(random.next() + random.next() + random.next() - 1.5) * long * 0.14}h0`;
  }
  const clouds = Array.from({ length: 6 }, (_, index) =>
    glow(
      index % 2 === 0 ? light.glow : light.accent,
      random.between(0.1, 0.24),
      0.42,
      style.name === 'photo' ? 0.2 : 0.14,
      random.between(-0.6, 0.6),
      random.between(-0.035, 0.035),
    ),
  );
  const lanes = Array.from({ length: 3 }, () =>
    glow(
      light.shade,
      random.between(0.2, 0.34),
      0.16,
      0.2,
      random.between(-0.35, 0.35),
      random.between(-0.02, 0.03),
    ),
  );
  const band =
    glow(light.glow, 1, 0.3, 0.3) +
    glow(light.glow, 0.85, 0.13, 0.34) +
    glow(light.sun, 0.3, 0.3, 0.3) +
    clouds.join('') +
    lanes.join('') +
    line(dust, '#ffffff', 0.0015 * frame.unit, { 'stroke-opacity': 0.75 });
  const start = { x: frame.width * random.between(0.15, 0.85), y: horizon * random.between(0.12, 0.4) };
  const tail = frame.unit * 0.12;
  const trail = defs.linear(
    start.x,
    start.y,
    start.x + tail,
    start.y + tail * 0.42,
    fade('#ffffff', [0, 0], [1, 0.95]),
  );
  return (
    group({ transform: path`translate(${x} ${horizon * 0.5}) rotate(${tilt})` }, band) +
    line(path`M${start.x} ${start.y}l${tail} ${tail * 0.42}`, trail, 0.002 * frame.unit)
  );
}

const AURORA_COLOURS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['#7dffc4', '#4fd8e8'],
  ['#5cf2b8', '#a886ff'],
  ['#8affa8', '#56b8ff'],
];

/** Folds laid over one another at this many heights make a soft edge without the cost of a blur. */
const AURORA_FOLDS = 5;

/** Draws northern lights: two or three curtains whose feet wind across the sky and whose rays fade upwards. */
export function drawAurora({ frame, defs, style, random: source }: Stage, horizon: number): string {
  const random = source.fork('aurora');
  const curtains = random.whole(2, 3);
  const margin = 0.08 * frame.unit;
  const steps = Math.min(160, Math.ceil((frame.width + 2 * margin) / (0.06 * frame.unit)));
  let marks = '';
  for (let index = 0; index < curtains; index += 1) {
    const own = random.fork(index);
    const bends = createNoise(own, 2);
    const flicker = createNoise(own.fork('flicker'));
    const [low, high] = own.pick(AURORA_COLOURS);
    const base = horizon * (0.48 + 0.17 * index);
    const tall = horizon * own.between(0.34, 0.5);
    const foot = (x: number): number =>
      base + horizon * 0.2 * bends((x - frame.centre) / (0.55 * frame.unit));
    const strength = (style.name === 'illustration' ? 0.2 : 0.13) * (1 - 0.14 * index);
    const fill = defs.vertical(base - tall, base + horizon * 0.14, [
      [0, high, 0],
      [0.3, high, strength * 0.1],
      [0.55, high, strength * 0.45],
      [0.82, low, strength],
      [1, low, strength * 0.5],
    ]);
    for (let fold = 0; fold < AURORA_FOLDS; fold += 1) {
      const t = fold / (AURORA_FOLDS - 1);
      const lower: Point[] = [];
      const upper: Point[] = [];
      for (let step = 0; step <= steps; step += 1) {
        const x = frame.centre + (step / steps - 0.5) * (frame.width + 2 * margin);
        const flame = flicker(((x - frame.centre) / frame.unit) * 4 + fold * 0.4);
        lower.push({ x, y: foot(x) + (t - 0.5) * 0.05 * horizon });
        upper.unshift({ x, y: foot(x) - tall * (0.3 + 0.7 * t) * (0.84 + 0.3 * flame) });
      }
      marks += shape(outline(lower, upper), fill);
    }
  }
  return marks;
}
