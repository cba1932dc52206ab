/** Where scenes play. Each place draws itself from far to near, and says where the ground is on which subjects stand. */
import { drawBackdrop, drawTowers } from './backdrop';
import { fromHue, mix } from './colour';
import { placeFigures } from './figure';
import { drawGround, drawWoods, hills, landBelow, type Profile } from './land';
import { cover, fromSide, lit, type Scene } from './scene';
import { drawLandscape, drawMist, glow, landscapeOf } from './sky';
import { box, circle, ellipse, fade, line, path, repeat, shape } from './svg';
import { type Drawn, drawTerrain, farEnd, prop } from './terrain';
import { drawSurf, drawWater } from './water';

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

/** Draws the place of a scene. */
export function drawPlace(scene: Scene): Drawn {
  const { place } = scene.reading;
  switch (place) {
    case 'beach':
      return drawBeach(scene);
    case 'city':
      return drawCity(scene);
    case 'lake':
      return drawLake(scene);
    case 'sea':
      return drawSea(scene);
    case 'studio':
    case 'table':
      return drawRoom(scene, place === 'table');
    case 'underwater':
      return drawUnderwater(scene);
    default:
      return drawTerrain(scene, place);
  }
}
