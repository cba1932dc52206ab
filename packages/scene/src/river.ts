/** Running water: a river that winds out of the hills, or a fall between two cliffs. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow, drawForeground, firPath } from './conifers';
import { drawGround, hills } from './land';
import { outline, type Point } from './shapes';
import { drawBloom, drawSky, placeSun } from './sky';
import { lit, type Stage, type Sun } from './stage';
import { line, path, shape } from './svg';
import { drawCliffFall, namesFall } from './waterfall';
import { drawMist } from './weather';

/** Draws the motif. */
export function drawRunningWater(stage: Stage): string {
  const { frame, materials, words } = stage;
  const random = stage.random.fork('river');
  const falls = namesFall(words);
  const horizon = frame.height * (falls ? 0.44 : random.between(0.5, 0.56));
  const depth = frame.height - horizon;
  const sun = placeSun(stage, horizon);
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], 'mountains');
  const back =
    drawSky(stage, sun) + drawBackdrop(stage, kind, horizon + depth * 0.05, sun, falls ? 0.6 : 0.8);
  const near = hills(random.fork('near'), frame, {
    base: frame.height,
    height: depth * 0.1,
    wavelength: frame.unit * 0.5,
    octaves: 3,
  });
  const front = drawForeground(stage, near, sun.x) + drawBloom(stage, sun);
  if (falls) return back + drawCliffFall(stage, horizon) + front;
  const bank = drawGround(stage, random.fork('bank'), {
    base: horizon + depth * 0.1,
    height: frame.rise * 0.1,
    wavelength: frame.unit * 0.5,
    colour: materials.grass,
    distance: 0.34,
    mist: 0.15,
  });
  return (
    back +
    drawMist(stage, horizon + depth * 0.05, depth * 0.14, 0.4) +
    drawFirRow(stage, { label: 'bank', profile: bank.profile, distance: 0.42, density: 0.9 }, true) +
    bank.marks +
    drawRiver(stage, horizon + depth * 0.13, sun) +
    front
  );
}

/** A river in perspective, with banks and firs: it comes from `top` in bends that widen towards the viewer. */
function drawRiver(stage: Stage, top: number, sun: Sun): string {
  const { frame, light, defs, style, materials } = stage;
  const random = stage.random.fork('bends');
  const turn = random.chance(0.5) ? 1 : -1;
  const reach = Math.min(frame.width, 1.5 * frame.unit);
  const source = frame.centre + Math.min(1, reach / frame.width) * (sun.x - frame.centre) * 0.5;
  const sway = Math.min(frame.width * 0.3, frame.unit * 0.3);
  // From 0 at the source to 1 at the lower border: the middle of the river, half its width, the height in the scene.
  const middle = (t: number): number =>
    source + turn * sway * Math.sin(t * Math.PI * 2.1) * t ** 0.75 * (1.15 - 0.3 * t);
  const half = (t: number): number => frame.unit * (0.004 + 0.2 * t ** 2.1);
  const level = (t: number): number => top + (frame.height - top) * t ** 1.25 * 1.01;
  const bank = (side: number, spread: number): Point[] =>
    Array.from({ length: 23 }, (_, index) => {
      const t = index / 22;
      return { x: middle(t) + side * (half(t) + spread * frame.unit * (0.001 + 0.018 * t)), y: level(t) };
    });
  const strip = (spread: number): string => outline(bank(-1, spread), bank(1, spread).reverse());
  const water = lit(stage, mix(materials.water, light.sky[0], 0.3));
  const fill = defs.vertical(top, frame.height, [
    [0, light.sky[3]],
    [0.35, mix(light.sky[2], water, 0.3)],
    [1, water],
  ]);
  let flow = '';
  for (let index = 0; index < Math.round(46 * style.detail); index += 1) {
    const t = random.between(0.12, 0.98);
    const x = middle(t) + random.between(-0.8, 0.8) * half(t);
    const length = half(t) * random.between(0.15, 0.5);
    const drift = (middle(Math.min(1, t + 0.03)) - middle(t)) * 0.6;
    flow += path`M${x} ${level(t)}q${length / 2 + drift} ${frame.unit * 0.003 * t} ${length} 0`;
  }
  let firs = '';
  for (let index = 0; index < 26; index += 1) {
    const t = (index + 0.5) / 26;
    const side = random.chance(0.5) ? 1 : -1;
    const x =
      middle(t * 0.8) +
      side * (half(t * 0.8) + frame.unit * random.between(0.05, 0.37) * Math.max(1, frame.breadth / 1.4));
    const height = frame.unit * (0.03 + 0.14 * t ** 1.6) * random.between(0.7, 1.1);
    firs += firPath(random, x, level(t * 0.8), height, 6);
  }
  const edge = style.edge(stage, 0.5);
  return (
    shape(strip(1), lit(stage, mix(materials.sand, materials.rock, 0.4), 0.2), edge) +
    shape(strip(0), fill) +
    line(flow, mix(light.sun, light.sky[3], 0.3), frame.unit * 0.0022, { 'stroke-opacity': 0.5 }) +
    shape(firs, lit(stage, mix(materials.pine, light.shade, 0.25), 0.16), edge)
  );
}
