/** Draws the sky: its gradient, stars, sun or moon, clouds, and the mist and weather over the land. */
import { drawCover, type Scene, type Sun, scaledCount } from './scene';
import { circle, fade, line, path, repeat, shape, tag } from './svg';

/** Height of the sun or the moon above the horizon by the time of day, as a share of the sky's height. */
const altitudes = { dawn: 0.26, day: 0.69, golden: 0.34, sunset: 0.17, dusk: 0.6, night: 0.64 };

/** Places the sun or the moon. */
export function placeSun({ frame, time, random }: Scene, horizon: number): Sun {
  const share = random.fork('sun').between(0.2, 0.4);
  const size = time === 'sunset' || time === 'golden' ? 0.06 : 0.04;
  return { x: frame.width * share, y: horizon * (1 - altitudes[time]), radius: size * frame.unit };
}

/** Draws the sky, the land (from far to near) and the veil of light that a low or bright sun lays on it. */
export function drawUnderSky(scene: Scene, sun: Sun, horizon: number, land: string): string {
  const { frame, light, defs, style, time, mood } = scene;
  const [zenith, upper, lower, low] = light.sky;
  const veiled = mood.weather !== undefined && mood.weather !== 'cloudy';
  const fill =
    style.detail === 0 ? low : defs.vertical(0, horizon, zenith, [0.42, upper], [0.78, lower], low);
  const power = (light.night ? 0.45 : time === 'day' || time === 'dusk' ? 0.6 : 1) * (veiled ? 0.4 : 1);
  return (
    drawCover(frame, fill) +
    (light.night && !veiled ? drawStars(scene, horizon) : '') +
    (mood.weather === 'rain' ? '' : drawSun(scene, sun, veiled ? 0.45 : 1)) +
    drawClouds(scene, sun, horizon) +
    land +
    drawGlow(scene, { ...sun, radius: 0.72 * frame.unit }, light.glow, style.bloom * power)
  );
}

/** Draws stars above the horizon. */
function drawStars(scene: Scene, horizon: number): string {
  const random = scene.random.fork('stars');
  const count = scene.reading.place === 'stars' ? 360 : 120;
  return drawDots(scene, random.next, count, 0.0014, () => random.next() ** 1.25 * horizon * 0.94);
}

/** Draws three layers of white dots at heights `y`, each with fewer and larger ones; `size` in units. */
function drawDots(scene: Scene, next: () => number, count: number, size: number, y: () => number): string {
  const { width, unit } = scene.frame;
  return repeat(3, (layer) => {
    const dots = repeat(scaledCount(scene, count * 0.38 ** layer), () => path`M${next() * width} ${y()}h0`);
    return line(dots, '#ffffff', size * unit * 1.7 ** layer, { 'stroke-opacity': 0.5 + 0.2 * layer });
  });
}

/** The crescent of the moon, in units of its radius. */
const crescent = 'M0 -1A1 1 0 1 1 0 1A.82 1.02 0 0 0 0 -1Z';

/** Draws the sun or the moon with the light around it; `opacity` below 1 is a light behind a veil. */
function drawSun(scene: Scene, { x, y, radius }: Sun, opacity: number): string {
  const { light, style, defs, time } = scene;
  const strength = opacity * (light.night ? 0.5 : 0.75);
  const shine = drawGlow(scene, { x, y, radius: 10 * radius }, light.glow, strength);
  // The dark style shows a luminous sun at the times it is low.
  if (light.night && (!style.dark || time === 'night' || time === 'day')) {
    const transform = path`translate(${x} ${y}) rotate(-25) scale(${radius * 0.95})`;
    return shine + shape(crescent, light.sun, { opacity, transform });
  }
  const rim = fade(light.sun, [0.72, 1], [1, style.detail === 1 ? 0 : 0.9]);
  const disc = style.flat ? light.sun : defs.radial(x, y, radius, ['#ffffff', ...rim]);
  return shine + circle(x, y, radius, disc, { opacity });
}

/** A cloud of five puffs on a flat base, in units of its length; the middle of the base is at 0. */
const cloud =
  'M-.5 0A.11 .11 0 0 1-.34-.11A.12 .12 0 0 1-.14-.2A.15 .15 0 0 1 .12-.18A.13 .13 0 0 1 .34-.1A.11 .11 0 0 1 .5 0z';

/** Draws the clouds of time and weather beside the sun, whose disc would look like a hole in a cloud. */
function drawClouds(scene: Scene, sun: Sun, horizon: number): string {
  const { frame, mood, light, style, defs } = scene;
  if (mood.weather === 'fog' || style.detail === 0) return '';
  const source = scene.random.fork('clouds');
  const heavy = mood.weather === 'rain' || mood.weather === 'cloudy';
  const count = heavy ? 12 : Math.round(light.night ? source.between(0, 2) : source.between(3, 7));
  const soft = fade(light.cloud, [0, 0.95], [0.6, 0.75], [1, 0.05]);
  const fill = style.flat ? light.cloud : defs.vertical(-0.2, 0, ...soft);
  const clouds = repeat(scaledCount(scene, count), (index) => {
    const random = source.fork(index);
    const level = random.between(0.1, 0.78);
    const length = frame.unit * random.between(0.2, 0.38) * (1.15 - 0.75 * level);
    const aside = random.between(-0.05, 1.05) * frame.width - sun.x;
    const x = sun.x + Math.sign(aside) * Math.max(Math.abs(aside), 0.6 * length + 1.3 * sun.radius);
    // A cloud that the upper border cuts would look like a block.
    const y = Math.max(level * horizon, 0.5 * length);
    const height = length * random.between(0.8, 1.2);
    return shape(cloud, fill, { transform: path`translate(${x} ${y}) scale(${length} ${height})` });
  });
  return tag('g', { opacity: style.dark ? 0.4 : 1 }, clouds);
}

/** A soft bank of mist at a height, across the whole scene. */
export function drawMist(scene: Scene, y: number, thickness: number, opacity: number): string {
  const { frame, light, defs } = scene;
  const [top, bottom] = [y - thickness, y + thickness];
  const fill = defs.vertical(top, bottom, ...fade(light.haze, [0, 0], [0.5, opacity], [1, 0]));
  return tag('rect', { y: top, width: frame.width, height: 2 * thickness, fill });
}

/** Draws the weather in front of everything else. */
export function drawWeather(scene: Scene): string {
  const { frame, mood } = scene;
  const random = scene.random.fork('weather');
  const anywhere = (): number => random.between(-0.05, 1) * frame.height;
  if (mood.weather === 'fog') return drawMist(scene, frame.height * 0.62, frame.height * 0.3, 0.5);
  if (mood.weather === 'snow') return drawDots(scene, random.next, 200, 0.0032, anywhere);
  if (mood.weather !== 'rain') return '';
  const drops = repeat(scaledCount(scene, 240), () => {
    const length = frame.unit * random.between(0.02, 0.055);
    return path`M${random.between(0, 1.05) * frame.width} ${anywhere()}l${-length * 0.22} ${length}`;
  });
  return line(drops, '#e6eef6', 0.0014 * frame.unit, { 'stroke-opacity': 0.34 });
}

/** Darkens the corners of the finished scene where the style asks for it. */
export function drawVignette({ frame, light, style, defs }: Scene): string {
  if (style.vignette === 0) return '';
  const stops = fade(light.shade, [0.45, 0], [0.78, 0.3 * style.vignette], [1, style.vignette]);
  const radius = Math.hypot(frame.width, frame.height) / 2;
  return drawCover(frame, defs.radial(frame.centre, frame.height / 2, radius, stops));
}

/** Draws a soft round light, with a strength of 0 to 1 in its middle; in flat styles as rings. */
function drawGlow(scene: Scene, { x, y, radius }: Sun, colour: string, strength: number): string {
  if (strength === 0) return '';
  if (scene.style.flat)
    return [0.64, 0.44, 0.28].map((share) => circle(x, y, radius * share, colour, { opacity: 0.2 })).join('');
  const stops = fade(colour, [0, strength], [0.12, 0.68 * strength], [0.4, 0.24 * strength], [1, 0]);
  return circle(x, y, radius, scene.defs.radial(x, y, radius, stops));
}
