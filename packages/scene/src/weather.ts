/** What is in the air: clouds, mist, rain, snow. */
import { mix } from './colour';
import type { Random } from './random';
import type { Stage, Sun } from './stage';
import { box, element, ellipse, fade, group, line, path, repeat, type Stop, shape } from './svg';

function heap({ light, defs, style }: Stage, random: Random, x: number, level: number, length: number) {
  const height = length * random.between(0.2, 0.3);
  // A cloud is as high as 1.8 of its heights; one that the upper border cuts would look like a block.
  const y = Math.max(level, 2 * height);
  const puffs = random.whole(5, 7);
  const data = repeat(puffs, (index) => {
    const t = (index + 0.5) / puffs;
    const radius = height * (0.34 + 0.5 * Math.sin(Math.PI * t) ** 0.7) * random.between(0.8, 1.12);
    return ellipse(x + (t - 0.5) * length * 0.86, y - radius * 0.8, radius * 1.12, radius);
  });
  if (style.name === 'illustration') {
    const flatBase = defs.clip(box(x - length, y - 2 * height, 2 * length, 2 * height));
    return group({ 'clip-path': flatBase }, shape(data, light.cloud, { opacity: 0.94 }));
  }
  const [upper, middle] = style.name === 'dark' ? [0.5, 0.3] : [0.95, 0.75];
  const lower: readonly Stop[] = [
    [0.55, mix(light.cloud, light.sky[2], 0.35), middle],
    [1, mix(light.cloud, light.sky[2], 0.7), 0],
  ];
  return shape(data, defs.vertical(y - height * 1.7, y, [0, light.cloud, upper], ...lower));
}

function streak({ light, defs, style }: Stage, random: Random, x: number, y: number, length: number) {
  const thick = length * random.between(0.022, 0.04);
  const half = length / 2;
  const bend = random.between(-0.5, 0.5) * thick;
  const [left, right] = [x - half, x + half];
  const crest = y - thick * 1.5;
  const upper = path`C${x - half * 0.4} ${y - thick + bend} ${x + half * 0.2} ${crest} ${right} ${y + bend}`;
  const lower = path`C${x + half * 0.3} ${y + thick * 0.7} ${x - half * 0.5} ${y + thick * 0.5} ${left} ${y}`;
  const data = path`M${left} ${y}${upper}${lower}Z`;
  if (style.name === 'illustration') return shape(data, light.cloud, { opacity: 0.8 });
  const bright: Stop = [0.6, mix(light.cloud, light.glow, 0.3), 0.62];
  const start = fade(light.cloud, [0, 0], [0.25, 0.496]);
  return shape(data, defs.linear(left, 0, right, 0, ...start, bright, [1, light.cloud, 0]), {
    opacity: 0.62,
  });
}

/** Draws the clouds that time of day and weather bring. */
export function drawClouds(stage: Stage, sun: Sun): string {
  const { frame, mood, time, light } = stage;
  if (mood.weather === 'fog') return '';
  const random = stage.random.fork('clouds');
  const heavy = mood.weather === 'rain' || mood.weather === 'cloudy';
  const thin = !heavy && time !== 'day' && time !== 'golden';
  const few = heavy ? random.whole(7, 9) : light.night ? random.whole(1, 3) : random.whole(2, 5);
  return repeat(Math.min(48, Math.round(few * frame.breadth)), (index) => {
    const own = random.fork(index);
    const level = own.between(0.08, 0.78);
    const anywhere = own.between(-0.05, 1.05) * frame.width;
    const size = thin ? own.between(0.34, 0.7) : own.between(0.2, 0.38);
    const length = frame.unit * size * (1.15 - 0.75 * level);
    // Heaps leave the sun free; a disc that shines through one looks like a hole.
    const clear = 0.6 * length + 1.3 * sun.radius;
    const near = !thin && Math.abs(anywhere - sun.x) < clear;
    const x = near ? sun.x + (anywhere < sun.x ? -clear : clear) : anywhere;
    return (thin ? streak : heap)(stage, own, x, level * sun.horizon, length);
  });
}

/** A soft bank of mist at a height, across the whole scene. */
export function drawMist({ frame, light, defs }: Stage, y: number, thickness: number, opacity: number) {
  const [top, bottom] = [y - thickness, y + thickness];
  const fill = defs.vertical(top, bottom, ...fade(light.haze, [0, 0], [0.5, opacity], [1, 0]));
  return element('rect', { y: top, width: frame.width, height: 2 * thickness, fill });
}

function drawSnow({ frame, random: source }: Stage): string {
  const flakes = (layer: number, count: number, size: number, opacity: number): string => {
    const random = source.fork(`flakes${layer}`);
    const flake = (): string => path`M${random.next() * frame.width} ${random.next() * frame.height}h0`;
    const data = repeat(Math.round(count * Math.min(3, frame.breadth)), flake);
    return line(data, '#ffffff', (size * frame.unit) / 1000, { 'stroke-opacity': opacity });
  };
  return flakes(0, 130, 3, 0.55) + flakes(1, 70, 5.5, 0.7) + flakes(2, 22, 10, 0.5);
}

function drawRain({ frame, random: source }: Stage): string {
  const random = source.fork('rain');
  const data = repeat(Math.round(170 * Math.min(3, frame.breadth)), () => {
    const length = frame.unit * random.between(0.02, 0.055);
    const x = random.between(-0.05, 1.05) * frame.width;
    return path`M${x} ${random.between(-0.05, 1) * frame.height}l${-length * 0.22} ${length}`;
  });
  return line(data, '#e6eef6', 0.0014 * frame.unit, { 'stroke-opacity': 0.34 });
}

/** Draws the weather in front of everything else. */
export function drawWeather(stage: Stage): string {
  const { frame, mood } = stage;
  if (mood.weather === 'snow') return drawSnow(stage);
  if (mood.weather === 'rain') return drawRain(stage);
  return mood.weather === 'fog' ? drawMist(stage, frame.height * 0.62, frame.height * 0.3, 0.5) : '';
}
