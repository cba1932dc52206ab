/** A waterfall between two cliffs, with a pool and spray at its foot. */
import { mix } from './colour';
import { drawFirRow } from './conifers';
import { along, thinned } from './frame';
import { landBelow, type Profile, sample } from './land';
import { createNoise, type Random } from './random';
import { box, type Point, polygon } from './shapes';
import { lit, names, type Stage } from './stage';
import { element, fade, group, line, path, repeat, shape } from './svg';
import { drawWater } from './water';

/** True when one of the words means falling water or a gorge, not a river. */
export const namesFall = (stage: Pick<Stage, 'words'>): boolean =>
  names(stage, 'waterfall cascade falls canyon gorge wasserfall schlucht cascada cascata');

/** The falling water: its middle, half its width, its upper end and the pool's level. */
type Fall = Record<'x' | 'half' | 'lip' | 'pool', number>;

/** Draws cliffs, fall, pool and spray below `horizon`. */
export function drawCliffFall(stage: Stage, horizon: number): string {
  const { frame, style, materials, defs } = stage;
  const random = stage.random.fork('fall');
  const x = frame.width * random.between(0.42, 0.58);
  const half = Math.min(frame.unit * random.between(0.055, 0.085), frame.width * 0.14);
  const [lip, pool] = [horizon + frame.height * 0.02, frame.height * 0.78];
  const cliff = (label: string, gap: number, lift: number, distance: number): string => {
    const rough = createNoise(random.fork(label), 4);
    const top: Profile = (at) => {
      const away = Math.max(0, Math.abs(at - x) - half * gap) / frame.unit;
      const drop = gap > 2 ? (pool - lip) * 1.7 * Math.exp(-away * 4.5) : 0;
      const crags = 0.85 + 0.4 * rough((at - frame.centre) / (0.16 * frame.unit));
      return lip + drop - lift * frame.rise * Math.min(0.6, 1.2 * away ** 0.75) * crags;
    };
    const rock = style.land(stage, {
      ...landBelow(top, frame, { bottom: pool + 4, jagged: true }),
      colour: mix(materials.rock, materials.bark, 0.25 + 0.25 * (1 - distance)),
      distance,
      mist: 0.55,
    });
    const firs = drawFirRow(stage, { label, profile: top, distance, density: 0.9 });
    return firs + rock + drawRockFace(stage, random.fork(`face-${label}`), top, pool, distance);
  };
  return (
    cliff('behind', 1, 1, 0.36) +
    drawFall(stage, random, { x, half, lip, pool }) +
    // The nearer shoulders stand in front of the fall's edges and end at the pool.
    group({ 'clip-path': defs.clip(box(0, 0, frame.width, pool + 2)) }, cliff('before', 2.6, 0.55, 0.16))
  );
}

function drawFall(stage: Stage, random: Random, { x, half, lip, pool }: Fall): string {
  const { frame, light, defs, style, materials } = stage;
  const water = lit(stage, materials.water, 0.2);
  const tint = light.night ? mix('#ffffff', light.glow, 0.4) : undefined;
  const white = tint ?? mix('#ffffff', light.tint, light.tintAmount * 0.7);
  const lipCurve = path`M${x - half} ${lip}Q${x} ${lip - half * 0.16} ${x + half} ${lip}`;
  const curtain = path`${lipCurve}L${x + half * 1.22} ${pool}H${x - half * 1.22}Z`;
  const fill = defs.vertical(lip, pool, mix(white, water, 0.5), [0.25, mix(white, water, 0.22)], white);
  const threads = repeat(34, () => {
    const at = random.between(-0.92, 0.92);
    const from = lip + random.next() ** 2 * (pool - lip) * 0.6;
    const end = Math.min(pool, from + random.between(0.2, 0.6) * (pool - lip));
    return path`M${x + at * half} ${from}L${x + at * half * 1.16} ${end}`;
  });
  const spray = defs.radial(x, pool, half * 3.4, fade(white, [0, 0.95], [0.4, 0.45], [1, 0]), 0.42);
  return (
    shape(curtain, fill, style.edge(stage, 0.8)) +
    line(threads, water, frame.unit * 0.0028, { 'stroke-opacity': 0.32 }) +
    drawWater(stage, { top: pool, sun: { x }, waves: 0.35 }) +
    element('ellipse', { cx: x, cy: pool, rx: half * 3.4, ry: half * 1.43, fill: spray })
  );
}

/** Marks on a cliff that is filled already: columns of lighter and darker rock, ledges, a seam of green on top. */
function drawRockFace(stage: Stage, random: Random, top: Profile, foot: number, distance: number): string {
  const { frame, light, style, materials } = stage;
  const { unit } = frame;
  let [dark, pale, ledges] = ['', '', ''];
  for (const { x, random: own } of along(frame, random, thinned(frame, unit * 0.03), 0.3)) {
    const width = unit * own.between(0.016, 0.044);
    const [from, to] = [own.between(0, 0.16), own.between(0.55, 1)];
    const slant = own.between(-0.3, 0.3) * width;
    /** A point below the skyline's at `x + away`, moved by a part of the slant. */
    const point = (away: number, share: number, slanted: number): Point => {
      const skyline = top(x + away);
      return { x: x + away + slant * slanted, y: skyline + (foot - skyline) * share };
    };
    const column = polygon([
      point(0, from, 0),
      point(width, from + 0.03, 0),
      point(width, (from + to) / 2, 0.4),
      point(width * 0.8, to, 1),
      point(width * 0.2, to - 0.05, 1),
    ]);
    const kind = own.next();
    if (kind < 0.42) dark += column;
    else if (kind < 0.72) pale += column;
    if (!own.chance(0.55 * style.detail)) continue;
    const long = unit * own.between(0.02, 0.07);
    const start = point(0, own.between(0.15, 0.9), 0);
    const back = path`l${-long * 0.3} ${unit * 0.006}l${-long * 0.6} ${-unit * 0.001}z`;
    ledges += path`M${start.x} ${start.y}l${long} ${own.between(-4, 4)}${back}`;
  }
  const crest = sample(top, frame, 50);
  const seam = crest.map(({ x, y }) => ({ x, y: y + unit * random.between(0.006, 0.034) }));
  const moss = polygon([...crest.map(({ x, y }) => ({ x, y: y - 1 })), ...seam.reverse()]);
  return (
    shape(dark, light.shade, { 'fill-opacity': 0.16 }) +
    shape(pale, light.glow, { 'fill-opacity': light.night ? 0.05 : 0.13 }) +
    shape(ledges, light.shade, { 'fill-opacity': 0.2 }) +
    shape(moss, lit(stage, mix(materials.grass, materials.pine, 0.4), distance))
  );
}
