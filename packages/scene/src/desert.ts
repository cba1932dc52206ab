/** A desert: dunes with a lit and a shaded slope, table mountains far off. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { along, fromSide } from './frame';
import { hills, landBelow } from './land';
import { drawCactus } from './landmarks';
import { box, outline, type Point, polygon } from './shapes';
import { drawBloom, drawSky, placeSun } from './sky';
import { lit, names, type Stage } from './stage';
import { fade, shape } from './svg';
import { drawMist } from './weather';

/** Draws the motif. */
export function drawDesert(stage: Stage): string {
  const { frame, light } = stage;
  const random = stage.random.fork('desert');
  const horizon = frame.height * random.between(0.54, 0.62);
  const depth = frame.height - horizon;
  const sun = placeSun(stage, horizon);
  const rocky = names(stage, 'mesa arizona canyonland cactus kaktus') || random.chance(0.45);
  const sand = rocky
    ? random.pick(['#d98f5c', '#cf8058', '#d9a066'])
    : random.pick(['#e8b06a', '#e0a265', '#efc48a']);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  const dune = (label: string, level: number, height: number, distance: number): string =>
    drawDune(stage, {
      label,
      base: horizon + depth * level,
      height: frame.rise * height,
      ...{ distance, sand, sunX: sun.x },
    });
  const side = sun.x > frame.centre ? 0 : 1;
  const near = { x: fromSide(frame, side, 0.16), y: frame.height * 0.93, height: frame.unit * 0.2 };
  const far = {
    x: fromSide(frame, side === 0 ? 1 : 0, 0.2),
    y: horizon + depth * 0.5,
    height: frame.unit * 0.07,
  };
  return (
    drawSky(stage, sun) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon + depth * 0.08, sun, 0.7)) +
    (rocky
      ? drawMesas(stage, horizon + depth * 0.1, mix(sand, '#8a4a3a', 0.45))
      : dune('far', 0.1, 0.34, 0.78)) +
    drawMist(stage, horizon + depth * 0.1, depth * 0.2, 0.45) +
    dune('third', 0.3, 0.34, 0.55) +
    dune('second', 0.56, 0.4, 0.3) +
    dune('first', 1.02, 0.52, 0.04) +
    (rocky
      ? drawCactus(stage, near, lit(stage, mix('#3f6b4a', light.shade, 0.3))) +
        drawCactus(stage, far, lit(stage, mix('#3f6b4a', light.shade, 0.2), 0.4))
      : '') +
    drawBloom(stage, sun)
  );
}

/** Where a row of dunes lies. */
interface Dune {
  readonly label: string;
  readonly base: number;
  readonly height: number;
  readonly distance: number;
  readonly sand: string;
  readonly sunX: number;
}

/** A row of dunes: a smooth crest, and from each summit a winding edge between light and shade. */
function drawDune(stage: Stage, { label, base, height, distance, sand, sunX }: Dune): string {
  const { frame, light, defs, style } = stage;
  const random = stage.random.fork(`dune-${label}`);
  const wavelength = frame.unit * (0.62 - 0.3 * distance);
  const profile = hills(random, frame, { base, height, wavelength, octaves: 1 });
  const land = { ...landBelow(profile, frame, frame.height + 5), colour: sand, distance, mist: 0.5 };
  let slopes = '';
  const step = frame.unit / 60;
  const reach = Math.ceil((frame.width / 2 + 0.2 * frame.unit) / step);
  for (let index = -reach; index <= reach; index += 1) {
    const x = frame.centre + index * step;
    const summit = profile(x) < profile(x - step) && profile(x) <= profile(x + step);
    if (summit) slopes += shadedSlope(x);
  }

  function shadedSlope(x: number): string {
    const own = random.fork(Math.round((x - frame.centre) / step));
    const side = sunX > x ? -1 : 1;
    const span = wavelength * own.between(0.5, 0.75);
    const crest = Array.from({ length: 9 }, (_, index): Point => {
      const at = x + (side * span * index) / 8;
      return { x: at, y: profile(at) };
    });
    const fall = height * own.between(0.9, 1.3);
    const sway = side * wavelength;
    const top = profile(x);
    const end = crest.at(-1) ?? { x, y: base };
    return outline(crest, [
      end,
      { x: end.x + sway * 0.12, y: top + fall * 1.25 },
      { x: x + sway * 0.34, y: top + fall * 0.95 },
      { x: x + sway * 0.02, y: top + fall * 0.52 },
      { x: x + sway * 0.1, y: top + fall * 0.2 },
      { x, y: top },
    ]);
  }

  const shade = mix(lit(stage, mix(sand, light.shade, 0.5), distance), light.haze, distance * 0.2);
  const fill = defs.vertical(base - height, base + height * 0.9, fade(shade, [0, 0.85], [0.5, 0.5], [1, 0]));
  return style.land(stage, land) + shape(slopes, fill);
}

/** Table mountains and buttes that stand on `base`: flat tops, steep walls, a skirt of scree. */
function drawMesas(stage: Stage, base: number, rock: string): string {
  const { frame, light, style, defs } = stage;
  const spots = along(frame, stage.random.fork('mesas'), 0.34 * frame.unit, { jitter: 0.3 });
  return spots
    .map(({ x, random }) => {
      const distance = random.between(0.5, 0.76);
      const height = frame.rise * random.between(0.3, 0.62);
      const half =
        frame.unit * (random.chance(0.35) ? random.between(0.02, 0.04) : random.between(0.07, 0.17));
      const skirt = half + height * random.between(0.35, 0.6);
      const wall = base - height * 0.42;
      const side = (direction: 1 | -1): Point[] => [
        { x: x + direction * half * 0.94, y: base - height },
        { x: x + direction * half, y: base - height * 0.93 },
        { x: x + direction * half * 1.03, y: wall },
        { x: x + direction * (half + (skirt - half) * 0.45), y: base - height * 0.16 },
        { x: x + direction * skirt * 1.1, y: base + 2 },
      ];
      const colour = lit(stage, rock, distance);
      const fill = defs.vertical(base - height, base, [
        [0, colour],
        [0.45, mix(colour, light.glow, light.night ? 0.04 : 0.12)],
        [1, mix(colour, light.haze, 0.6)],
      ]);
      const bands = [0.8, 0.64].map((level) => box(x - half, base - height * level, 2 * half, height * 0.05));
      const shaded = polygon([
        { x: x + half * 0.3, y: base - height },
        ...side(1),
        { x: x + skirt * 0.4, y: base + 2 },
        { x: x + half * 0.42, y: wall },
      ]);
      return (
        shape(polygon([...side(-1).reverse(), ...side(1)]), fill, style.edge(stage, 0.7)) +
        shape(bands.join(''), light.shade, { 'fill-opacity': 0.1 }) +
        shape(shaded, light.shade, { 'fill-opacity': 0.14 })
      );
    })
    .join('');
}
