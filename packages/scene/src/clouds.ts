/** Clouds: heaped ones by day, long thin ones when the sun is low. */
import { mix } from './colour';
import type { Random } from './random';
import { box, ellipse } from './shapes';
import type { Stage, Sun } from './stage';
import { group, path, shape } from './svg';

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
