/** Draws what stands on the horizon and before it: rolling ground with firs, mountains, rows of towers. */
import { mix } from './colour';
import { edgeOf, litColour, positionsAlong, type Scene, shaded } from './scene';
import { box, curve, fade, type Point, path, polygon, repeat, shape } from './svg';

/** The y of a skyline at an x, both in scene units. */
export type Profile = (x: number) => number;

/** Rolling ground; lengths in scene units. */
export interface Hill {
  /** Decides its form. */
  readonly label: string;
  /** The y of its foot. */
  readonly base: number;
  readonly height: number;
  /** 0 at the viewer, 1 at the horizon. */
  readonly distance: number;
  readonly colour: string;
  /** Density of firs on it, 1 being a closed wood. */
  readonly firs?: number;
}

/** A rolling skyline between `base` and about `height` above it. */
export function skylineOf({ frame, random: source }: Scene, { label, base, height }: Hill): Profile {
  const random = source.fork(`hill/${label}`);
  const [broad, narrow] = [random.between(0, 7), random.between(0, 7)];
  return (x) => {
    const at = (10 * (x - frame.centre)) / frame.unit;
    return base - height * (0.5 + 0.22 * Math.sin(at + broad) + 0.12 * Math.sin(1.9 * at + narrow));
  };
}

/** The line of a skyline, beyond both borders. */
export function crestOf({ frame }: Scene, profile: Profile): string {
  const step = Math.max(frame.unit / 24, frame.width / 240);
  const reach = Math.ceil(frame.width / 2 / step) + 1;
  const xs = Array.from({ length: 2 * reach + 1 }, (_, at) => frame.centre + (at - reach) * step);
  return curve(xs.map((x) => ({ x, y: profile(x) })));
}

/** Draws rolling ground with firs behind its skyline; with a rim of light in the dark style. */
export function drawHill(scene: Scene, hill: Hill): string {
  const { frame, light, style } = scene;
  const { base, height, distance } = hill;
  const bottom = frame.height + 5;
  const profile = skylineOf(scene, hill);
  const crest = crestOf(scene, profile);
  const colour = litColour(scene, hill.colour, distance);
  const foot = mix(colour, light.haze, 0.12 + 0.35 * distance);
  const fill = shaded(scene, base - height, bottom, colour, foot);
  const rim = { stroke: light.glow, 'stroke-width': 0.0026 * frame.unit, opacity: 0.5 };
  return (
    drawFirs(scene, hill, profile) +
    shape(path`${crest}V${bottom}H${-frame.width}z`, fill) +
    shape(crest, 'none', style.dark ? rim : edgeOf(scene))
  );
}

/** Draws firs along a skyline, in clumps; in winter with snow on them. */
function drawFirs(scene: Scene, { label, distance, firs: density = 0 }: Hill, profile: Profile): string {
  const { frame, style, light, materials, reading } = scene;
  if (density === 0 || (style.detail === 0 && distance > 0.4)) return '';
  const source = scene.random.fork(`firs/${label}`);
  const height = frame.unit * (0.17 - 0.22 * Math.min(distance, 0.6));
  const data = positionsAlong(frame, source, (height * 0.3) / density, 0.4).map(({ x, random }) => {
    const at = (7.7 * (x - frame.centre)) / frame.unit;
    const clump = Math.sin(at + distance * 30) + Math.sin(2.7 * at);
    const foot = { x, y: profile(x) + height * 0.12 };
    const tall = height * random.between(0.55, 1.15) * (1 + 0.16 * clump);
    const breadth = tall * random.between(0.34, 0.48);
    return random.chance(0.62 + 0.3 * clump * density) ? firPath(foot, breadth, tall) : '';
  });
  const needles = mix(materials.pine, light.shade, style.dark ? 0.9 : 0.25 * (1 - distance));
  const green = litColour(scene, needles, distance);
  const transform = path`translate(0 ${-height * 0.035})`;
  const snow = shape(data.join(''), '#f8fbff', { transform, opacity: 1 - distance });
  return (reading.place === 'winter' ? snow : '') + shape(data.join(''), green, edgeOf(scene));
}

/** The outline of one fir with its foot at a point. */
function firPath({ x, y }: Point, breadth: number, height: number): string {
  const tiers = [0.2, 0.4, 0.6, 0.8, 1];
  const side = (sign: number): Point[] => {
    const to = (aside: number, up: number): Point => ({ x: x + sign * aside * breadth, y: y - up * height });
    const branches = tiers.flatMap((down) => [
      to(0.5 * down, 1 - 0.94 * down),
      to(0.25 * down, 1.02 - 0.94 * down),
    ]);
    return [to(0, 1), ...branches, to(0.06, 0.08), to(0.06, 0)];
  };
  return polygon([...side(1), ...side(-1).reverse()]);
}

/** Draws a range of mountains on `base`, the taller ones behind, each with a face in the shade and snow. */
export function drawRange(scene: Scene, base: number, height: number, distance: number, sunX: number) {
  const { frame, light, materials, defs } = scene;
  const source = scene.random.fork(`range/${distance}`);
  const spacing = 0.36 * height * (frame.unit / frame.rise);
  const snow = scene.reading.place === 'winter' ? 0.75 : source.between(0.25, 0.5);
  const rock = litColour(scene, mix(materials.rock, light.sky[0], 0.3 * distance), distance);
  const white = litColour(scene, mix('#f8fbff', light.glow, 0.25), distance * 0.55);
  const shade = fade(mix(rock, light.shade, 0.4), [0, 0.8], [1, 0]);
  const face = shaded(scene, base - height, base, rock, mix(rock, light.haze, 0.5));
  const dark = defs.vertical(base - height, base, ...shade);
  const tallest = source.pick([-1, 0, 1]);
  const peaks = positionsAlong(frame, source, spacing, 0.3, 2 * spacing).map(({ index, x, random }) => {
    const tall = height * (index === tallest ? 1 : random.between(0.42, 0.86));
    const half = spacing * (0.5 + (0.55 * tall) / height);
    /** A point beside the middle, as shares of the breadth and of the height from the summit down. */
    const at = (aside: number, down: number): Point => ({ x: x + aside * half, y: base - tall * (1 - down) });
    const slope = (side: number): Point[] =>
      [0.25, 0.5, 0.75, 1].map((t) => at(side * t + random.between(-0.04, 0.04), t));
    const [left, right] = [slope(-random.between(0.8, 1.15)), slope(random.between(0.8, 1.15))];
    const summit = at(0, 0);
    const cap = [-1, -0.6, -0.25, 0.15, 0.5, 1].map((aside, tooth) =>
      at(aside * snow * 0.9, snow * (tooth % 2 === 0 ? 0.85 : 1.1)),
    );
    const marks =
      shape(polygon([...left.toReversed(), summit, ...right]), face, edgeOf(scene)) +
      shape(polygon([summit, ...cap]), white) +
      shape(polygon([summit, ...(sunX > x ? left : right), at(0, 1), at(0.05, 0.6), at(-0.04, 0.3)]), dark);
    return { tall, marks };
  });
  return peaks
    .sort((a, b) => b.tall - a.tall)
    .map(({ marks }) => marks)
    .join('');
}

/** Draws a row of towers on `base`; `breadth` in units. Those far off show no windows. */
export function drawTowers(scene: Scene, base: number, tallest: number, breadth: number, distance: number) {
  const { frame, light, style, time } = scene;
  const spacing = breadth * frame.unit;
  const pane = Math.max(spacing * 0.07, 2.2);
  const lit = distance > 0.6 ? 0 : 0.35 * style.detail;
  let [walls, sides, windows] = ['', '', ''];
  for (const { x, random } of positionsAlong(frame, scene.random.fork(`towers/${distance}`), spacing, 0.12)) {
    const width = spacing * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const height = tallest * swell * random.between(0.38, 1);
    const top = base - height;
    walls += box(x, top, width, height + 2);
    sides += box(x + width * 0.64, top, width * 0.36, height + 2);
    if (random.chance(0.5)) walls += box(x + width * 0.16, top - width * 0.16, width * 0.68, width * 0.17);
    const columns = Math.max(2, Math.round(width / (pane * 2.5)));
    // Upright dashes: a stroke says in half the bytes what a rectangle would.
    windows += repeat(Math.min(24, Math.floor(height / (pane * 2.9))) * columns, (at) => {
      const [column, floor] = [at % columns, Math.floor(at / columns)];
      const start = path`M${x + (width / columns) * (column + 0.5)} ${top + pane * (1.6 + floor * 2.9)}`;
      return random.chance(lit) ? path`${start}v${pane * 1.5}` : '';
    });
  }
  const colour = litColour(scene, light.night ? '#3b4a66' : '#7d8aa3', distance);
  const [upper, lower] = [mix(colour, light.shade, 0.15), mix(colour, light.haze, 0.5)];
  const glass = light.night || time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  const shine = (light.night ? 0.85 : 0.42) * (1 - 0.5 * distance);
  return (
    shape(walls, shaded(scene, base - tallest, base, upper, lower), edgeOf(scene)) +
    shape(sides, light.shade, { 'fill-opacity': 0.16 }) +
    shape(windows, 'none', { stroke: glass, 'stroke-width': pane, 'stroke-opacity': shine })
  );
}
