/** Running water: a river that winds out of the hills, or a fall between two cliffs. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow, drawForeground, drawWoodedGround, firPath } from './conifers';
import { drawLand, landBelow, type Profile, sample } from './land';
import { createNoise, type Random } from './random';
import { along, edgeOf, lit, type Scene, thinned } from './scene';
import { drawLandscape, drawMist, glow, type Landscape, landscapeOf } from './sky';
import { box, group, line, outline, type Point, path, polygon, repeat, shape } from './svg';
import { drawWater } from './waterside';

/** Draws the subject. */
export function drawRunningWater(scene: Scene): string {
  const falls = scene.subjects.includes('waterfall');
  const valley = falls ? landscapeOf(scene, 'river', 0.44) : landscapeOf(scene, 'river', 0.5, 0.56);
  const { horizon, depth, sun, side } = valley;
  const kind = backdropOf(scene, ['mountains', 'city', 'forest'], 'mountains');
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, kind, horizon + depth * 0.05, sun, falls ? 0.6 : 0.8),
    falls ? drawCliffFall(scene, horizon) : drawBank(scene, valley) + drawRiver(scene, valley),
    drawForeground(scene, depth * 0.1, side),
  ]);
}

/** The ground that the river comes from, with firs behind it. */
function drawBank(scene: Scene, { horizon, depth }: Landscape): string {
  const hill = { label: 'bank', base: horizon + depth * 0.1, height: 0.1, wave: 0.5, density: 0.9 };
  const land = { ...hill, colour: scene.materials.grass, distance: 0.36, mist: 0.15 };
  return drawMist(scene, horizon + depth * 0.05, depth * 0.14, 0.4) + drawWoodedGround(scene, land).marks;
}

/** A river in perspective, with banks and firs; its bends widen towards the viewer. */
function drawRiver(scene: Scene, { horizon, depth, sun }: Landscape): string {
  const { frame, light, style, defs, materials } = scene;
  const top = horizon + depth * 0.13;
  const random = scene.random.fork('bends');
  const turn = random.chance(0.5) ? 1 : -1;
  const source = frame.centre + 0.5 * (frame.span / frame.width) * (sun.x - frame.centre);
  const sway = Math.min(frame.width, frame.unit) * 0.3 * turn;
  // From 0 at the source to 1 at the lower border: the middle of the river, half its width, its height.
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
  const water = lit(scene, mix(materials.water, light.sky[0], 0.3));
  const fill = defs.vertical(top, frame.height, light.sky[3], [0.35, mix(light.sky[2], water, 0.3)], water);
  const flow = repeat(Math.round(46 * style.detail), () => {
    const t = random.between(0.12, 0.98);
    const x = middle(t) + random.between(-0.8, 0.8) * half(t);
    const length = half(t) * random.between(0.15, 0.5);
    return path`M${x} ${level(t)}q${length / 2} ${frame.unit * 0.003 * t} ${length} 0`;
  });
  const spread = frame.unit * Math.max(1, frame.breadth / 1.4);
  const firs = repeat(26, (index) => {
    const t = (index + 0.5) / 26;
    const away = half(t * 0.8) + spread * random.between(0.05, 0.37);
    const height = frame.unit * (0.03 + 0.14 * t ** 1.6) * random.between(0.7, 1.1);
    return firPath(random, middle(t * 0.8) + (random.chance(0.5) ? away : -away), level(t * 0.8), height, 6);
  });
  const edge = edgeOf(scene, 0.5);
  return (
    shape(strip(1), lit(scene, mix(materials.sand, materials.rock, 0.4), 0.2), edge) +
    shape(strip(0), fill) +
    line(flow, mix(light.sun, light.sky[3], 0.3), frame.unit * 0.0022, { 'stroke-opacity': 0.5 }) +
    shape(firs, lit(scene, mix(materials.pine, light.shade, 0.25), 0.16), edge)
  );
}

/** The falling water: its middle, half its width, its upper end and the pool's level. */
type Fall = Record<'x' | 'half' | 'lip' | 'pool', number>;

/** Draws cliffs, fall, pool and spray below `horizon`. */
function drawCliffFall(scene: Scene, horizon: number): string {
  const { frame, materials, defs } = scene;
  const random = scene.random.fork('fall');
  const x = frame.width * random.between(0.42, 0.58);
  const half = Math.min(frame.unit * random.between(0.055, 0.085), frame.width * 0.14);
  const [lip, pool] = [horizon + frame.height * 0.02, frame.height * 0.78];
  const cliff = (label: string, gap: number, lift: number, distance: number): string => {
    const rough = createNoise(random.fork(label), 4);
    const profile: Profile = (at) => {
      const away = Math.max(0, Math.abs(at - x) - half * gap) / frame.unit;
      const drop = gap > 2 ? (pool - lip) * 1.7 * Math.exp(-away * 4.5) : 0;
      const crags = 0.85 + 0.4 * rough((at - frame.centre) / (0.16 * frame.unit));
      return lip + drop - lift * frame.rise * Math.min(0.6, 1.2 * away ** 0.75) * crags;
    };
    const colour = mix(materials.rock, materials.bark, 0.25 + 0.25 * (1 - distance));
    const land = landBelow(profile, frame, pool + 4, true);
    const rock = drawLand(scene, { ...land, colour, distance, mist: 0.55 });
    const firs = drawFirRow(scene, { label, profile, distance, density: 0.9 });
    return firs + rock + drawRockFace(scene, random.fork(`face-${label}`), profile, pool, distance);
  };
  return (
    cliff('behind', 1, 1, 0.36) +
    drawFall(scene, random, { x, half, lip, pool }) +
    // The nearer shoulders stand in front of the fall's edges and end at the pool.
    group({ 'clip-path': defs.clip(box(0, 0, frame.width, pool + 2)) }, cliff('before', 2.6, 0.55, 0.16))
  );
}

function drawFall(scene: Scene, random: Random, { x, half, lip, pool }: Fall): string {
  const { frame, light, defs, materials } = scene;
  const water = lit(scene, materials.water, 0.2);
  const [tint, amount] = light.night ? [light.glow, 0.4] : [light.tint, light.tintAmount * 0.7];
  const white = mix('#ffffff', tint, amount);
  const lipCurve = path`M${x - half} ${lip}Q${x} ${lip - half * 0.16} ${x + half} ${lip}`;
  const curtain = path`${lipCurve}L${x + half * 1.22} ${pool}H${x - half * 1.22}Z`;
  const fill = defs.vertical(lip, pool, mix(white, water, 0.5), [0.25, mix(white, water, 0.22)], white);
  const threads = repeat(34, () => {
    const at = random.between(-0.92, 0.92);
    const from = lip + random.next() ** 2 * (pool - lip) * 0.6;
    const end = Math.min(pool, from + random.between(0.2, 0.6) * (pool - lip));
    return path`M${x + at * half} ${from}L${x + at * half * 1.16} ${end}`;
  });
  return (
    shape(curtain, fill, edgeOf(scene, 0.8)) +
    line(threads, water, frame.unit * 0.0028, { 'stroke-opacity': 0.32 }) +
    drawWater(scene, { top: pool, sunX: x, waves: 0.35 }) +
    glow(scene, { x, y: pool, radius: half * 3.4 }, white, 0.95, 0.42)
  );
}

/** Marks on a cliff that is filled already: columns of lighter and darker rock, a seam of green on top. */
function drawRockFace(scene: Scene, random: Random, top: Profile, foot: number, distance: number): string {
  const { frame, light, materials } = scene;
  const { unit } = frame;
  let [dark, pale] = ['', ''];
  for (const { x, random: own } of along(frame, random, thinned(frame, unit * 0.03), 0.3)) {
    const width = unit * own.between(0.016, 0.044);
    const [from, to] = [own.between(0, 0.16), own.between(0.55, 1)];
    const slant = own.between(-0.3, 0.3) * width;
    /** A point below the skyline's at `x + away`. */
    const point = (away: number, share: number): Point => {
      const skyline = top(x + away);
      return { x: x + away, y: skyline + (foot - skyline) * share };
    };
    const lower = [point(width * 0.8 + slant, to), point(width * 0.2 + slant, to - 0.05)];
    const column = polygon([point(0, from), point(width, from + 0.03), ...lower]);
    const kind = own.next();
    if (kind < 0.42) dark += column;
    else if (kind < 0.72) pale += column;
  }
  const crest = sample(top, frame, 50);
  const seam = crest.map(({ x, y }) => ({ x, y: y + unit * random.between(0.006, 0.034) })).reverse();
  const moss = polygon([...crest.map(({ x, y }) => ({ x, y: y - 1 })), ...seam]);
  return (
    shape(dark, light.shade, { 'fill-opacity': 0.16 }) +
    shape(pale, light.glow, { 'fill-opacity': light.night ? 0.05 : 0.13 }) +
    shape(moss, lit(scene, mix(materials.grass, materials.pine, 0.4), distance))
  );
}
