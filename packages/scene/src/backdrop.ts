/** What stands at the far end of a scene: mountain ranges, wooded hills or a skyline, as the words ask. */
import { mix } from './colour';
import { drawGround, drawLand, drawWoods, landBelow, type Profile, sample } from './land';
import { createNoise, type Random } from './random';
import { along, edgeOf, lit, type Scene } from './scene';
import { drawMist } from './sky';
import { box, fade, group, line, type Point, path, polygon, repeat, shape } from './svg';

/** The kinds of far end. */
export type Backdrop = 'mountains' | 'forest' | 'city' | 'hills';

/** Draws the far end, if any, so that it stands on `base`; `scale` 1 is as high as mountains may rise. */
export function drawBackdrop(
  scene: Scene,
  kind: Backdrop | undefined,
  base: number,
  sunX: number,
  scale = 1,
) {
  const { frame, materials } = scene;
  /** One row of far hills, with firs on it where it is `wooded`. */
  const row = (label: string, height: number, distance: number, wooded: boolean): string => {
    const colour = mix(materials.farGrass, materials.pine, wooded ? 0.7 : 0.3);
    const hill = { label: `end-${label}`, base, height: height * scale, wave: 0.46, octaves: 3 };
    const land = { ...hill, colour, distance, mist: 0.7, bottom: base + frame.unit * 0.03 };
    return (wooded ? drawWoods(scene, { ...land, density: 1.5 }) : drawGround(scene, land)).marks;
  };
  const mist = (thickness: number, opacity: number): string =>
    drawMist(scene, base, frame.rise * scale * thickness, opacity);
  if (kind === 'mountains')
    return drawRanges(scene, base, sunX, scale) + row('shore', 0.16, 0.52, true) + mist(0.12, 0.35);
  if (kind === 'city') return row('back', 0.4, 0.9, false) + drawSkyline(scene, base, scale);
  if (kind === undefined) return '';
  const wooded = kind === 'forest';
  const rows = row('back', 0.66, 0.84, wooded) + row('middle', 0.44, 0.63, wooded);
  return rows + mist(0.25, 0.45) + row('shore', 0.2, wooded ? 0.36 : 0.46, true);
}

/** A range: `spacing` is the mean distance between summits, `snow` how much of them is white, 0 to 1. */
type Range = Record<'base' | 'height' | 'spacing' | 'distance' | 'snow', number> &
  Record<'label' | 'colour', string>;

/** A summit; `left` and `right` say how steep each side is, 1 is usual. */
type Summit = Record<'x' | 'height' | 'left' | 'right', number> & { readonly random: Random };

/** Draws the two ranges at the horizon of a scene with mountains; `scale` 1 lets them fill the sky. */
function drawRanges(scene: Scene, base: number, sunX: number, scale = 1): string {
  const { frame, materials, light } = scene;
  const random = scene.random.fork('ranges');
  const snow = scene.reading.place === 'winter' ? 1 : random.between(0.25, 0.7);
  const rise = frame.rise * scale;
  const spacing = frame.unit * random.between(0.3, 0.42) * Math.sqrt(scale);
  const far = { height: rise * 0.82, spacing: spacing * 0.72, distance: 0.86, snow: snow * 0.7 };
  const high = { height: rise * random.between(1, 1.14), spacing, distance: 0.5, snow };
  const colour = mix(materials.rock, light.sky[0], 0.3);
  return (
    drawRange(scene, { label: 'far', base, colour, ...far }, sunX) +
    drawMist(scene, base - rise * 0.08, rise * 0.3, 0.5) +
    drawRange(scene, { label: 'high', base, colour: materials.rock, ...high }, sunX) +
    drawMist(scene, base, rise * 0.28, 0.6)
  );
}

function drawRange(scene: Scene, range: Range, sunX: number): string {
  const { frame, light, defs } = scene;
  const { base, height, spacing, distance, colour } = range;
  const random = scene.random.fork(range.label);
  const tallest = random.whole(-1, 1);
  const summits = along(frame, random, spacing, 0.3, 2 * spacing).map(({ index, x, random: own }): Summit => {
    const tall = height * (index === tallest ? 1 : own.between(0.42, 0.86));
    return { x, height: tall, left: own.between(0.72, 1.15), right: own.between(0.72, 1.15), random: own };
  });
  const profile = skylineOf(random.fork('crags'), range, summits, frame.centre);
  const land = landBelow(profile, frame, base, true);
  // A summit that a taller neighbour hides has no face of its own.
  const seen = summits.filter((summit) => profile(summit.x) <= base - summit.height * 0.75);
  const faces = seen.map((summit) => shadedFace(summit, profile, range, sunX > summit.x ? -1 : 1));
  const white = lit(scene, mix('#f8fbff', light.glow, 0.25), distance * 0.55);
  const dark = lit(scene, mix(colour, light.shade, 0.75), distance);
  const fill = defs.vertical(base - height, base, ...fade(dark, [0, 0.75], [0.55, 0.45], [1, 0]));
  const snow = shape(snowOf(random.fork('snow'), profile, range, scene), white, { 'fill-opacity': 0.94 });
  return (
    drawLand(scene, { ...land, colour, distance }) +
    group({ 'clip-path': defs.clip(land.path) }, snow) +
    shape(faces.join(''), fill)
  );
}

function skylineOf(random: Random, range: Range, summits: readonly Summit[], centre: number): Profile {
  const { base, height, spacing } = range;
  const crags = createNoise(random, 4, 0.55);
  const slope = (height / spacing) * 1.15;
  const middle = (summits.length - 1) / 2;
  return (x) => {
    let top = 0.12 * height;
    // A summit's slopes end before the next but one.
    const nearest = Math.round((x - centre) / spacing) + middle;
    for (const summit of summits.slice(Math.max(0, nearest - 2), nearest + 3)) {
      const away = x - summit.x;
      const fall = Math.abs(away) * slope * (away < 0 ? summit.left : summit.right);
      top = Math.max(top, summit.height - fall * (1 - 0.22 * Math.min(1, fall / summit.height)));
    }
    return base - top - 0.07 * height * crags(((x - centre) / spacing) * 5);
  };
}

/** The face away from the sun: along the skyline on that `side`, and back up a jagged spine. */
function shadedFace({ x, random }: Summit, profile: Profile, range: Range, side: 1 | -1): string {
  const { base, height, spacing } = range;
  const top = profile(x);
  const sway = 0.035 * spacing * -side;
  let spineX = x;
  const spine = Array.from({ length: 8 }, (_, index): Point => {
    if (index > 0) spineX += (index % 2 === 0 ? -1 : 1.15) * sway * random.between(0.5, 1.2);
    return { x: spineX, y: top + ((base - top) * index) / 7 };
  });
  const face: Point[] = [];
  // It ends at a saddle, where the skyline rises again.
  for (let step = 0; step < 15; step += 1) {
    const at = { x: x + side * step * 0.054 * spacing, y: profile(x + side * step * 0.054 * spacing) };
    if (step > 5 && at.y < (face.at(-1)?.y ?? 0) - 0.05 * height) break;
    face.push(at);
  }
  const end = face.at(-1)?.x ?? x;
  return polygon([...face, { x: end - side * 0.1 * spacing, y: base }, ...spine.reverse()]);
}

/** What lies above a ragged snow line that rises and falls with the skyline, to be cut to the land's outline. */
function snowOf(random: Random, profile: Profile, { base, height, snow, spacing }: Range, { frame }: Scene) {
  const line = base - height * (0.66 - 0.4 * snow);
  const lower = sample(profile, frame, (14 * frame.unit) / spacing).map(({ x, y }, index) => {
    const tooth = (index % 2 === 0 ? 1 : -1) * height * random.between(0.02, 0.07);
    return { x, y: line + 0.3 * (y - line) + tooth };
  });
  return polygon([{ x: -50, y: 0 }, ...lower, { x: frame.width + 50, y: 0 }]);
}

/**
 * One row of buildings that stand on `base`: the height of the tallest, the mean breadth in units, the share of
 * windows that are drawn, 0 to 1.
 */
type TowerRow = Readonly<Record<'base' | 'height' | 'breadth' | 'distance' | 'windows', number>> & {
  readonly label: string;
};

type Wall = Record<'x' | 'top' | 'width' | 'base', number>;

/** Steps, a mast on them, a slope, or nothing. */
function roof(random: Random, { x, top, width }: Wall): string {
  const kind = random.next();
  const step = width * 0.16;
  const steps = box(x + step, top - step, width - 2 * step, step + 1);
  if (kind < 0.2) return steps + box(x + width * 0.48, top - step - width * 0.7, width * 0.04, width * 0.7);
  if (kind < 0.34) return path`M${x} ${top + 0.5}h${width}v${-width * 0.4}Z`;
  return kind < 0.7 ? steps : '';
}

/** Windows as upright dashes: a stroke says in half the bytes what a rectangle would. */
function panes(random: Random, { x, top, width, base }: Wall, size: number, share: number): string {
  const columns = Math.max(2, Math.round(width / (size * 2.5)));
  const rows = Math.min(24, Math.floor((base - top) / (size * 2.9)));
  return repeat(rows * columns, (index) => {
    if (random.next() > share) return '';
    const left = x + (width / columns) * ((index % columns) + 0.5);
    return path`M${left} ${top + size * (1.6 + Math.floor(index / columns) * 2.9)}v${size * 1.5}`;
  });
}

/** Draws a row: buildings, their shaded sides, their windows. */
export function drawTowers(scene: Scene, row: TowerRow): string {
  const { frame, light, style, defs, time } = scene;
  const { base, distance } = row;
  const breadth = row.breadth * frame.unit;
  const pane = Math.max(breadth * 0.07, 2.2);
  // In a panorama windows are rarer, so that the size of the SVG stays bounded.
  const share = row.windows / Math.max(1, frame.breadth / 2);
  let [walls, sides, windows] = ['', '', ''];
  for (const { x, random } of along(frame, scene.random.fork(row.label), breadth, 0.12)) {
    const width = breadth * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const height = row.height * swell * random.between(0.38, 1);
    const wall = { x, top: base - height, width, base };
    walls += box(x, wall.top, width, height + 2) + roof(random, wall);
    sides += box(x + width * 0.64, wall.top, width * 0.36, height + 2);
    windows += panes(random.fork('panes'), wall, pane, share * random.between(0.3, 1));
  }
  const colour = lit(scene, light.night ? '#3b4a66' : '#7d8aa3', distance);
  const upper = mix(colour, light.shade, light.night ? 0.25 : 0.08);
  const air = defs.vertical(base - row.height, base, upper, mix(colour, light.haze, 0.5));
  const glass = light.night || time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  const shine = (light.night ? 0.85 : 0.42) * (1 - 0.5 * distance);
  return (
    shape(walls, style.flat ? colour : air, edgeOf(scene, 0.6)) +
    shape(sides, light.shade, { 'fill-opacity': 0.16 }) +
    line(windows, glass, pane, { 'stroke-linecap': undefined, 'stroke-opacity': shine })
  );
}

/** A small far skyline behind another subject. */
function drawSkyline(scene: Scene, base: number, scale: number): string {
  const height = scene.frame.rise * scale;
  const far = { height: 0.72 * height, breadth: 0.035, distance: 0.78, windows: 0 };
  const near = { height: 0.62 * height, breadth: 0.05, distance: 0.5, windows: 0.42 * scene.style.detail };
  return (
    drawTowers(scene, { label: 'sky-far', base, ...far }) +
    drawTowers(scene, { label: 'sky-near', base, ...near })
  );
}
