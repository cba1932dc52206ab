/** A desert: dunes with a lit and a shaded slope, table mountains far off. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawLand, hills, landBelow, sample } from './land';
import { drawCactus } from './landmarks';
import { along, edgeOf, fromSide, lit, type Scene } from './scene';
import { drawLandscape, drawMist, landscapeOf } from './sky';
import { box, fade, outline, type Point, polygon, shape } from './svg';
import { hasWord } from './words';

/** Draws the subject. */
export function drawDesert(scene: Scene): string {
  const { frame } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'desert', 0.54, 0.62);
  const rocky = hasWord(scene.words, 'mesa arizona canyonland cactus kaktus') || random.chance(0.45);
  const sand = random.pick(rocky ? ['#d98f5c', '#cf8058', '#d9a066'] : ['#e8b06a', '#e0a265', '#efc48a']);
  const dune = (label: string, level: number, height: number, distance: number): string => {
    const place = { base: horizon + depth * level, height: frame.rise * height, distance };
    return drawDune(scene, { label, sand, sunX: sun.x, ...place });
  };
  const near = { x: fromSide(frame, side, 0.16), y: frame.height * 0.93, height: frame.unit * 0.2 };
  const farX = fromSide(frame, side === 1 ? -1 : 1, 0.2);
  const far = { x: farX, y: horizon + depth * 0.5, height: frame.unit * 0.07 };
  const kind = backdropOf(scene, ['mountains', 'city']);
  const end = horizon + depth * 0.1;
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, kind, horizon + depth * 0.08, sun, 0.7),
    rocky ? drawMesas(scene, end, mix(sand, '#8a4a3a', 0.45)) : dune('far', 0.1, 0.34, 0.78),
    drawMist(scene, end, depth * 0.2, 0.45),
    dune('third', 0.3, 0.34, 0.55),
    dune('second', 0.56, 0.4, 0.3),
    dune('first', 1.02, 0.52, 0.04),
    rocky ? drawCactus(scene, near, 0) + drawCactus(scene, far, 0.4) : '',
  ]);
}

type Dune = Record<'base' | 'height' | 'distance' | 'sunX', number> & Record<'label' | 'sand', string>;

/** A row of dunes: a smooth crest, and from each summit a winding edge between light and shade. */
function drawDune(scene: Scene, { label, base, height, distance, sand, sunX }: Dune): string {
  const { frame, light, defs } = scene;
  const random = scene.random.fork(`dune-${label}`);
  const wave = 0.62 - 0.3 * distance;
  const length = wave * frame.unit;
  const profile = hills(random, frame, { base, height, wave, octaves: 1 });
  const points = sample(profile, frame, 60);
  const summits = points.filter(({ y }, at) => {
    const [before, after] = [points[at - 1]?.y ?? y, points[at + 1]?.y ?? y];
    return y < before && y <= after;
  });
  const slopes = summits.map(({ x, y }) => {
    const own = random.fork(Math.round((x - frame.centre) / length));
    const side = sunX > x ? -1 : 1;
    const span = side * length * own.between(0.5, 0.75);
    const fall = height * own.between(0.9, 1.3);
    const crest = Array.from({ length: 9 }, (_, index): Point => {
      const at = x + (span * index) / 8;
      return { x: at, y: profile(at) };
    });
    const point = (from: number, away: number, down: number): Point => {
      return { x: from + side * length * away, y: y + fall * down };
    };
    const edge = [point(x, 0.34, 0.95), point(x, 0.02, 0.52), point(x, 0.1, 0.2), point(x, 0, 0)];
    return outline(crest, [point(x + span, 0.12, 1.25), ...edge]);
  });
  const land = { ...landBelow(profile, frame), colour: sand, distance };
  const shade = mix(lit(scene, mix(sand, light.shade, 0.5), distance), light.haze, distance * 0.2);
  const stops = fade(shade, [0, 0.85], [0.5, 0.5], [1, 0]);
  const fill = defs.vertical(base - height, base + height * 0.9, ...stops);
  return drawLand(scene, land) + shape(slopes.join(''), fill);
}

/** Table mountains and buttes that stand on `base`: flat tops, steep walls, a skirt of scree. */
function drawMesas(scene: Scene, base: number, rock: string): string {
  const { frame, light, defs } = scene;
  const spots = along(frame, scene.random.fork('mesas'), 0.34 * frame.unit, 0.3);
  const mesas = spots.map(({ x, random }) => {
    const distance = random.between(0.5, 0.76);
    const height = frame.rise * random.between(0.3, 0.62);
    const slender = random.chance(0.35);
    const half = frame.unit * (slender ? random.between(0.02, 0.04) : random.between(0.07, 0.17));
    const scree = height * random.between(0.35, 0.6);
    /** A point at a distance from the middle and a share of the height. */
    const point = (away: number, level: number): Point => ({ x: x + away, y: base - height * level });
    const side = (direction: 1 | -1): Point[] => [
      point(direction * half * 0.94, 1),
      point(direction * half, 0.93),
      point(direction * half * 1.03, 0.42),
      point(direction * (half + scree * 0.45), 0.16),
      point(direction * (half + scree) * 1.1, 0),
    ];
    const colour = lit(scene, rock, distance);
    const lighter = mix(colour, light.glow, light.night ? 0.04 : 0.12);
    const fill = defs.vertical(base - height, base, colour, [0.45, lighter], mix(colour, light.haze, 0.6));
    const bands = [0.8, 0.64].map((level) => box(x - half, base - height * level, 2 * half, height * 0.05));
    const foot = [point(half * 0.6, 0), point(half * 0.42, 0.42)];
    const shaded = polygon([point(half * 0.3, 1), ...side(1), ...foot]);
    return (
      shape(polygon([...side(-1).reverse(), ...side(1)]), fill, edgeOf(scene, 0.7)) +
      shape(bands.join(''), light.shade, { 'fill-opacity': 0.1 }) +
      shape(shaded, light.shade, { 'fill-opacity': 0.14 })
    );
  });
  return mesas.join('');
}
