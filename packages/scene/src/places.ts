/** Where scenes play. Each place draws itself from far to near, and says where the ground is on which subjects stand. */
import { type Backdrop, drawBackdrop, drawRanges, drawTowers } from './backdrop';
import { fromHue, mix } from './colour';
import { drawFigure, placeFigures } from './figure';
import { drawFirs, drawGround, drawWoods, hills, landBelow, type Profile } from './land';
import { cover, fromSide, lit, type Scene } from './scene';
import { drawLandscape, drawMist, drawSky, drawStars, glow, landscapeOf } from './sky';
import type { Place } from './subjects';
import { box, circle, ellipse, fade, line, type Point, path, repeat, shape } from './svg';
import { drawSurf, drawWater } from './water';

/** A place as it is drawn; without a `floor` subjects float in the middle. */
interface Drawn {
  readonly marks: string;
  readonly floor?: number;
}

/** A drawing as part of a landscape, where no subject stands in front. */
const prop = (scene: Scene, name: string, foot: Point, size: number, tint = 0.25): string =>
  scene.reading.drawings.length > 0 || scene.style.detail === 0
    ? ''
    : drawFigure(scene, name, foot, size, Math.max(tint, 0.75 * scene.light.tintAmount));

/** The far end that the words name beside the place, or else the other one. */
const farEnd = ({ reading }: Scene, otherwise?: Backdrop): Backdrop | undefined =>
  (['mountains', 'city', 'forest'] as const).find((kind) => reading.backdrops.includes(kind)) ?? otherwise;

/** Ranges behind ranges, wooded hills before them. */
function drawMountains(scene: Scene): Drawn {
  const { materials, light, frame } = scene;
  const { horizon, depth, sun } = landscapeOf(scene, 'mountains', 0.66, 0.72);
  const layer = (label: string, drop: number, height: number, distance: number, colour: string): string => {
    const hill = { label, base: horizon + depth * drop, height, wave: 0.42, octaves: 3 };
    return drawWoods(scene, { ...hill, colour, distance, density: 1 - distance * 0.3 }).marks;
  };
  const marks = drawLandscape(scene, sun, [
    drawRanges(scene, horizon + depth * 0.12, sun.x),
    layer('foothills', 0.22, 0.24, 0.5, mix(materials.pine, materials.farGrass, 0.45)),
    drawMist(scene, horizon + depth * 0.36, depth * 0.3, 0.4),
    layer('woods', 0.52, 0.22, 0.24, mix(materials.pine, materials.grass, 0.3)),
    layer('near', 0.92, 0.24, 0, mix(materials.pine, light.shade, 0.35)),
  ]);
  return { marks, floor: frame.height * 0.93 };
}

/** Still water that mirrors what stands at its far end. */
function drawLake(scene: Scene): Drawn {
  const { frame, materials, light } = scene;
  const { random, horizon, sun } = landscapeOf(scene, 'lake', 0.56, 0.61);
  const kind = farEnd(scene, random.chance(0.6) ? 'mountains' : 'forest');
  const shore = { label: 'shore', base: frame.height, height: 0.16, wave: 0.5, octaves: 3, distance: 0.02 };
  const marks = drawLandscape(scene, sun, [
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.12 }, drawBackdrop(scene, kind, horizon, sun)),
    drawWoods(scene, { ...shore, colour: mix(materials.grass, light.shade, 0.6), density: 0.55, scale: 1.3 })
      .marks,
  ]);
  return { marks, floor: frame.height * 0.95 };
}

/** Towers behind towers, and a river or, where something stands in front, a street. */
function drawCity(scene: Scene): Drawn {
  const { frame, style, light } = scene;
  const { horizon, sun: low, depth } = landscapeOf(scene, 'city', 0.7, 0.76);
  // High enough to be seen between the towers.
  const sun = { ...low, y: 0.86 * low.y };
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const lamps = (light.night ? 0.62 : 0.5) * style.detail;
  const row = (label: string, height: number, breadth: number, distance: number, windows: number): string =>
    drawTowers(scene, { label, base: horizon, height, breadth, distance, windows }, sun);
  const rows =
    row('third', tall, 0.062, 0.8, 0) +
    drawMist(scene, horizon, tall * 0.4, 0.4) +
    row('second', tall * 0.78, 0.078, 0.5, lamps * 0.6) +
    drawMist(scene, horizon, tall * 0.26, 0.4) +
    row('first', tall * 0.5, 0.1, 0.14, lamps);
  const far = scene.reading.backdrops.includes('mountains')
    ? drawBackdrop(scene, 'mountains', horizon, sun, 0.9)
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
  const isStreet = scene.reading.drawings.length > 0;
  const front = isStreet ? street() : drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.35 }, rows);
  return { marks: drawLandscape(scene, sun, [far, front]), floor: horizon + depth * 0.55 };
}

/** The open sea with a sail. */
function drawSea(scene: Scene): Drawn {
  const { frame } = scene;
  const { horizon, sun, side, depth } = landscapeOf(scene, 'sea', 0.52, 0.6);
  const boat = { x: sun.x + side * 0.2 * frame.span, y: horizon + depth * 0.12 };
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(scene, farEnd(scene), horizon, sun, 0.55),
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.8 }),
    prop(scene, 'sailboat', boat, 0.13 * frame.unit),
  ]);
  return { marks, floor: horizon + depth * 0.66 };
}

/** Sand in front, surf across, a palm at one side. */
function drawBeach(scene: Scene): Drawn {
  const { frame, light, materials, defs } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'beach', 0.46, 0.53);
  const lean = side * random.between(0.1, 0.2) * depth;
  const swing = hills(random.fork('shore'), frame, { base: 0, height: depth * 0.16, wave: 0.5 });
  // The sand rises towards the side where the palm stands.
  const shore: Profile = (x) =>
    horizon + depth * 0.6 + swing(x) - (lean * 2 * (x - frame.centre)) / frame.width;
  const damp = landBelow(shore, frame);
  const dry = landBelow((x) => shore(x) + depth * 0.03, frame);
  const sand = lit(scene, materials.sand);
  const [back, front] = [mix(sand, light.haze, 0.25), mix(sand, light.shade, 0.22)];
  const tall = Math.min(frame.height * 0.7, frame.unit * 0.5);
  const x = fromSide(frame, side, 0.22);
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(scene, farEnd(scene, 'hills'), horizon, sun, 0.4),
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.5 }),
    drawSurf(scene, shore, depth),
    shape(damp.path, mix(sand, light.shade, 0.3)),
    shape(dry.path, defs.vertical(damp.top, frame.height, back, [0.45, sand], front)),
    prop(scene, 'palm-tree', { x, y: shore(x) + depth * 0.26 }, tall),
    prop(
      scene,
      'umbrella-on-ground',
      { x: x - side * 0.36 * frame.unit, y: shore(x) + depth * 0.36 },
      tall * 0.36,
    ),
  ]);
  return { marks, floor: frame.height * 0.92 };
}

/** Rows of trees from far to near. */
function drawForest(scene: Scene): Drawn {
  const { frame, materials, style } = scene;
  const { horizon, depth, sun } = landscapeOf(scene, 'woods', 0.46, 0.54);
  const row = (index: number, distance: number, level: number, scale: number): string => {
    const base = horizon + depth * level;
    const hill = { label: `row${index}`, base, height: 0.3 - 0.04 * index, wave: 0.38, octaves: 3 };
    const land = { ...hill, colour: mix(materials.grass, materials.pine, 0.55), distance, mist: 0.75 };
    const { marks } = drawWoods(scene, { ...land, density: 1.6, scale });
    return (
      marks +
      drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, (0.34 * distance + 0.08) * style.air)
    );
  };
  const far = scene.reading.backdrops.includes('mountains') ? 'mountains' : undefined;
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(scene, far, horizon + frame.rise * 0.1, sun, 0.8),
    row(0, 0.74, 0.1, 1),
    row(1, 0.54, 0.3, 1.3),
    row(2, 0.34, 0.55, 1.8),
    row(3, 0.12, 0.96, 1.9),
  ]);
  return { marks, floor: frame.height * 0.95 };
}

/** Rolling grass with trees and flowers. */
function drawMeadow(scene: Scene): Drawn {
  const { frame, materials, style, light } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'meadow', 0.5, 0.57);
  const ground = (label: string, level: number, height: number, distance: number, near: number) => {
    const hill = { label, base: horizon + depth * level, height, wave: 0.62, distance, mist: 0.4 };
    return drawGround(scene, { ...hill, colour: mix(materials.farGrass, materials.grass, near) });
  };
  const far = ground('far', 0.14, 0.24, 0.52, 0.3);
  const middle = ground('middle', 0.4, 0.3, 0.28, 0.7);
  const near = ground('near', 0.72, 0.24, 0.06, 1);
  const treeAt = ({ profile }: typeof far, towards: 1 | -1, size: number, tint: number): string => {
    const x = frame.centre - towards * side * random.fork(towards).between(0.16, 0.34) * frame.span;
    return prop(
      scene,
      'deciduous-tree',
      { x, y: profile(x) + size * 0.06 * frame.unit },
      size * frame.unit,
      tint,
    );
  };
  const [bright, pale] = random.pick([
    ['#e8553f', '#fff8ea'],
    ['#b07cc6', '#fff3f6'],
    ['#f4a53c', '#fff4c8'],
    ['#ffd24a', '#ffffff'],
  ] as const);
  const own = random.fork('flowers');
  const count =
    scene.mood.season === 'autumn' ? 0 : Math.round(80 * style.detail * Math.min(2.5, frame.breadth));
  const flowers = (colour: string): string =>
    repeat(3, (row) => {
      const data = repeat(count / (row + 1), () => {
        const deep = 0.2 + 0.27 * row + own.between(0, 0.3);
        return path`M${own.next() * frame.width} ${horizon + depth * (0.36 + 0.66 * deep)}h0`;
      });
      return line(data, lit(scene, colour), (0.003 + 0.0035 * row) * frame.unit);
    });
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(
      scene,
      farEnd(scene, random.chance(0.5) ? 'mountains' : 'hills'),
      horizon + depth * 0.04,
      sun,
      0.62,
    ),
    drawMist(scene, horizon + depth * 0.06, depth * 0.14, 0.4),
    far.marks,
    treeAt(far, 1, 0.12, 0.35),
    middle.marks,
    treeAt(middle, -1, 0.3, 0.08),
    near.marks,
    flowers(bright),
    flowers(mix(pale, light.glow, 0.2)),
  ]);
  return { marks, floor: frame.height * 0.9 };
}

/** Rows of dunes. */
function drawDesert(scene: Scene): Drawn {
  const { frame, light } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'desert', 0.54, 0.62);
  const sand = random.pick(['#e8b06a', '#e0a265', '#d98f5c']);
  const dune = (level: number, height: number, distance: number): string => {
    const hill = { label: `dune${level}`, base: horizon + depth * level, height, octaves: 1, distance };
    const back = drawGround(scene, { ...hill, wave: 0.62 - 0.3 * distance, colour: sand });
    const shade = mix(sand, light.shade, 0.22);
    const front = {
      ...hill,
      label: `shade${level}`,
      base: hill.base + depth * 0.14,
      wave: 0.8,
      colour: shade,
    };
    return back.marks + drawGround(scene, front).marks;
  };
  const cactus = { x: fromSide(frame, side, 0.16), y: frame.height * 0.93 };
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(scene, farEnd(scene), horizon + depth * 0.08, sun, 0.7),
    dune(0.1, 0.34, 0.78),
    drawMist(scene, horizon + depth * 0.1, depth * 0.2, 0.45),
    dune(0.34, 0.34, 0.5),
    dune(0.64, 0.4, 0.24),
    dune(1.02, 0.5, 0.04),
    prop(scene, 'cactus', cactus, frame.unit * 0.24, 0.3),
  ]);
  return { marks, floor: frame.height * 0.92 };
}

/** Snow on rolling ground, firs that carry it, a hut. */
function drawWinter(scene: Scene): Drawn {
  const { frame, light } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'winter', 0.52, 0.58);
  const ground = (label: string, level: number, distance: number) => {
    const colour = mix('#eef4fb', light.sky[1], 0.06 + 0.1 * distance);
    const hill = { label, base: horizon + depth * level, height: 0.2, wave: 0.55 };
    return drawGround(scene, { ...hill, colour, distance: distance * 0.6, mist: 0.3 });
  };
  const [far, middle, near] = [
    ground('far', 0.16, 0.7),
    ground('middle', 0.42, 0.4),
    ground('near', 0.86, 0.05),
  ];
  const firs = (label: string, { profile }: typeof far, distance: number, scale: number): string =>
    drawFirs(scene, { label, profile, distance, scale, density: 0.72 });
  const x = frame.centre + side * random.between(0.1, 0.22) * frame.span;
  const marks = drawLandscape(scene, sun, [
    drawBackdrop(
      scene,
      farEnd(scene, random.chance(0.65) ? 'mountains' : 'forest'),
      horizon + depth * 0.06,
      sun,
      0.72,
    ),
    far.marks,
    firs('far', far, 0.55, 1.3),
    drawMist(scene, horizon + depth * 0.22, depth * 0.14, 0.35),
    middle.marks,
    firs('middle', middle, 0.3, 1.7),
    prop(scene, 'house', { x, y: middle.profile(x) + frame.unit * 0.04 }, frame.unit * 0.15, 0.1),
    near.marks,
    scene.reading.drawings.length > 0 ? '' : firs('near', near, 0.02, 2),
  ]);
  return { marks, floor: frame.height * 0.92 };
}

/** The night sky over low hills; what stands for itself floats in it. */
function drawNight(scene: Scene): Drawn {
  const { frame, materials, light } = scene;
  const { horizon, sun, side } = landscapeOf(scene, 'night', 0.78, 0.84);
  const wood = (label: string, base: number, height: number, distance: number) => {
    const hill = { label, base, height, wave: 0.5, octaves: 3, distance, density: 1.1 };
    return drawWoods(scene, { ...hill, colour: mix(materials.pine, light.shade, 0.6) });
  };
  const [far, near] = [
    wood('far', horizon + frame.height * 0.07, 0.16, 0.3),
    wood('near', frame.height * 0.99, 0.2, 0.05),
  ];
  const x = frame.centre + side * 0.2 * frame.span;
  const marks = drawLandscape(scene, sun, [
    light.night ? drawStars(scene, horizon, 1.6) : '',
    drawBackdrop(scene, farEnd(scene, 'mountains'), horizon + frame.height * 0.03, sun, 0.6),
    far.marks,
    near.marks,
    prop(scene, 'camping', { x, y: near.profile(x) + frame.unit * 0.03 }, frame.unit * 0.15, 0.3),
  ]);
  return { marks };
}

/** The open sky. */
function drawAir(scene: Scene): Drawn {
  const { frame } = scene;
  const { horizon, sun } = landscapeOf(scene, 'air', 0.92);
  const far = drawBackdrop(scene, farEnd(scene, 'hills'), horizon, sun, 0.4);
  return { marks: drawSky(scene, sun) + far + drawMist(scene, frame.height, frame.height * 0.25, 0.7) };
}

/** Water from below: rays of light, bubbles, weed. */
function drawUnderwater(scene: Scene): Drawn {
  const { frame, light, defs, random: source, style, materials } = scene;
  const random = source.fork('underwater');
  const { width, height, unit } = frame;
  const deep = mix(materials.water, light.shade, 0.45);
  const back = defs.vertical(
    0,
    height,
    mix('#7fd6e0', light.sky[2], 0.35),
    [0.5, mix(materials.water, '#2aa0b8', 0.6)],
    deep,
  );
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
  const count = scene.reading.drawings.length;
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
  // A photograph has lights out of focus, other styles small rings, dots and crosses.
  const ornaments = repeat(Math.round(style.detail * 14 * Math.min(3, frame.breadth)), () => {
    const [cx, cy, r] = [
      random.next() * width,
      random.next() * top * 0.92,
      unit * random.between(0.008, 0.02),
    ];
    const colour = tone(isPhoto ? 0.98 : 0.78, 0.09, random.pick([0, 40, -60, 150]));
    if (isPhoto) return circle(cx, cy, 4 * r, colour, { 'fill-opacity': random.between(0.12, 0.4) });
    if (Math.hypot(cx - middle.x, cy - middle.y) < radius * 1.15) return '';
    const cross = line(path`M${cx - r} ${cy}h${2 * r}M${cx} ${cy - r}v${2 * r}`, colour, r * 0.5);
    const ring = circle(cx, cy, r, 'none', { stroke: colour, 'stroke-width': r * 0.45 });
    return random.pick([cross, ring, circle(cx, cy, r, colour)]);
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

const PLACES: Readonly<Record<Place, (scene: Scene) => Drawn>> = {
  beach: drawBeach,
  city: drawCity,
  desert: drawDesert,
  forest: drawForest,
  lake: drawLake,
  meadow: drawMeadow,
  mountains: drawMountains,
  sea: drawSea,
  sky: drawAir,
  stars: drawNight,
  studio: (scene) => drawRoom(scene, false),
  table: (scene) => drawRoom(scene, true),
  underwater: drawUnderwater,
  winter: drawWinter,
};

/** Draws the place of a scene. */
export const drawPlace = (scene: Scene): Drawn => PLACES[scene.reading.place](scene);
