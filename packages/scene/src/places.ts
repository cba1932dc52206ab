/** Where scenes play: landscapes from a table, drawn from far to near; a city, the deep, and a room, each drawn by itself. */
import { fromHue, mix } from './colour';
import { drawFigure, placeFigures } from './figure';
import { drawHill, drawRange, drawTowers, type Hill, skylineOf } from './land';
import type { Materials } from './palettes';
import { cover, lit, many, type Scene } from './scene';
import { drawMist, drawUnderSky, glow, placeSun } from './sky';
import type { Place } from './subjects';
import { box, circle, ellipse, fade, path, repeat, shape } from './svg';
import { drawSurf, drawWater } from './water';

/** A place as it is drawn; without a `floor` subjects float in the middle. */
interface Drawn {
  readonly marks: string;
  readonly floor?: number;
}

/** What stands at the far end of a landscape. */
type FarEnd = 'mountains' | 'forest' | 'hills';

interface Landscape {
  /** Where the horizon is, as a share of the height from the top. */
  readonly horizon: number;
  /** Where subjects stand, as a share of the height; absent where they float. */
  readonly floor?: number;
  /** What stands at the far end unless the words name something else, and its height as a share of the frame's rise. */
  readonly end?: readonly [FarEnd, number];
  /** How rough the water before it is, 0 to 1, on which the far end is mirrored below 0.2; land when absent. */
  readonly water?: number;
  /** Rows of ground: how many, of what the farthest and the nearest are, and where the farthest begins (a share of the way from the horizon down). */
  readonly ground?: readonly [rows: number, far: keyof Materials, near: keyof Materials, from: number];
  /** How densely firs stand on it, 1 being a closed wood. */
  readonly firs?: number;
  /** Drawings on the ground where no subject stands in front: the row, what, beside the centre away from the light, size; in units. */
  readonly props?: readonly (readonly [row: number, name: string, aside: number, size: number])[];
}

const landscapes: Readonly<Partial<Record<Place, Landscape>>> = {
  lake: {
    horizon: 0.58,
    floor: 0.95,
    end: ['mountains', 1],
    water: 0.1,
    ground: [1, 'pine', 'pine', 1],
    firs: 0.6,
  },
  sea: { horizon: 0.56, floor: 0.86, water: 0.8, props: [[0, 'sailboat', 0, 0.13]] },
  beach: {
    ...{ horizon: 0.5, floor: 0.92, end: ['hills', 0.4], water: 0.5, ground: [2, 'sand', 'sand', 0.74] },
    props: [
      [1, 'palm-tree', 0.27, 0.5],
      [1, 'umbrella-on-ground', -0.06, 0.18],
    ],
  },
  mountains: {
    horizon: 0.68,
    floor: 0.93,
    end: ['mountains', 1],
    ground: [3, 'grass', 'pine', 0.2],
    firs: 0.9,
  },
  forest: { horizon: 0.5, floor: 0.95, end: ['hills', 0.4], ground: [4, 'farGrass', 'pine', 0.1], firs: 1.6 },
  meadow: {
    ...{ horizon: 0.54, floor: 0.9, end: ['mountains', 0.62], ground: [3, 'farGrass', 'grass', 0.14] },
    props: [
      [0, 'deciduous-tree', -0.2, 0.12],
      [1, 'deciduous-tree', 0.26, 0.3],
    ],
  },
  desert: {
    horizon: 0.58,
    floor: 0.92,
    ground: [5, 'rock', 'sand', 0.1],
    props: [[3, 'cactus', 0.36, 0.24]],
  },
  winter: {
    ...{
      horizon: 0.55,
      floor: 0.92,
      end: ['mountains', 0.72],
      ground: [3, 'grass', 'grass', 0.16],
      firs: 0.7,
    },
    props: [[1, 'house', 0.16, 0.15]],
  },
  stars: {
    horizon: 0.81,
    end: ['mountains', 0.6],
    ground: [2, 'pine', 'pine', 0.3],
    firs: 1,
    props: [[1, 'camping', 0.2, 0.15]],
  },
  sky: { horizon: 0.92, end: ['hills', 0.4] },
};

/** Where a horizon is, about a share of the height, how far it is from there to the lower border, and the light above it. */
function horizonAt(scene: Scene, share: number) {
  const { height } = scene.frame;
  const horizon = height * (share + scene.random.fork('horizon').between(-0.03, 0.03));
  return { horizon, depth: height - horizon, sun: placeSun(scene, horizon) };
}

/** Draws a place of the table. */
function drawLandscape(scene: Scene, { water, props = [], floor, ...landscape }: Landscape): Drawn {
  const { frame, light, materials, style, reading } = scene;
  const { horizon, depth, sun } = horizonAt(scene, landscape.horizon);
  const isAlone = reading.drawings.length === 0 && !reading.composition;
  const [count, far, near, from] = landscape.ground ?? [0, 'grass', 'grass', 0];
  const hills = Array.from({ length: count }, (_, at): Hill => {
    /** 0 at the farthest row, 1 at the nearest. */
    const t = count === 1 ? 1 : at / (count - 1);
    const distance = 0.03 + (water === undefined ? 0.62 * (1 - t) ** 1.3 : 0);
    const base = horizon + depth * (from + (1 - from) * t ** 1.2 * (count === 1 ? 1 : 0.92));
    // Nothing stands between a subject in front and the viewer.
    const firs = landscape.firs && (t < 1 || isAlone) ? { firs: landscape.firs } : {};
    const colour = mix(materials[far], materials[near], t);
    return {
      label: `row${at}`,
      base,
      height: (0.3 - 0.1 * t) * frame.rise,
      distance,
      colour,
      ...firs,
    };
  });
  const propsOn = (row: number): string =>
    (isAlone ? props : [])
      .filter(([on]) => on === row)
      .map(([, name, aside, size]) => {
        const x = frame.centre + (sun.x > frame.centre ? -aside : aside) * frame.span;
        const ground = hills[row];
        const y = ground ? skylineOf(scene, ground)(x) + 0.06 * size * frame.unit : horizon + 0.13 * depth;
        return drawFigure(scene, name, { x, y }, size * frame.unit, Math.max(0.2, 0.75 * light.tintAmount));
      })
      .join('');
  const rows = hills.map((hill, at) => {
    const surf =
      water !== undefined && water > 0.2 && at === 0 ? drawSurf(scene, skylineOf(scene, hill), depth) : '';
    const mist = drawMist(
      scene,
      hill.base + frame.rise * 0.05,
      frame.rise * 0.2,
      0.34 * hill.distance * style.air,
    );
    return drawHill(scene, hill) + surf + propsOn(at) + mist;
  });
  const [kind, scale] = landscape.end ?? [undefined, 0.6];
  const end = (['mountains', 'forest'] as const).find((one) => reading.backdrops.includes(one)) ?? kind;
  const shore = water === undefined ? horizon + depth * 0.06 : horizon;
  const back = end ? drawFarEnd(scene, end, shore, scale, sun.x) : '';
  const isMirror = water !== undefined && water < 0.2;
  const surface =
    water === undefined
      ? drawMist(scene, shore, depth * 0.14, 0.4)
      : drawWater(scene, horizon, sun.x, water, isMirror ? back : '');
  const land = (isMirror ? '' : back) + surface + (count === 0 ? propsOn(0) : rows.join(''));
  return { marks: drawUnderSky(scene, sun, horizon, land), ...(floor && { floor: floor * frame.height }) };
}

/** Draws mountain ranges, woods or hills that stand on `base`; `scale` 1 is as high as mountains may rise. */
function drawFarEnd(scene: Scene, kind: FarEnd, base: number, scale: number, sunX: number): string {
  const { frame, materials } = scene;
  const rise = frame.rise * scale;
  const row = (height: number, distance: number, firs?: number): string => {
    const hill = {
      label: `end${distance}`,
      base,
      height: height * rise,
      distance,
      colour: mix(materials.farGrass, materials.pine, 0.5),
    };
    return drawHill(scene, { ...hill, bottom: base + frame.unit * 0.03, ...(firs && { firs }) });
  };
  const firs = kind === 'forest' ? 1.5 : undefined;
  const back =
    kind === 'mountains'
      ? drawRange(scene, base, rise * 0.8, 0.86, sunX) +
        drawMist(scene, base, rise * 0.4, 0.5) +
        drawRange(scene, base, rise * 1.06, 0.5, sunX)
      : row(0.66, 0.84, firs) + row(0.44, 0.63, firs);
  return back + drawMist(scene, base, rise * 0.27, 0.5) + row(0.18, 0.48, 1.5);
}

/** Towers behind towers, and a river or a street. */
function drawCity(scene: Scene, isStreet: boolean): Drawn {
  const { frame, style, reading } = scene;
  const { horizon, sun, depth } = horizonAt(scene, 0.73);
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const row = (height: number, breadth: number, distance: number, windows: number): string =>
    drawTowers(scene, { base: horizon, height, breadth, distance, windows: windows * style.detail });
  const towers =
    (reading.backdrops.includes('mountains') ? drawFarEnd(scene, 'mountains', horizon, 0.9, sun.x) : '') +
    row(tall, 0.062, 0.8, 0) +
    drawMist(scene, horizon, tall * 0.4, 0.4) +
    row(tall * 0.78, 0.078, 0.5, 0.25) +
    drawMist(scene, horizon, tall * 0.26, 0.4) +
    row(tall * 0.5, 0.1, 0.14, 0.4);
  const band = (top: number, colour: string): string =>
    shape(box(0, horizon + depth * top, frame.width, depth), colour);
  const dash = 0.16 * frame.unit;
  const dashes = repeat(Math.ceil(frame.width / dash), (at) =>
    box(at * dash, horizon + depth * 0.62, dash / 2, depth * 0.035),
  );
  const street =
    towers +
    band(0, lit(scene, '#b9bfc6')) +
    band(0.2, lit(scene, '#5a6270')) +
    shape(dashes, '#ffffff', { opacity: 0.7 });
  const land = isStreet ? street : drawWater(scene, horizon, sun.x, 0.35, towers);
  // The light is high enough to be seen between the towers.
  return {
    marks: drawUnderSky(scene, { ...sun, y: 0.86 * sun.y }, horizon, land),
    floor: horizon + depth * 0.55,
  };
}

/** Water from below: rays of light, bubbles, the floor. */
function drawUnderwater(scene: Scene): Drawn {
  const { frame, light, defs, materials } = scene;
  const random = scene.random.fork('underwater');
  const { width, height, unit } = frame;
  const deep = mix(materials.water, light.shade, 0.45);
  const back = defs.vertical(0, height, '#7fd6e0', mix(materials.water, '#2aa0b8', 0.6), deep);
  const rays = repeat(
    5,
    (at) =>
      path`M${width * (0.1 + 0.2 * at)} -5h${unit * random.between(0.05, 0.14)}l${unit * 0.28} ${height}h${-unit * 0.3}z`,
  );
  const bubbles = repeat(many(scene, 26), () =>
    ellipse(random.next() * width, random.next() * height, unit * random.between(0.004, 0.016)),
  );
  const floor = {
    label: 'floor',
    base: height,
    height: 0.24 * frame.rise,
    distance: 0.1,
    colour: mix(materials.sand, deep, 0.45),
  };
  const shine = shape(rays, defs.vertical(0, height, ...fade('#ffffff', [0, 0.22], [1, 0])));
  return {
    marks: cover(frame, back) + shine + drawHill(scene, floor) + shape(bubbles, '#ffffff', { opacity: 0.35 }),
  };
}

/** A wall in one soft colour with a large disc behind the subject; a table has a top of wood, and a plate under a single subject. */
function drawRoom(scene: Scene, isTable: boolean): Drawn {
  const { frame, defs, style, light, constant, reading } = scene;
  const { width, height, unit } = frame;
  const night = style.dark || scene.mood.time === 'night';
  const hue = constant.fork('hue').between(0, 360);
  const tone = (lightness: number, chroma: number): string =>
    fromHue(night ? 0.9 * lightness - 0.57 : lightness, chroma, hue);
  const shaded = (from: number, upper: string, lower: string): string =>
    style.flat ? lower : defs.vertical(from, height, upper, lower);
  const floor = height * 0.88;
  const top = height * (isTable ? 0.68 : 0.8);
  const { x, y, size } = placeFigures(scene, floor);
  const isEmpty = reading.drawings.length === 0 && !reading.composition;
  const random = scene.random.fork('room');
  // Behind words set in type the disc stands anywhere, so that each seed looks different.
  const anywhere = {
    x: frame.centre + random.between(-0.4, 0.4) * frame.span,
    y: height * random.between(0.3, 0.6),
  };
  const middle = isEmpty ? anywhere : { x, y: y - size * 0.5 };
  const radius = Math.max(size * 0.62, 0.26 * unit);
  const wood = night ? '#3a2a22' : '#e0b083';
  const front = isTable
    ? shaded(top, mix(wood, tone(0.99, 0), 0.25), wood)
    : shaded(top, tone(0.8, 0.07), tone(0.86, 0.055));
  const glowing = tone(0.97, 0.03);
  const ring = { stroke: glowing, 'stroke-width': unit * 0.004, 'stroke-opacity': 0.7 };
  // A photograph has light out of focus.
  const disc =
    style.detail === 1
      ? glow(scene, { ...middle, radius: radius * 1.7 }, glowing, 0.85)
      : circle(middle.x, middle.y, radius, glowing) + circle(middle.x, middle.y, radius * 1.13, 'none', ring);
  const rim = (share: number, fill: string): string =>
    shape(ellipse(x, height * 0.873, size * share, size * share * 0.13), fill);
  const plate =
    rim(0.62, mix(light.shade, wood, 0.75)) + rim(0.6, tone(0.99, 0.006)) + rim(0.44, tone(0.94, 0.012));
  const wall = cover(frame, shaded(0, tone(0.95, 0.035), tone(0.87, 0.055)));
  const hasPlate = isTable && reading.drawings.length === 1;
  return {
    marks: wall + disc + shape(box(0, top, width, height - top + 5), front) + (hasPlate ? plate : ''),
    floor,
  };
}

/** Soft fields of colour that run into one another. */
function drawAbstract({ frame, constant, defs, random: source, style }: Scene): Drawn {
  const random = source.fork('abstract');
  const hue = constant.fork('hue').between(0, 360);
  const tone = (turned: number) => fromHue(style.dark ? 0.4 : 0.74, 0.13, hue + turned);
  const fields = repeat(5, (at) => {
    const [x, y] = [random.next() * frame.width, random.next() * frame.height];
    const radius = frame.unit * random.between(0.5, 0.9);
    return circle(x, y, radius, defs.radial(x, y, radius, fade(tone(40 * at), [0, 0.9], [1, 0])));
  });
  return { marks: cover(frame, defs.vertical(0, frame.height, tone(-40), tone(60))) + fields };
}

/** Draws the place of a scene. */
export function drawPlace(scene: Scene): Drawn {
  const { place } = scene.reading;
  const landscape = landscapes[place];
  if (landscape) return drawLandscape(scene, landscape);
  if (place === 'city' || place === 'street') return drawCity(scene, place === 'street');
  if (place === 'abstract') return drawAbstract(scene);
  return place === 'underwater' ? drawUnderwater(scene) : drawRoom(scene, place === 'table');
}
