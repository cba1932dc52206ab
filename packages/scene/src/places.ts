/** Where scenes play: landscapes from a table, drawn from far to near; towers, the deep, and a room, each drawn by itself. */
import { type Backdrop, drawBackdrop, drawTowers } from './backdrop';
import { fromHue, mix } from './colour';
import { drawFigure, placeFigures } from './figure';
import { drawFirs, drawGround, type Profile } from './land';
import { cover, lit, type Scene } from './scene';
import { drawLandscape, drawMist, drawStars, glow, landscapeOf } from './sky';
import type { Place } from './subjects';
import { box, circle, ellipse, fade, line, path, repeat, shape } from './svg';
import { drawSurf, drawWater } from './water';

/** A place as it is drawn; without a `floor` subjects float in the middle. */
interface Drawn {
  readonly marks: string;
  readonly floor?: number;
}

/** The far end that the words name beside the place, or else the other one. */
const farEnd = ({ reading }: Scene, otherwise?: Backdrop): Backdrop | undefined =>
  (['mountains', 'forest'] as const).find((kind) => reading.backdrops.includes(kind)) ?? otherwise;

/**
 * A row of ground: how far down its foot is (a share of the way from the horizon to the lower border), how high it is, how
 * far away, its colour as two materials and how much of the second, and the density and scale of its firs, if any.
 */
type Row = readonly [
  ...[down: number, height: number, distance: number],
  ...[colour: readonly [Colour, Colour, number], density?: number, scale?: number],
];
type Colour = 'grass' | 'farGrass' | 'pine' | 'sand' | 'snow' | 'shade' | 'sky' | 'rock';

/**
 * A drawing on a row, or on the water: its name, where it stands beside the centre on the side away from the light, its size in units, its
 * tint, and how far below the skyline of the row it stands (a share of the way from the horizon to the lower border).
 */
type Prop = readonly [row: number, name: string, aside: number, size: number, tint: number, below?: number];

interface Landscape {
  /** Where the horizon is, as shares of the height from the top. */
  readonly horizon: readonly [number, number];
  /** What stands at the far end, one of these, and the height of what does. */
  readonly end: readonly [readonly Backdrop[], number];
  /** How rough the water between the horizon and the lower border is, 0 to 1; land without one. */
  readonly water?: number;
  /** Whether the water mirrors the far end. */
  readonly isMirror?: true;
  /** Whether waves break on the first row. */
  readonly hasSurf?: true;
  /** The length of a hill, in units. */
  readonly wave: number;
  readonly rows: readonly Row[];
  readonly props?: readonly Prop[];
  readonly hasFlowers?: true;
  /** Where subjects stand, as a share of the height; absent where they float. */
  readonly floor?: number;
}

const LANDSCAPES = {
  lake: {
    ...{ horizon: [0.56, 0.61], end: [['mountains', 'mountains', 'forest'], 1], wave: 0.5, floor: 0.95 },
    ...{ water: 0.12, isMirror: true },
    rows: [[1, 0.16, 0.02, ['grass', 'shade', 0.6], 0.55, 1.3]],
  },
  sea: {
    ...{ horizon: [0.52, 0.6], end: [[], 0.55], wave: 1, floor: 0.86, water: 0.8 },
    rows: [],
    props: [[0, 'sailboat', 0, 0.13, 0.25, 0.12]],
  },
  beach: {
    ...{ horizon: [0.46, 0.53], end: [['hills'], 0.4], wave: 0.9, floor: 0.92, water: 0.5, hasSurf: true },
    rows: [[0.74, 0.62, 0.02, ['sand', 'sand', 0]]],
    props: [
      [0, 'palm-tree', 0.27, 0.5, 0.25, 0.26],
      [0, 'umbrella-on-ground', -0.06, 0.18, 0.25, 0.28],
    ],
  },
  mountains: {
    ...{ horizon: [0.66, 0.72], end: [['mountains'], 1], wave: 0.42, floor: 0.93 },
    rows: [
      [0.22, 0.24, 0.5, ['pine', 'farGrass', 0.45], 0.85, 0.8],
      [0.52, 0.22, 0.24, ['pine', 'grass', 0.3], 0.93, 0.8],
      [0.92, 0.24, 0, ['pine', 'shade', 0.35], 1, 0.8],
    ],
  },
  forest: {
    ...{ horizon: [0.46, 0.54], end: [['hills'], 0.4], wave: 0.38, floor: 0.95 },
    rows: [
      [0.1, 0.3, 0.74, ['grass', 'pine', 0.55], 1.6, 1],
      [0.3, 0.26, 0.54, ['grass', 'pine', 0.55], 1.6, 1.3],
      [0.55, 0.22, 0.34, ['grass', 'pine', 0.55], 1.6, 1.8],
      [0.96, 0.18, 0.12, ['grass', 'pine', 0.55], 1.6, 1.9],
    ],
  },
  meadow: {
    ...{ horizon: [0.5, 0.57], end: [['mountains', 'hills'], 0.62], wave: 0.62, floor: 0.9 },
    rows: [
      [0.14, 0.24, 0.52, ['farGrass', 'grass', 0.3]],
      [0.4, 0.3, 0.28, ['farGrass', 'grass', 0.7]],
      [0.72, 0.24, 0.06, ['farGrass', 'grass', 1]],
    ],
    props: [
      [0, 'deciduous-tree', -0.2, 0.12, 0.35],
      [1, 'deciduous-tree', 0.26, 0.3, 0.08],
    ],
    hasFlowers: true,
  },
  desert: {
    ...{ horizon: [0.54, 0.62], end: [[], 0.6], wave: 0.6, floor: 0.92 },
    rows: [
      [0.1, 0.34, 0.78, ['sand', 'rock', 0.1]],
      [0.24, 0.3, 0.62, ['sand', 'shade', 0.26]],
      [0.4, 0.34, 0.45, ['sand', 'rock', 0.06]],
      [0.6, 0.3, 0.3, ['sand', 'shade', 0.26]],
      [0.82, 0.4, 0.16, ['sand', 'rock', 0]],
      [1.04, 0.36, 0.04, ['sand', 'shade', 0.26]],
    ],
    props: [[4, 'cactus', 0.36, 0.24, 0.2]],
  },
  winter: {
    ...{ horizon: [0.52, 0.58], end: [['mountains', 'mountains', 'forest'], 0.72], wave: 0.55, floor: 0.92 },
    rows: [
      [0.16, 0.2, 0.42, ['snow', 'sky', 0.13], 0.72, 1.3],
      [0.42, 0.2, 0.24, ['snow', 'sky', 0.1], 0.72, 1.7],
      [0.86, 0.2, 0.03, ['snow', 'sky', 0.06], 0.5, 1.9],
    ],
    props: [[1, 'house', 0.16, 0.15, 0.1]],
  },
  stars: {
    ...{ horizon: [0.78, 0.84], end: [['mountains'], 0.6], wave: 0.5 },
    rows: [
      [0.3, 0.16, 0.3, ['pine', 'shade', 0.6], 1.1, 0.8],
      [0.95, 0.2, 0.05, ['pine', 'shade', 0.6], 1.1, 0.8],
    ],
    props: [[1, 'camping', 0.2, 0.15, 0.3]],
  },
  sky: { horizon: [0.92, 0.92], end: [['hills'], 0.4], wave: 0.5, rows: [] },
} as const satisfies Partial<Readonly<Record<Place, Landscape>>>;

/** Draws a place of the table. */
function drawOutdoors(scene: Scene, place: keyof typeof LANDSCAPES): Drawn {
  const landscape: Landscape = LANDSCAPES[place];
  const { horizon: between, end, wave, rows, water, isMirror, props = [], hasFlowers, floor } = landscape;
  const { frame, light, materials, style } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, place, ...between);
  const colours = { ...materials, shade: light.shade, sky: light.sky[1], snow: '#eef4fb' };
  const isAlone = scene.reading.drawings.length === 0 && !scene.reading.composition;
  const propsOn = (index: number, profile: Profile): string =>
    (isAlone ? props : [])
      .filter(([row]) => row === index)
      .map(([, name, aside, size, tint, below = 0]) => {
        const x = frame.centre + side * aside * frame.span;
        const foot = { x, y: profile(x) + 0.06 * size * frame.unit + below * depth };
        return drawFigure(scene, name, foot, size * frame.unit, Math.max(tint, 0.75 * light.tintAmount));
      })
      .join('');
  const drawn = rows.map(([down, height, distance, [one, other, amount], density, scale = 1], index) => {
    const base = horizon + depth * down;
    const hill = { label: `row${index}`, base, height, wave, octaves: 3, distance };
    const colour = mix(colours[one], colours[other], amount);
    const { profile, marks } = drawGround(scene, { ...hill, colour });
    // Nothing stands between a subject in front and the viewer.
    const firs =
      density && (distance >= 0.1 || isAlone) ? drawFirs(scene, { ...hill, profile, density, scale }) : '';
    const mist = drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance * style.air);
    const surf = landscape.hasSurf ? drawSurf(scene, profile, depth) : '';
    return firs + marks + surf + propsOn(index, profile) + mist;
  });
  const kind = farEnd(scene, end[0][random.whole(0, end[0].length - 1)]);
  const shore = water === undefined ? horizon + depth * 0.06 : horizon;
  const far = drawBackdrop(scene, kind, shore, sun.x, end[1]);
  const lake = (waves: number) => drawWater(scene, { top: horizon, sunX: sun.x, waves }, isMirror ? far : '');
  const marks = drawLandscape(scene, sun, [
    place === 'stars' && light.night ? drawStars(scene, horizon, 1.6) : '',
    isMirror ? '' : far,
    water === undefined ? drawMist(scene, shore, depth * 0.14, 0.4) : lake(water),
    ...(rows.length > 0 ? drawn : [propsOn(0, () => horizon)]),
    hasFlowers && scene.mood.season !== 'autumn' ? drawFlowers(scene, horizon) : '',
  ]);
  return { marks, ...(floor && { floor: floor * frame.height }) };
}

/** Dots in two colours, larger and fewer towards the viewer. */
function drawFlowers(scene: Scene, horizon: number): string {
  const { frame, style } = scene;
  const random = scene.random.fork('flowers');
  const colours = random.pick(['#e8553f #fff8ea', '#b07cc6 #fff3f6', '#f4a53c #fff4c8', '#ffd24a #ffffff']);
  const count = 80 * style.detail * Math.min(2.5, frame.breadth);
  return colours
    .split(' ')
    .map((colour) =>
      repeat(3, (row) => {
        const data = repeat(Math.round(count / (row + 1)), () => {
          const deep = 0.36 + 0.66 * (0.2 + 0.27 * row + random.between(0, 0.3));
          return path`M${random.next() * frame.width} ${horizon + (frame.height - horizon) * deep}h0`;
        });
        return line(data, lit(scene, colour), (0.003 + 0.0035 * row) * frame.unit);
      }),
    )
    .join('');
}

/** Towers behind towers, and a river or a street. */
function drawCity(scene: Scene, isStreet: boolean): Drawn {
  const { frame, style, light } = scene;
  const { horizon, sun: low, depth } = landscapeOf(scene, 'city', 0.7, 0.76);
  // High enough to be seen between the towers.
  const sun = { ...low, y: 0.86 * low.y };
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const lamps = (light.night ? 0.62 : 0.5) * style.detail;
  const row = (label: string, height: number, breadth: number, distance: number, windows: number): string =>
    drawTowers(scene, { label, base: horizon, height, breadth, distance, windows });
  const rows =
    row('third', tall, 0.062, 0.8, 0) +
    drawMist(scene, horizon, tall * 0.4, 0.4) +
    row('second', tall * 0.78, 0.078, 0.5, lamps * 0.6) +
    drawMist(scene, horizon, tall * 0.26, 0.4) +
    row('first', tall * 0.5, 0.1, 0.14, lamps);
  const far = scene.reading.backdrops.includes('mountains')
    ? drawBackdrop(scene, 'mountains', horizon, sun.x, 0.9)
    : '';
  const street = (): string => {
    const [kerb, road] = [lit(scene, '#b9bfc6', 0.15), lit(scene, '#5a6270', 0.05)];
    const dashes = repeat(Math.ceil(frame.width / (0.16 * frame.unit)), (at) =>
      box(at * 0.16 * frame.unit, horizon + depth * 0.62, 0.08 * frame.unit, depth * 0.035),
    );
    const area = (top: number): string => box(0, horizon + depth * top, frame.width, depth);
    return (
      rows +
      shape(area(0), kerb) +
      shape(area(0.22), road) +
      shape(area(0.19), lit(scene, '#8b929c', 0.1), { 'fill-opacity': 0.6 }) +
      shape(dashes, '#ffffff', { 'fill-opacity': 0.7 })
    );
  };
  const front = isStreet ? street() : drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.35 }, rows);
  return { marks: drawLandscape(scene, sun, [far, front]), floor: horizon + depth * 0.55 };
}

/** Water from below: rays of light, bubbles, weed. */
function drawUnderwater(scene: Scene): Drawn {
  const { frame, light, defs, random: source, style, materials } = scene;
  const random = source.fork('underwater');
  const { width, height, unit } = frame;
  const deep = mix(materials.water, light.shade, 0.45);
  const [high, middle] = [mix('#7fd6e0', light.sky[2], 0.35), mix(materials.water, '#2aa0b8', 0.6)];
  const back = defs.vertical(0, height, high, middle, deep);
  const rays = repeat(style.detail === 0 ? 0 : 5, (at) => {
    const x = width * (0.1 + 0.2 * at) + random.between(-0.1, 0.1) * unit;
    return path`M${x} -5h${unit * random.between(0.05, 0.14)}l${unit * 0.28} ${height}h${-unit * 0.3}z`;
  });
  const bubbles = repeat(Math.round(26 * style.detail * Math.min(3, frame.breadth)), () =>
    ellipse(random.next() * width, random.next() * height, unit * random.between(0.004, 0.016)),
  );
  const floor = { label: 'sea-floor', base: height, height: 0.24, wave: 0.4, distance: 0.1 };
  return {
    marks:
      cover(frame, back) +
      shape(rays, defs.vertical(0, height, ...fade('#ffffff', [0, 0.22], [1, 0]))) +
      drawGround(scene, { ...floor, colour: mix(materials.sand, deep, 0.45) }).marks +
      shape(bubbles, '#ffffff', { 'fill-opacity': 0.35 }),
  };
}

/** A wall in one soft colour with a large disc behind the subject; a table has a top of wood, and a plate on it. */
function drawRoom(scene: Scene, isTable: boolean): Drawn {
  const { frame, defs, style, light, constant } = scene;
  const { width, height, unit } = frame;
  const random = scene.random.fork('room');
  const night = style.dark || scene.mood.time === 'night';
  const hue = constant.fork('hue').between(0, 360);
  const tone = (lightness: number, chroma: number, turned = 0): string =>
    fromHue(night ? 0.2 + 0.9 * (lightness - 0.86) : lightness, chroma, hue + turned);
  const { drawings, composition } = scene.reading;
  const count = composition ? 2 : drawings.length;
  const floor = height * 0.88;
  const top = height * (isTable ? 0.68 : 0.8);
  const { x, y, size } = placeFigures(scene, floor);
  const middle = count > 0 ? { x, y: y - size * 0.5 } : { x: frame.centre, y: height / 2 };
  const radius = Math.max(size * 0.62, 0.26 * unit);
  const shaded = (from: number, upper: string, lower: string): string =>
    style.flat ? lower : defs.vertical(from, height, upper, lower);
  const wood = night ? '#3a2a22' : '#e0b083';
  const front = isTable
    ? shaded(top, mix(wood, tone(0.99, 0), 0.25), wood)
    : shaded(top, tone(0.8, 0.07), tone(0.86, 0.055));
  const glowing = tone(night ? 1.03 : 0.97, 0.03, 30);
  const isPhoto = style.detail === 1;
  // A photograph has lights out of focus, other styles small rings.
  const ornaments = repeat(Math.round(style.detail * 14 * Math.min(3, frame.breadth)), () => {
    const [cx, cy] = [random.next() * width, random.next() * top * 0.92];
    const r = unit * random.between(0.008, 0.02);
    const colour = tone(isPhoto ? 0.98 : 0.78, 0.09, random.pick([0, 40, -60, 150]));
    if (isPhoto) return circle(cx, cy, 4 * r, colour, { 'fill-opacity': random.between(0.12, 0.4) });
    if (Math.hypot(cx - middle.x, cy - middle.y) < radius * 1.15) return '';
    return circle(cx, cy, r, 'none', { stroke: colour, 'stroke-width': r * 0.45 });
  });
  const ring = { stroke: glowing, 'stroke-width': unit * 0.004, 'stroke-opacity': 0.7 };
  const disc = isPhoto
    ? glow(scene, { ...middle, radius: radius * 1.7 }, glowing, 0.85)
    : circle(middle.x, middle.y, radius, glowing) + circle(middle.x, middle.y, radius * 1.13, 'none', ring);
  const rim = (share: number, fill: string, opacity = 1): string =>
    shape(ellipse(x, height * 0.873, size * share, size * share * 0.13), fill, { 'fill-opacity': opacity });
  const plate =
    rim(0.63, mix(light.shade, wood, 0.5), 0.35) + rim(0.6, tone(0.99, 0.006)) + rim(0.44, tone(0.94, 0.012));
  const wall = cover(frame, shaded(0, tone(0.95, 0.035), tone(0.87, 0.055)));
  const board = shape(box(0, top, width, height - top + 5), front);
  return { marks: wall + ornaments + disc + board + (isTable && count === 1 ? plate : ''), floor };
}

/** Soft fields of colour that run into one another. */
function drawAbstract(scene: Scene): string {
  const { frame, constant, defs } = scene;
  const random = scene.random.fork('abstract');
  const hue = constant.fork('hue').between(0, 360);
  const tone = (turned: number) => fromHue(scene.style.dark ? 0.4 : 0.74, 0.13, hue + turned);
  const fields = repeat(5, (at) => {
    const [x, y] = [random.next() * frame.width, random.next() * frame.height];
    const radius = frame.unit * random.between(0.5, 0.9);
    return circle(x, y, radius, defs.radial(x, y, radius, fade(tone(40 * at), [0, 0.9], [1, 0])));
  });
  return cover(frame, defs.vertical(0, frame.height, tone(-40), tone(60))) + fields;
}

/** Draws the place of a scene. */
export function drawPlace(scene: Scene): Drawn {
  const { place } = scene.reading;
  if (place === 'city' || place === 'street') return drawCity(scene, place === 'street');
  if (place === 'abstract') return { marks: drawAbstract(scene) };
  if (place === 'underwater') return drawUnderwater(scene);
  return place === 'studio' || place === 'table'
    ? drawRoom(scene, place === 'table')
    : drawOutdoors(scene, place);
}
