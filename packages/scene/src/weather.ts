/** What is in the air: clouds, mist, rain, snow, shafts of light, birds. */
import { mix } from './colour';
import type { Random } from './random';
import { box, ellipse } from './shapes';
import type { Stage, Sun } from './stage';
import { element, fade, group, line, path, shape } from './svg';

function heap(
  { light, defs, style }: Stage,
  random: Random,
  x: number,
  level: number,
  length: number,
): string {
  const height = length * random.between(0.2, 0.3);
  // A cloud is as high as 1.8 of its heights; one that the upper border cuts would look like a block.
  const y = Math.max(level, 2 * height);
  const puffs = random.whole(5, 7);
  let data = '';
  for (let index = 0; index < puffs; index += 1) {
    const t = (index + 0.5) / puffs;
    const swell = Math.sin(Math.PI * t) ** 0.7;
    const radius = height * (0.34 + 0.5 * swell) * random.between(0.8, 1.12);
    data += ellipse(x + (t - 0.5) * length * 0.86, y - radius * 0.8, radius * 1.12, radius);
  }
  if (style.name === 'illustration') {
    const flatBase = defs.clip(box(x - length, y - 2 * height, 2 * length, 2 * height));
    return group({ 'clip-path': flatBase }, shape(data, light.cloud, { opacity: 0.94 }));
  }
  const dark = style.name === 'dark';
  const fill = defs.vertical(y - height * 1.7, y, [
    [0, light.cloud, dark ? 0.5 : 0.95],
    [0.55, mix(light.cloud, light.sky[2], 0.35), dark ? 0.3 : 0.75],
    [1, mix(light.cloud, light.sky[2], 0.7), 0],
  ]);
  return shape(data, fill);
}

function streak({ light, defs, style }: Stage, random: Random, x: number, y: number, length: number): string {
  const thick = length * random.between(0.022, 0.04);
  const half = length / 2;
  const bend = random.between(-0.5, 0.5) * thick;
  const data = path`M${x - half} ${y}C${x - half * 0.4} ${y - thick + bend} ${x + half * 0.2} ${y - thick * 1.5} ${
    x + half
  } ${y + bend}C${x + half * 0.3} ${y + thick * 0.7} ${x - half * 0.5} ${y + thick * 0.5} ${x - half} ${y}Z`;
  const flat = style.name === 'illustration';
  const strength = flat ? 0.8 : 0.62;
  const fill = defs.linear(x - half, 0, x + half, 0, [
    [0, light.cloud, 0],
    [0.25, light.cloud, strength * 0.8],
    [0.6, mix(light.cloud, light.glow, 0.3), strength],
    [1, light.cloud, 0],
  ]);
  return shape(data, flat ? light.cloud : fill, { opacity: strength });
}

/** Draws the clouds that time of day and weather bring. */
export function drawClouds(stage: Stage, sun: Sun): string {
  const { frame, mood, time, light } = stage;
  if (mood.weather === 'fog') return '';
  const random = stage.random.fork('clouds');
  const heavy = mood.weather === 'rain' || mood.weather === 'cloudy';
  const thin = !heavy && (time === 'sunset' || time === 'dusk' || time === 'night' || time === 'dawn');
  const few = heavy ? random.whole(7, 9) : light.night ? random.whole(1, 3) : random.whole(2, 5);
  const count = Math.min(48, Math.round(few * frame.breadth));
  let marks = '';
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(index);
    const level = own.between(0.08, 0.78);
    const anywhere = own.between(-0.05, 1.05) * frame.width;
    const length =
      frame.unit * (thin ? own.between(0.34, 0.7) : own.between(0.2, 0.38)) * (1.15 - 0.75 * level);
    // Heaps leave the sun free; a disc that shines through one looks like a hole.
    const clear = 0.6 * length + 1.3 * sun.radius;
    const near = !thin && Math.abs(anywhere - sun.x) < clear;
    const x = near ? sun.x + (anywhere < sun.x ? -clear : clear) : anywhere;
    marks += (thin ? streak : heap)(stage, own, x, level * sun.horizon, length);
  }
  return marks;
}

/** A soft bank of mist at a height, across the whole scene. */
export function drawMist(
  { frame, light, defs }: Stage,
  y: number,
  thickness: number,
  opacity: number,
): string {
  const [top, bottom] = [y - thickness, y + thickness];
  const fill = defs.vertical(top, bottom, fade(light.haze, [0, 0], [0.5, opacity], [1, 0]));
  return element('rect', { y: top, width: frame.width, height: 2 * thickness, fill });
}

const FLAKES = [
  { count: 130, size: 3, opacity: 0.55 },
  { count: 70, size: 5.5, opacity: 0.7 },
  { count: 22, size: 10, opacity: 0.5 },
] as const;

function drawSnow({ frame, random: source }: Stage): string {
  const share = Math.min(3, frame.breadth);
  return FLAKES.map(({ count, size, opacity }, index) => {
    const random = source.fork(`flakes${index}`);
    const flakes = Array.from(
      { length: Math.round(count * share) },
      () => path`M${random.next() * frame.width} ${random.next() * frame.height}h0`,
    );
    return line(flakes.join(''), '#ffffff', (size * frame.unit) / 1000, { 'stroke-opacity': opacity });
  }).join('');
}

function drawRain({ frame, random: source }: Stage): string {
  const random = source.fork('rain');
  let data = '';
  for (let drop = 0; drop < Math.round(170 * Math.min(3, frame.breadth)); drop += 1) {
    const length = frame.unit * random.between(0.02, 0.055);
    const x = random.between(-0.05, 1.05) * frame.width;
    data += path`M${x} ${random.between(-0.05, 1) * frame.height}l${-length * 0.22} ${length}`;
  }
  return line(data, '#e6eef6', 0.0014 * frame.unit, { 'stroke-opacity': 0.34 });
}

/** Draws the weather in front of everything else. */
export function drawWeather(stage: Stage): string {
  const { frame, mood } = stage;
  if (mood.weather === 'snow') return drawSnow(stage);
  if (mood.weather === 'rain') return drawRain(stage);
  return mood.weather === 'fog' ? drawMist(stage, frame.height * 0.62, frame.height * 0.3, 0.5) : '';
}

/** A fan of sunlight that falls through leaves, from a point above the scene. */
export function drawLightShafts(
  { frame, light, defs, random: source }: Stage,
  x: number,
  strength: number,
): string {
  const random = source.fork('shafts');
  const top = -0.35 * frame.height;
  const length = 1.5 * frame.height;
  const stops = fade(light.glow, [0, strength], [0.55, strength * 0.5], [1, 0]);
  let data = '';
  for (let shaft = 0; shaft < 7; shaft += 1) {
    const angle = -0.55 + (1.1 * (shaft + random.between(0.1, 0.9))) / 7;
    const half = random.between(0.02, 0.07);
    const foot = (turn: number): string => path`L${x + Math.tan(turn) * length} ${top + length}`;
    data += path`M${x} ${top}${foot(angle - half)}${foot(angle + half)}Z`;
  }
  return shape(data, defs.vertical(0, frame.height * 0.92, stops));
}

/** A loose flight of birds above `horizon`; none by night. */
export function drawBirds({ frame, light, random: source }: Stage, horizon: number): string {
  if (light.night) return '';
  const random = source.fork('birds');
  const middle = { x: random.between(0.2, 0.8) * frame.width, y: random.between(0.3, 0.62) * horizon };
  let data = '';
  for (let index = random.whole(3, 6); index > 0; index -= 1) {
    const span = frame.unit * random.between(0.007, 0.014);
    const x = middle.x + random.between(-0.11, 0.11) * frame.unit;
    const y = middle.y + random.between(-0.05, 0.05) * frame.unit;
    data += path`M${x - span} ${y - span * 0.25}q${span * 0.6} ${-span * 0.45} ${span} ${span * 0.3}q${span * 0.4} ${-span * 0.75} ${span} ${-span * 0.3}`;
  }
  return line(data, light.shade, 0.0022 * frame.unit, { 'stroke-opacity': 0.6 });
}
