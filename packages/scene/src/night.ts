/** What shines in a night sky: stars, the Milky Way, northern lights. */
import { createNoise } from './random';
import type { Stage } from './stage';
import { element, fade, group, line, outline, type Point, path, repeat, shape } from './svg';

/** Draws stars above `horizon`: many faint, few bright; `density` 1 is a clear night over land. */
export function drawStars(stage: Stage, horizon: number, density: number): string {
  const { frame, style, time, light } = stage;
  const dusk = time === 'dusk';
  const share = density * (dusk ? 0.45 : 1) * (0.4 + 0.6 * style.detail) * Math.min(3, frame.breadth);
  const stars = (layer: number, count: number, size: number, opacity: number, colour: string): string => {
    const random = stage.random.fork(`stars${layer}/${density}`);
    const star = (): string =>
      path`M${random.next() * frame.width} ${random.next() ** 1.25 * horizon * 0.94}h0`;
    const faint = { 'stroke-opacity': opacity * (dusk ? 0.7 : 1) };
    return line(repeat(Math.round(count * share), star), colour, size * 0.0016 * frame.unit, faint);
  };
  const faint = stars(0, 150, 0.9, 0.5, '#ffffff') + stars(1, 60, 1.5, 0.75, '#ffffff');
  return faint + stars(2, 18, 2.4, 0.95, light.sun);
}

/** Draws the Milky Way: a tilted band of light with dark lanes and a dust of stars, and a shooting star. */
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
  const dust = repeat(Math.round(300 * style.detail), () => {
    const distance = (random.next() + random.next() - 1) * long;
    return path`M${distance} ${(random.next() + random.next() + random.next() - 1.5) * long * 0.14}h0`;
  });
  const strength = style.name === 'photo' ? 0.2 : 0.14;
  const clouds = repeat(6, (index) => {
    const [reach, dx, dy] = [
      random.between(0.1, 0.24),
      random.between(-0.6, 0.6),
      random.between(-0.035, 0.035),
    ];
    return glow(index % 2 === 0 ? light.glow : light.accent, reach, 0.42, strength, dx, dy);
  });
  const lanes = repeat(3, () => {
    const [reach, dx, dy] = [
      random.between(0.2, 0.34),
      random.between(-0.35, 0.35),
      random.between(-0.02, 0.03),
    ];
    return glow(light.shade, reach, 0.16, 0.2, dx, dy);
  });
  const band =
    glow(light.glow, 1, 0.3, 0.3) +
    glow(light.glow, 0.85, 0.13, 0.34) +
    glow(light.sun, 0.3, 0.3, 0.3) +
    clouds +
    lanes +
    line(dust, '#ffffff', 0.0015 * frame.unit, { 'stroke-opacity': 0.75 });
  const start = { x: frame.width * random.between(0.15, 0.85), y: horizon * random.between(0.12, 0.4) };
  const tail = frame.unit * 0.12;
  const stops = fade('#ffffff', [0, 0], [1, 0.95]);
  const trail = defs.linear(start.x, start.y, start.x + tail, start.y + tail * 0.42, ...stops);
  return (
    group({ transform: path`translate(${x} ${horizon * 0.5}) rotate(${tilt})` }, band) +
    line(path`M${start.x} ${start.y}l${tail} ${tail * 0.42}`, trail, 0.002 * frame.unit)
  );
}

/** The colours of a curtain at its foot and at its top. */
const AURORA_COLOURS = ['#7dffc4 #4fd8e8', '#5cf2b8 #a886ff', '#8affa8 #56b8ff'] as const;

/** Folds laid over one another at these shares of a curtain make a soft edge without the cost of a blur. */
const AURORA_FOLDS = [0, 0.25, 0.5, 0.75, 1] as const;

/** Draws northern lights: curtains whose feet wind across the sky and whose rays fade upwards. */
export function drawAurora({ frame, defs, style, random: source }: Stage, horizon: number): string {
  const random = source.fork('aurora');
  const breadth = frame.width + 0.16 * frame.unit;
  const steps = Math.min(160, Math.ceil(breadth / (0.06 * frame.unit)));
  const curtain = (index: number): string => {
    const own = random.fork(index);
    const bends = createNoise(own, 2);
    const flicker = createNoise(own.fork('flicker'));
    const [low = '', high = ''] = own.pick(AURORA_COLOURS).split(' ');
    const base = horizon * (0.48 + 0.17 * index);
    const tall = horizon * own.between(0.34, 0.5);
    const strength = (style.name === 'illustration' ? 0.2 : 0.13) * (1 - 0.14 * index);
    const rays = fade(high, [0, 0], [0.3, strength * 0.1], [0.55, strength * 0.45]);
    const foot = fade(low, [0.82, strength], [1, strength * 0.5]);
    const fill = defs.vertical(base - tall, base + horizon * 0.14, ...rays, ...foot);
    const folds = AURORA_FOLDS.map((t, fold) => {
      const edge = (height: (away: number) => number): Point[] =>
        Array.from({ length: steps + 1 }, (_, step) => {
          const away = ((step / steps - 0.5) * breadth) / frame.unit;
          const y = base + horizon * 0.2 * bends(away / 0.55) - height(away);
          return { x: frame.centre + away * frame.unit, y };
        });
      const lower = edge(() => (0.5 - t) * 0.05 * horizon);
      const flame = (away: number): number => 0.84 + 0.3 * flicker(away * 4 + fold * 0.4);
      return outline(lower, edge((away) => tall * (0.3 + 0.7 * t) * flame(away)).reverse());
    });
    return folds.map((fold) => shape(fold, fill)).join('');
  };
  return repeat(random.whole(2, 3), curtain);
}
