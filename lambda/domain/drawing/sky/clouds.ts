/** Clouds: heaped ones by day, long thin ones when the sun is low. */
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { ellipse } from '../svg/path';
import type { SkyPlan } from './plan-sky';

function heap(stage: Stage, random: Random, x: number, y: number, length: number): string {
  const { light, canvas, look } = stage;
  const height = length * random.between(0.2, 0.3);
  const puffs = random.whole(5, 7);
  let data = '';
  for (let index = 0; index < puffs; index += 1) {
    const t = (index + 0.5) / puffs;
    const swell = Math.sin(Math.PI * t) ** 0.7;
    const radius = height * (0.34 + 0.5 * swell) * random.between(0.8, 1.12);
    data += ellipse(x + (t - 0.5) * length * 0.86, y - radius * 0.8, radius * 1.12, radius);
  }
  const clip = canvas.clip(
    `M${num(x - length)} ${num(y - 2 * height)}h${num(2 * length)}V${num(y)}h${num(-2 * length)}z`,
  );
  if (look.name === 'illustration') {
    return element(
      'g',
      { 'clip-path': clip },
      element('path', { d: data, fill: light.cloud, opacity: 0.94 }),
    );
  }
  const fill = canvas.linear(0, y - height * 1.7, 0, y, [
    [0, light.cloud, look.name === 'dark' ? 0.5 : 0.95],
    [0.55, mix(light.cloud, light.sky[2], 0.35), look.name === 'dark' ? 0.3 : 0.75],
    [1, mix(light.cloud, light.sky[2], 0.7), 0],
  ]);
  return element('path', { d: data, fill });
}

function streak(stage: Stage, random: Random, x: number, y: number, length: number): string {
  const { light, canvas, look } = stage;
  const thick = length * random.between(0.022, 0.04);
  const half = length / 2;
  const bend = random.between(-0.5, 0.5) * thick;
  const data = `M${num(x - half)} ${num(y)}C${num(x - half * 0.4)} ${num(y - thick + bend)} ${num(x + half * 0.2)} ${num(y - thick * 1.5)} ${num(x + half)} ${num(y + bend)}C${num(x + half * 0.3)} ${num(y + thick * 0.7)} ${num(x - half * 0.5)} ${num(y + thick * 0.5)} ${num(x - half)} ${num(y)}Z`;
  const strength = look.name === 'illustration' ? 0.8 : 0.62;
  const fill = canvas.linear(x - half, 0, x + half, 0, [
    [0, light.cloud, 0],
    [0.25, light.cloud, strength * 0.8],
    [0.6, mix(light.cloud, light.glow, 0.3), strength],
    [1, light.cloud, 0],
  ]);
  return element('path', {
    d: data,
    fill: look.name === 'illustration' ? light.cloud : fill,
    opacity: strength,
  });
}

/** Draws the clouds that hour and weather bring. */
export function drawClouds(stage: Stage, plan: SkyPlan): string {
  const { frame, mood, time, light } = stage;
  const random = stage.random.fork('clouds');
  const low = time === 'sunset' || time === 'dusk' || time === 'night' || time === 'dawn';
  const heavy = mood.weather === 'rain' || mood.weather === 'cloudy';
  if (mood.weather === 'fog') return '';
  const sparse = light.night && !heavy;
  const count = Math.min(
    14,
    Math.round(
      (heavy ? random.whole(7, 9) : sparse ? random.whole(1, 3) : random.whole(2, 5)) *
        Math.max(1, frame.width / (1.4 * frame.unit)),
    ),
  );
  let marks = '';
  for (let index = 0; index < count; index += 1) {
    const own = random.fork(`cloud${index}`);
    const level = own.between(0.08, 0.78);
    const x = own.between(-0.05, 1.05) * frame.width;
    const y = level * plan.horizon;
    const nearness = 1.15 - 0.75 * level;
    const length = frame.unit * (low && !heavy ? own.between(0.34, 0.7) : own.between(0.2, 0.38)) * nearness;
    marks += low && !heavy ? streak(stage, own, x, y, length) : heap(stage, own, x, y, length);
  }
  return marks;
}
