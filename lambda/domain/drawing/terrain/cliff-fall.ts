/** A waterfall between two cliffs, with a pool and spray at its foot. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import { drawPineRow } from '../plants/pines';
import { createNoise, layered } from '../random/noise';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { box } from '../svg/path';
import { landBelow, type Profile } from './profile';
import { drawRockFace } from './rock-face';
import { drawWater } from './water';

interface Curtain {
  readonly x: number;
  readonly half: number;
  readonly lip: number;
  readonly pool: number;
}

function drawCurtain(stage: Stage, random: Random, { x, half, lip, pool }: Curtain): string {
  const { frame, light, canvas, look, mood } = stage;
  const water = lit(stage, materialsOf(mood.season).water, 0.2);
  const white = mix(
    '#ffffff',
    light.night ? light.glow : light.tint,
    light.night ? 0.4 : light.tintAmount * 0.7,
  );
  const outline = `M${num(x - half)} ${num(lip)}Q${num(x)} ${num(lip - half * 0.16)} ${num(x + half)} ${num(lip)}L${num(x + half * 1.22)} ${num(pool)}H${num(x - half * 1.22)}Z`;
  const fill = canvas.linear(0, lip, 0, pool, [
    [0, mix(white, water, 0.5)],
    [0.25, mix(white, water, 0.22)],
    [1, white],
  ]);
  const threads = Array.from({ length: 34 }, () => {
    const at = random.between(-0.92, 0.92);
    const from = lip + random.next() ** 2 * (pool - lip) * 0.6;
    const end = Math.min(pool, from + random.between(0.2, 0.6) * (pool - lip));
    return `M${num(x + at * half)} ${num(from)}L${num(x + at * half * 1.16)} ${num(end)}`;
  }).join('');
  const spray = canvas.radial(
    x,
    pool,
    half * 3.4,
    [
      [0, white, 0.95],
      [0.4, white, 0.45],
      [1, white, 0],
    ],
    0.42,
  );
  return (
    element('path', { d: outline, fill, ...look.edge(stage, 0.8) }) +
    element('path', {
      d: threads,
      fill: 'none',
      stroke: water,
      'stroke-opacity': 0.32,
      'stroke-width': frame.unit * 0.0028,
      'stroke-linecap': 'round',
    }) +
    drawWater(stage, { top: pool, bottom: frame.height, sunX: x, waves: 0.35 }) +
    element('ellipse', { cx: x, cy: pool, rx: half * 3.4, ry: half * 1.43, fill: spray })
  );
}

/** Draws cliffs, fall, pool and spray below `horizon`. */
export function drawCliffFall(stage: Stage, horizon: number): string {
  const { frame, look, mood } = stage;
  const random = stage.random.fork('fall');
  const materials = materialsOf(mood.season);
  const x = frame.width * random.between(0.42, 0.58);
  const half = Math.min(frame.unit * random.between(0.055, 0.085), frame.width * 0.14);
  const lip = horizon + frame.height * 0.02;
  const pool = frame.height * 0.78;
  const cliff = (label: string, gap: number, lift: number, distance: number): string => {
    const rough = layered(createNoise(random.fork(label)), 4, 0.5);
    const top: Profile = (at) => {
      const away = Math.max(0, Math.abs(at - x) - half * gap) / frame.unit;
      const drop = gap > 2 ? (pool - lip) * 1.7 * Math.exp(-away * 4.5) : 0;
      const rise = Math.min(0.6, 1.2 * away ** 0.75) * (0.85 + 0.4 * rough(at / (0.16 * frame.unit)));
      return lip + drop - lift * frame.rise * rise;
    };
    return (
      drawPineRow(stage, { label, profile: top, distance, density: 0.9 }) +
      look.land(stage, {
        ...landBelow(top, frame, pool + 4, { smooth: false, count: 120 }),
        colour: mix(materials.rock, materials.bark, 0.25 + 0.25 * (1 - distance)),
        distance,
        mist: 0.55,
      }) +
      drawRockFace(stage, { label, top, foot: pool, distance })
    );
  };
  return (
    cliff('behind', 1, 1, 0.36) +
    drawCurtain(stage, random, { x, half, lip, pool }) +
    // The nearer shoulders stand in front of the fall's edges and end at the pool.
    element(
      'g',
      { 'clip-path': stage.canvas.clip(box(0, 0, frame.width, pool + 2)) },
      cliff('before', 2.6, 0.55, 0.16),
    )
  );
}
