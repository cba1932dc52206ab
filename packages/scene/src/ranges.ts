/** Mountain ranges: summits with a lit and a shaded face, and snow above a line. */
import { mix } from './colour';
import { along } from './frame';
import { landBelow, type Profile } from './land';
import { createNoise, type Random } from './random';
import { lit, type Stage } from './stage';
import { fade, type Point, polygon, shape } from './svg';
import { drawMist } from './weather';

/** A range: `spacing` is the mean distance between summits, `snow` how much of them is white, 0 to 1. */
type Range = Record<'base' | 'height' | 'spacing' | 'distance' | 'snow', number> &
  Record<'label' | 'colour', string>;

/** A summit; `left` and `right` say how steep each side is, 1 is usual. */
type Summit = Record<'x' | 'height' | 'left' | 'right', number> & { readonly random: Random };

/** Draws the two ranges at the horizon of a scene with mountains; `scale` 1 lets them fill the sky. */
export function drawRanges(stage: Stage, base: number, sunX: number, scale = 1): string {
  const { frame, materials, light } = stage;
  const random = stage.random.fork('ranges');
  const snow = stage.mood.season === 'winter' ? 1 : random.between(0.25, 0.7);
  const rise = frame.rise * scale;
  const spacing = frame.unit * random.between(0.3, 0.42) * Math.sqrt(scale);
  const far = { height: rise * 0.82, spacing: spacing * 0.72, distance: 0.86, snow: snow * 0.7 };
  const high = { height: rise * random.between(1, 1.14), spacing, distance: 0.5, snow };
  const colour = mix(materials.rock, light.sky[0], 0.3);
  return (
    drawRange(stage, { label: 'far', base, colour, ...far }, sunX) +
    drawMist(stage, base - rise * 0.08, rise * 0.3, 0.5) +
    drawRange(stage, { label: 'high', base, colour: materials.rock, ...high }, sunX) +
    drawMist(stage, base, rise * 0.28, 0.6)
  );
}

function drawRange(stage: Stage, range: Range, sunX: number): string {
  const { frame, light, style, defs } = stage;
  const { base, height, spacing, distance, colour } = range;
  const random = stage.random.fork(range.label);
  const tallest = random.whole(-1, 1);
  const summits = along(frame, random, spacing, 0.3, 2 * spacing).map(({ index, x, random: own }): Summit => {
    const tall = height * (index === tallest ? 1 : own.between(0.42, 0.86));
    return { x, height: tall, left: own.between(0.72, 1.15), right: own.between(0.72, 1.15), random: own };
  });
  const profile = skylineOf(random.fork('crags'), range, summits, frame.centre);
  const land = landBelow(profile, frame, { bottom: base, jagged: true });
  // A summit that a taller neighbour hides has no face of its own.
  const seen = summits.filter((summit) => profile(summit.x) <= base - summit.height * 0.75);
  const faces = seen.map((summit) => shadedFace(summit, profile, range, sunX > summit.x ? -1 : 1));
  const snow = seen.map((summit) => snowCap(summit, profile, range));
  const white = lit(stage, mix('#f8fbff', light.glow, 0.25), distance * 0.55);
  const dark = lit(stage, mix(colour, light.shade, 0.75), distance);
  const fill = defs.vertical(base - height, base, ...fade(dark, [0, 0.75], [0.55, 0.45], [1, 0]));
  return (
    style.land(stage, { ...land, colour, distance }) +
    shape(snow.join(''), white, { 'fill-opacity': 0.94 }) +
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
  const steps = 7;
  const sway = 0.035 * spacing * -side;
  let spineX = x;
  const spine = Array.from({ length: steps + 1 }, (_, index): Point => {
    if (index > 0) spineX += (index % 2 === 0 ? -1 : 1.15) * sway * random.between(0.5, 1.2);
    return { x: spineX, y: top + ((base - top) * index) / steps };
  });
  const edge = Array.from({ length: 15 }, (_, step): Point => {
    const edgeX = x + (side * step * spacing * 0.75) / 14;
    return { x: edgeX, y: profile(edgeX) };
  });
  // It ends at a saddle, where the skyline rises again.
  const rising = edge.findIndex(({ y }, step) => step > 5 && y < (edge[step - 1]?.y ?? y) - 0.05 * height);
  const face = rising < 0 ? edge : edge.slice(0, rising);
  const end = face.at(-1)?.x ?? x;
  return polygon([...face, { x: end - side * 0.1 * spacing, y: base }, ...spine.reverse()]);
}

/** The snow of a summit: down both sides to the snow line or the next saddle, with a ragged lower edge. */
function snowCap(summit: Summit, profile: Profile, { base, spacing, snow }: Range): string {
  const depth = summit.height * (0.16 + 0.42 * snow);
  const snowLine = base - summit.height + depth;
  const step = spacing / 26;
  const down = (side: number): Point[] => {
    const points: Point[] = [];
    let lowest = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < 16; index += 1) {
      const x = summit.x + side * index * step;
      const y = profile(x);
      if (y > snowLine || y < lowest - 0.1 * depth) break;
      lowest = Math.max(lowest, y);
      points.push({ x, y });
    }
    return points;
  };
  const [left, right] = [down(-1), down(1)];
  const [from, to] = [left.at(-1), right.at(-1)];
  if (!from || !to || to.x - from.x < step) return '';
  const teeth = 7;
  const lower = Array.from({ length: teeth - 1 }, (_, index): Point => {
    const t = (index + 1) / teeth;
    const hang = (index % 2 === 0 ? 0.55 : 0.12) * summit.random.between(0.5, 1.1);
    // Between two saddles the lower edge sags to the snow line, so that no side of the cap is upright.
    const level = to.y + (from.y - to.y) * t;
    const sag = (snowLine - level) * Math.sin(Math.PI * t);
    return { x: to.x + (from.x - to.x) * t, y: level + sag + depth * (hang - 0.12) };
  });
  return polygon([...left.reverse(), ...right.slice(1), ...lower]);
}
