/** The sky: its gradient, the sun or the moon, and the light they lay over the land. */
import { mix } from './colour';
import { cover } from './frame';
import { drawStars } from './night';
import type { Random } from './random';
import type { Stage, Sun } from './stage';
import { circle, fade, path, shape } from './svg';
import { drawClouds } from './weather';

/** How high above the horizon it is, as shares of the sky's height. */
const ALTITUDES = {
  dawn: [0.18, 0.34],
  day: [0.6, 0.78],
  golden: [0.26, 0.42],
  sunset: [0.1, 0.24],
  dusk: [0.5, 0.7],
  night: [0.52, 0.76],
} as const;

/** Chooses where the sun or the moon is; the time of day decides how high. */
export function placeSun({ frame, time, random: source }: Stage, horizon: number): Sun {
  const random = source.fork('sun');
  const share = random.chance(0.5) ? random.between(0.2, 0.4) : random.between(0.6, 0.8);
  const [low, high] = ALTITUDES[time];
  const altitude = random.between(low, high) * horizon;
  const large = time === 'sunset' || time === 'golden';
  const size = large ? random.between(0.05, 0.068) : random.between(0.034, 0.046);
  return { horizon, x: frame.width * share, y: horizon - altitude, radius: size * frame.unit };
}

/** What landscapes have in common; lengths in scene units. */
export interface Landscape {
  readonly random: Random;
  readonly horizon: number;
  /** From the horizon to the lower border. */
  readonly depth: number;
  readonly sun: Sun;
}

/** The landscape of a motif; its horizon lies between two shares of the height, 0 at the top. */
export function landscapeOf(stage: Stage, label: string, low: number, high = low): Landscape {
  const random = stage.random.fork(label);
  const { height } = stage.frame;
  const horizon = height * random.between(low, high);
  return { random, horizon, depth: height - horizon, sun: placeSun(stage, horizon) };
}

/** True when the moon is drawn. The dark style shows a luminous sun at the times it is low. */
export const showsMoon = ({ light, style, time }: Stage): boolean =>
  light.night && (style.name !== 'dark' || time === 'night' || time === 'day');

/** Draws the whole sky, over the full height of the scene. */
export function drawSky(stage: Stage, sun: Sun): string {
  const { frame, light, defs, style, mood } = stage;
  const [zenith, upper, lower, horizon] = light.sky;
  const low = style.name === 'photo' ? mix(horizon, light.glow, 0.25) : horizon;
  const fill = defs.vertical(0, sun.horizon, zenith, [0.42, upper], [0.78, lower], low);
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' || mood.weather === 'snow';
  return (
    cover(frame, fill) +
    (light.night && !veiled ? drawStars(stage, sun.horizon, 1) : '') +
    (mood.weather === 'rain' ? '' : drawSun(stage, sun, veiled ? 0.45 : 1)) +
    drawClouds(stage, sun)
  );
}

/** Draws the sun or the moon; `strength` below 1 is a light behind a veil. */
function drawSun(stage: Stage, sun: Sun, strength: number): string {
  const { light, style, defs } = stage;
  const { x, y, radius } = sun;
  const flat = style.name === 'illustration';
  const glow = flat ? rings(stage, sun) : halo(stage, sun, strength);
  if (showsMoon(stage)) return glow + moon(stage, sun, strength);
  const rim = fade(light.sun, [0.72, 1], [1, style.name === 'photo' ? 0 : 0.9]);
  const disc = defs.radial(x, y, radius, [mix(light.sun, '#ffffff', 0.75), ...rim]);
  return glow + circle(x, y, radius, flat ? light.sun : disc, { opacity: strength });
}

function halo({ frame, light, style, defs }: Stage, { x, y, radius }: Sun, strength: number): string {
  const photo = style.name === 'photo';
  const power = strength * (light.night ? 0.5 : photo ? 0.85 : 0.7);
  const [close, middle, far] = [power * 0.66, power * 0.27, power * 0.07];
  const stops = fade(light.glow, [0, power], [0.12, close], [0.35, middle], [0.65, far], [1, 0]);
  return cover(frame, defs.radial(x, y, (photo ? 13 : 9.5) * radius, stops));
}

/** Flat rings of ever paler sky: the illustrated way of showing a glow. */
const rings = ({ light }: Stage, { x, y, radius }: Sun): string =>
  [6.4, 4.4, 2.8, 1.8].map((factor) => circle(x, y, radius * factor, light.glow, { opacity: 0.2 })).join('');

/** The moon and the dark plains of a full one, in units of its radius. */
const CRESCENT = 'M0 -1A1 1 0 1 1 0 1A.82 1.02 0 0 0 0 -1Z';
const PLAINS =
  'M-.58 -.25a.28 .28 0 1 0 .56 0a.28 .28 0 1 0 -.56 0zM.08 -.05a.2 .2 0 1 0 .4 0a.2 .2 0 1 0 -.4 0z' +
  'M-.27 .38a.22 .22 0 1 0 .44 0a.22 .22 0 1 0 -.44 0zM.2 -.45a.12 .12 0 1 0 .24 0a.12 .12 0 1 0 -.24 0z';

function moon({ light, random }: Stage, { x, y, radius }: Sun, opacity: number): string {
  const transform = path`translate(${x} ${y}) scale(${radius * 0.95})`;
  if (random.fork('moon').chance(0.55)) {
    const tilt = path` rotate(${random.fork('tilt').between(-38, -12)})`;
    return shape(CRESCENT, light.sun, { opacity, transform: transform + tilt });
  }
  const plains = { opacity: 0.35 * opacity, transform };
  return (
    circle(x, y, radius * 0.95, light.sun, { opacity }) +
    shape(PLAINS, mix(light.sun, light.haze, 0.6), plains)
  );
}

const BLOOM = { plain: 0.2, photo: 0.36, dark: 0.16, illustration: 0, minimal: 0 } as const;

/** The veil of light that a low or bright sun lays over the finished land. */
export function drawBloom({ frame, light, style, defs, time, mood }: Stage, { x, y }: Sun): string {
  const low = time === 'sunset' || time === 'golden' || time === 'dawn';
  const veiled = mood.weather === 'rain' || mood.weather === 'fog' ? 0.4 : 1;
  const power = BLOOM[style.name] * (light.night ? 0.45 : low ? 1 : 0.6) * veiled;
  if (power === 0) return '';
  const stops = fade(light.glow, [0, power], [0.2, power * 0.56], [0.5, power * 0.2], [1, 0]);
  return cover(frame, defs.radial(x, y, 0.72 * frame.unit, stops));
}
