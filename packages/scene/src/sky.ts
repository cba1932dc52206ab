/** The sky: its gradient, stars, the sun or the moon, clouds, and what the air and the weather lay over the land. */
import { mix } from './colour';
import type { Random } from './random';
import { cover, type Scene, type Sun } from './scene';
import type { Time } from './subjects';
import { box, circle, element, ellipse, fade, group, line, path, repeat, type Stop, shape } from './svg';

/** How high above the horizon the sun or the moon is, as shares of the sky's height. */
const ALTITUDES: Readonly<Record<Time, readonly [number, number]>> = {
  dawn: [0.18, 0.34],
  day: [0.6, 0.78],
  golden: [0.26, 0.42],
  sunset: [0.1, 0.24],
  dusk: [0.5, 0.7],
  night: [0.52, 0.76],
};

/** Chooses where the sun or the moon is; the time of day decides how high. */
function placeSun({ frame, time, random: source }: Scene, horizon: number): Sun {
  const random = source.fork('sun');
  const share = random.chance(0.5) ? random.between(0.2, 0.4) : random.between(0.6, 0.8);
  const altitude = random.between(...ALTITUDES[time]) * horizon;
  const large = time === 'sunset' || time === 'golden';
  const size = large ? random.between(0.05, 0.068) : random.between(0.034, 0.046);
  return { horizon, x: frame.width * share, y: horizon - altitude, radius: size * frame.unit };
}

/**
 * The landscape of a subject, in scene units; its horizon lies between two shares of the height, 0 at the top, `depth`
 * reaches from there to the lower border, and `side` is the one away from the light.
 */
export function landscapeOf(scene: Scene, label: string, low: number, high = low) {
  const random = scene.random.fork(label);
  const { height, centre } = scene.frame;
  const horizon = height * random.between(low, high);
  const sun = placeSun(scene, horizon);
  return { random, horizon, depth: height - horizon, sun, side: sun.x > centre ? -1 : 1 };
}

/** True when the moon is drawn. The dark style shows a luminous sun at the times it is low. */
const showsMoon = ({ light, style, time }: Scene): boolean =>
  light.night && (!style.dark || time === 'night' || time === 'day');

/** Draws the whole sky, over the full height of the scene. */
function drawSky(scene: Scene, sun: Sun): string {
  const { frame, light, defs, style, mood } = scene;
  const [zenith, upper, lower, horizon] = light.sky;
  const low = style.detail === 1 ? mix(horizon, light.glow, 0.25) : horizon;
  const fill =
    style.detail === 0 ? horizon : defs.vertical(0, sun.horizon, zenith, [0.42, upper], [0.78, lower], low);
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' || mood.weather === 'snow';
  return (
    cover(frame, fill) +
    (light.night && !veiled ? drawStars(scene, sun.horizon, 1) : '') +
    (mood.weather === 'rain' ? '' : drawSun(scene, sun, veiled ? 0.45 : 1)) +
    drawClouds(scene, sun)
  );
}

/** Draws stars above `horizon`; `density` 1 is a clear night over land. */
export function drawStars(scene: Scene, horizon: number, density: number): string {
  const random = scene.random.fork(`stars${density}`);
  const dusk = scene.time === 'dusk' ? 0.6 : 1;
  const count = 150 * dusk * density * (0.4 + 0.6 * scene.style.detail);
  const dots = { count, size: 0.0014, opacity: 0.5 * dusk };
  return drawDots(scene, random, dots, () => random.next() ** 1.25 * horizon * 0.94);
}

type Dots = Readonly<Record<'count' | 'size' | 'opacity', number>>;

/** Three layers of white dots, each with fewer, larger and brighter ones than the layer before; sizes in units. */
function drawDots({ frame }: Scene, random: Random, { count, size, opacity }: Dots, y: () => number): string {
  return repeat(3, (layer) => {
    const dot = (): string => path`M${random.next() * frame.width} ${y()}h0`;
    const dots = repeat(Math.round(count * 0.38 ** layer * Math.min(3, frame.breadth)), dot);
    const strength = { 'stroke-opacity': opacity * (1 + 0.4 * layer) };
    return line(dots, '#ffffff', size * frame.unit * 1.7 ** layer, strength);
  });
}

/** The crescent of the moon, in units of its radius. */
const CRESCENT = 'M0 -1A1 1 0 1 1 0 1A.82 1.02 0 0 0 0 -1Z';

/** Draws the sun or the moon with the light around it; `opacity` below 1 is a light behind a veil. */
function drawSun(scene: Scene, { x, y, radius }: Sun, opacity: number): string {
  const { light, style, defs } = scene;
  const photo = style.detail === 1;
  const { flat } = style;
  const power = opacity * (light.night ? 0.5 : photo ? 0.85 : 0.7);
  const halo = (): string => glow(scene, { x, y, radius: (photo ? 13 : 9.5) * radius }, light.glow, power);
  // An illustration shows a glow as flat rings of ever paler sky.
  const rings = [6.4, 4.4, 2.8, 1.8].map((reach) =>
    circle(x, y, radius * reach, light.glow, { opacity: 0.2 }),
  );
  const shine = flat ? rings.join('') : halo();
  if (!showsMoon(scene)) {
    const rim = fade(light.sun, [0.72, 1], [1, photo ? 0 : 0.9]);
    const disc = flat ? light.sun : defs.radial(x, y, radius, [mix(light.sun, '#ffffff', 0.75), ...rim]);
    return shine + circle(x, y, radius, disc, { opacity });
  }
  const random = scene.random.fork('moon');
  const transform = path`translate(${x} ${y}) rotate(${random.between(-38, -12)}) scale(${radius * 0.95})`;
  return shine + shape(CRESCENT, light.sun, { opacity, transform });
}

/** Draws a landscape: the sky, its parts from far to near, and the veil of light that a low or bright sun lays on them. */
export function drawLandscape(scene: Scene, sun: Sun, parts: readonly string[]): string {
  const { frame, light, style, time, mood } = scene;
  const low = time === 'sunset' || time === 'golden' || time === 'dawn';
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' ? 0.4 : 1;
  const power = style.bloom * (light.night ? 0.45 : low ? 1 : 0.6) * veiled;
  const bloom = glow(scene, { ...sun, radius: 0.72 * frame.unit }, light.glow, power);
  return drawSky(scene, sun) + parts.join('') + bloom;
}

/** Draws the clouds that time of day and weather bring. */
function drawClouds(scene: Scene, sun: Sun): string {
  const { frame, mood, light, style } = scene;
  if (mood.weather === 'fog' || style.detail === 0) return '';
  const random = scene.random.fork('clouds');
  const heavy = mood.weather === 'rain' || mood.weather === 'cloudy';
  const few = heavy ? random.whole(7, 9) : light.night ? random.whole(0, 2) : random.whole(2, 5);
  return repeat(Math.min(48, Math.round(few * frame.breadth)), (index) => {
    const own = random.fork(index);
    const level = own.between(0.08, 0.78);
    const anywhere = own.between(-0.05, 1.05) * frame.width;
    const length = frame.unit * own.between(0.2, 0.38) * (1.15 - 0.75 * level);
    // They leave the sun free; a disc that shines through one looks like a hole.
    const clear = 0.6 * length + 1.3 * sun.radius;
    const isNear = Math.abs(anywhere - sun.x) < clear;
    const x = isNear ? sun.x + (anywhere < sun.x ? -clear : clear) : anywhere;
    return drawCloud(scene, own, x, level * sun.horizon, length);
  });
}

function drawCloud({ light, defs, style }: Scene, random: Random, x: number, level: number, length: number) {
  const height = length * random.between(0.2, 0.3);
  // A cloud is as high as 1.8 of its heights; one that the upper border cuts would look like a block.
  const y = Math.max(level, 2 * height);
  const puffs = random.whole(5, 7);
  const data = repeat(puffs, (index) => {
    const t = (index + 0.5) / puffs;
    const radius = height * (0.34 + 0.5 * Math.sin(Math.PI * t) ** 0.7) * random.between(0.8, 1.12);
    return ellipse(x + (t - 0.5) * length * 0.86, y - radius * 0.8, radius * 1.12, radius);
  });
  if (style.flat) {
    const flatBase = defs.clip(box(x - length, y - 2 * height, 2 * length, 2 * height));
    return group({ 'clip-path': flatBase }, shape(data, light.cloud, { opacity: 0.94 }));
  }
  const [upper, middle] = style.dark ? [0.5, 0.3] : [0.95, 0.75];
  const shaded: Stop = [0.55, mix(light.cloud, light.sky[2], 0.35), middle];
  const foot: Stop = [1, mix(light.cloud, light.sky[2], 0.7), 0];
  return shape(data, defs.vertical(y - height * 1.7, y, [0, light.cloud, upper], shaded, foot));
}

/** A soft bank of mist at a height, across the whole scene. */
export function drawMist({ frame, light, defs }: Scene, y: number, thickness: number, opacity: number) {
  const [top, bottom] = [y - thickness, y + thickness];
  const fill = defs.vertical(top, bottom, ...fade(light.haze, [0, 0], [0.5, opacity], [1, 0]));
  return element('rect', { y: top, width: frame.width, height: 2 * thickness, fill });
}

/** Draws the weather in front of everything else. */
export function drawWeather(scene: Scene): string {
  const { frame, mood } = scene;
  const random = scene.random.fork('weather');
  const anywhere = (): number => random.between(-0.05, 1) * frame.height;
  if (mood.weather === 'fog') return drawMist(scene, frame.height * 0.62, frame.height * 0.3, 0.5);
  const flakes = { count: 140, size: 0.0032, opacity: 0.45 };
  if (mood.weather === 'snow') return drawDots(scene, random, flakes, anywhere);
  if (mood.weather !== 'rain') return '';
  const drops = repeat(Math.round(170 * Math.min(3, frame.breadth)), () => {
    const length = frame.unit * random.between(0.02, 0.055);
    return path`M${random.between(0, 1.05) * frame.width} ${anywhere()}l${-length * 0.22} ${length}`;
  });
  return line(drops, '#e6eef6', 0.0014 * frame.unit, { 'stroke-opacity': 0.34 });
}

/** Darkens the corners of the finished scene where the style asks for it. */
export function drawFinish({ frame, light, style, defs }: Scene): string {
  if (style.vignette === 0) return '';
  const stops = fade(light.shade, [0.45, 0], [0.78, 0.3 * style.vignette], [1, style.vignette]);
  const radius = Math.hypot(frame.width, frame.height) / 2;
  return cover(frame, defs.radial(frame.centre, frame.height * 0.48, radius, stops));
}

/** Draws a soft round light of a strength from 0 to 1 in its middle. */
export function glow(
  { defs }: Scene,
  { x, y, radius }: Omit<Sun, 'horizon'>,
  colour: string,
  strength: number,
) {
  const stops = fade(colour, [0, strength], [0.12, 0.68 * strength], [0.4, 0.24 * strength], [1, 0]);
  return strength === 0 ? '' : circle(x, y, radius, defs.radial(x, y, radius, stops));
}
