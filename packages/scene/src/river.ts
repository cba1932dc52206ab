/** Running water: a river that winds out of the hills, or a fall between two cliffs. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow, drawForeground, firPath } from './conifers';
import { drawGround } from './land';
import { outline, type Point } from './shapes';
import { drawBloom, drawSky, type Landscape, landscapeOf } from './sky';
import { lit, type Stage } from './stage';
import { line, path, repeat, shape } from './svg';
import { drawCliffFall, namesFall } from './waterfall';
import { drawMist } from './weather';

/** Draws the motif. */
export function drawRunningWater(stage: Stage): string {
  const falls = namesFall(stage);
  const valley = falls ? landscapeOf(stage, 'river', 0.44) : landscapeOf(stage, 'river', 0.5, 0.56);
  const { random, horizon, depth, sun } = valley;
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], 'mountains');
  return (
    drawSky(stage, sun) +
    drawBackdrop(stage, kind, horizon + depth * 0.05, sun, falls ? 0.6 : 0.8) +
    (falls ? drawCliffFall(stage, horizon) : drawBank(stage, valley) + drawRiver(stage, valley)) +
    drawForeground(stage, random, depth * 0.1, sun) +
    drawBloom(stage, sun)
  );
}

/** The ground that the river comes from, with firs behind it. */
function drawBank(stage: Stage, { random, horizon, depth }: Landscape): string {
  const { frame, materials } = stage;
  const { profile, marks } = drawGround(stage, random.fork('bank'), {
    base: horizon + depth * 0.1,
    height: frame.rise * 0.1,
    wavelength: frame.unit * 0.5,
    colour: materials.grass,
    distance: 0.34,
    mist: 0.15,
  });
  const firs = drawFirRow(stage, { label: 'bank', profile, distance: 0.42, density: 0.9 }, true);
  return drawMist(stage, horizon + depth * 0.05, depth * 0.14, 0.4) + firs + marks;
}

/** A river in perspective, with banks and firs: it comes from the horizon in bends that widen towards the viewer. */
function drawRiver(stage: Stage, { horizon, depth, sun }: Landscape): string {
  const { frame, light, style, defs, materials } = stage;
  const top = horizon + depth * 0.13;
  const random = stage.random.fork('bends');
  const turn = random.chance(0.5) ? 1 : -1;
  const reach = Math.min(frame.width, 1.5 * frame.unit);
  const source = frame.centre + Math.min(1, reach / frame.width) * (sun.x - frame.centre) * 0.5;
  const sway = Math.min(frame.width, frame.unit) * 0.3 * turn;
  // From 0 at the source to 1 at the lower border: the middle of the river, half its width, the height in the scene.
  const middle = (t: number): number =>
    source + sway * Math.sin(t * Math.PI * 2.1) * t ** 0.75 * (1.15 - 0.3 * t);
  const half = (t: number): number => frame.unit * (0.004 + 0.2 * t ** 2.1);
  const level = (t: number): number => top + (frame.height - top) * t ** 1.25 * 1.01;
  const bank = (side: number, spread: number): Point[] =>
    Array.from({ length: 23 }, (_, index) => {
      const t = index / 22;
      return { x: middle(t) + side * (half(t) + spread * frame.unit * (0.001 + 0.018 * t)), y: level(t) };
    });
  const strip = (spread: number): string => outline(bank(-1, spread), bank(1, spread).reverse());
  const water = lit(stage, mix(materials.water, light.sky[0], 0.3));
  const middleWater = mix(light.sky[2], water, 0.3);
  const fill = defs.vertical(top, frame.height, light.sky[3], [0.35, middleWater], water);
  const flow = repeat(Math.round(46 * style.detail), () => {
    const t = random.between(0.12, 0.98);
    const x = middle(t) + random.between(-0.8, 0.8) * half(t);
    const length = half(t) * random.between(0.15, 0.5);
    const drift = (middle(Math.min(1, t + 0.03)) - middle(t)) * 0.6;
    return path`M${x} ${level(t)}q${length / 2 + drift} ${frame.unit * 0.003 * t} ${length} 0`;
  });
  const spread = Math.max(1, frame.breadth / 1.4);
  const firs = repeat(26, (index) => {
    const t = (index + 0.5) / 26;
    const side = random.chance(0.5) ? 1 : -1;
    const away = half(t * 0.8) + frame.unit * random.between(0.05, 0.37) * spread;
    const height = frame.unit * (0.03 + 0.14 * t ** 1.6) * random.between(0.7, 1.1);
    return firPath(random, middle(t * 0.8) + side * away, level(t * 0.8), height, 6);
  });
  const edge = style.edge(stage, 0.5);
  return (
    shape(strip(1), lit(stage, mix(materials.sand, materials.rock, 0.4), 0.2), edge) +
    shape(strip(0), fill) +
    line(flow, mix(light.sun, light.sky[3], 0.3), frame.unit * 0.0022, { 'stroke-opacity': 0.5 }) +
    shape(firs, lit(stage, mix(materials.pine, light.shade, 0.25), 0.16), edge)
  );
}
