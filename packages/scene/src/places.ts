/** Draws the places of scenes: landscapes from far to near, and the deep, a room, and fields of colour. */
import { fromHue, mix } from './colour';
import { drawFigure, placeFigures } from './figure';
import { drawHill, drawRange, drawTowers, type Hill, type Profile, skylineOf } from './land';
import { type Landscape, landscapes, props } from './landscapes';
import { drawCover, litColour, type Scene, scaledCount } from './scene';
import { drawGlow, drawMist, drawUnderSky, placeSun } from './sky';
import { box, circle, ellipse, fade, path, repeat, shape } from './svg';
import { drawSurf, drawWater, mirrorBelow } from './water';

/** A drawn place. Without a `floor`, subjects float in the middle. */
interface PlaceDrawing {
  readonly marks: string;
  readonly floor?: number;
}

/** Draws a landscape from far to near: its far end, water or the edge of the land, the ground before it. */
function drawLandscape(scene: Scene, landscape: Landscape): PlaceDrawing {
  const { frame, random } = scene;
  const { water, floor, isCity } = landscape;
  const horizon = frame.height * (landscape.horizon + random.fork('horizon').between(-0.03, 0.03));
  const depth = frame.height - horizon;
  const { y, ...sun } = placeSun(scene, horizon);
  const shore = water === undefined ? horizon + depth * 0.06 : horizon;
  const back = drawFarEnd(scene, landscape, shore, sun.x) + (isCity ? drawSkyline(scene, horizon) : '');
  const edge =
    water === undefined
      ? back + drawMist(scene, shore, depth * 0.14, 0.4)
      : drawWater(scene, horizon, sun.x, water, back);
  const front =
    isCity && water === undefined
      ? drawStreet(scene, horizon)
      : drawGround(scene, landscape, horizon, sun.x > frame.centre);
  // Light that is high enough is seen between towers.
  const marks = drawUnderSky(scene, { ...sun, y: isCity ? 0.86 * y : y }, horizon, edge + front);
  return { marks, ...(floor && { floor: floor * frame.height }) };
}

/** Draws the rows of ground with their props, and surf before the farthest one at the sea. */
function drawGround(scene: Scene, landscape: Landscape, horizon: number, isSunRight: boolean): string {
  const { frame, light, materials, style, reading, hasFront } = scene;
  const depth = frame.height - horizon;
  const propsOn = (row: number, ground: Profile): string =>
    (hasFront ? [] : (props[reading.place] ?? []))
      .filter(([on]) => on === row)
      .map(([, name, aside, share]) => {
        const size = share * frame.unit;
        const x = frame.centre + (isSunRight ? -aside : aside) * frame.span;
        const foot = { x, y: ground(x) + 0.06 * size };
        return drawFigure(scene, name, foot, size, Math.max(0.2, 0.75 * light.tintAmount));
      })
      .join('');
  if (!landscape.ground) return propsOn(0, () => horizon + 0.13 * depth);
  const [count, far, near, from] = landscape.ground;
  return repeat(count, (at) => {
    /** 0 at the farthest row, 1 at the nearest. */
    const t = count === 1 ? 1 : at / (count - 1);
    const base = horizon + depth * (from + 0.92 * (1 - from) * t ** 1.2);
    const distance = 0.03 + (landscape.water === undefined ? 0.62 * (1 - t) ** 1.3 : 0);
    const hill: Hill = {
      label: `row${at}`,
      base,
      distance,
      height: (0.3 - 0.1 * t) * frame.rise,
      colour: mix(materials[far], materials[near], t),
      // Nothing stands between a subject in front and the viewer.
      ...(landscape.firs && (t < 1 || !hasFront) && { firs: landscape.firs }),
    };
    const profile = skylineOf(scene, hill);
    const hasSurf = at === 0 && landscape.water !== undefined && landscape.water >= mirrorBelow;
    const mist = drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance * style.air);
    return (
      drawHill(scene, hill) + (hasSurf ? drawSurf(scene, profile, depth) : '') + propsOn(at, profile) + mist
    );
  });
}

/** Draws mountains, woods or hills on `base`: those that the words name, else those of the landscape. */
function drawFarEnd(scene: Scene, { mountains, hills }: Landscape, base: number, sunX: number): string {
  const { frame, materials, reading } = scene;
  const named = (['mountains', 'forest'] as const).find((one) => reading.backdrops.includes(one));
  const kind = named ?? (mountains ? 'mountains' : hills && 'hills');
  if (!kind) return '';
  const rise = frame.rise * (mountains ?? hills ?? 0.8);
  const colour = mix(materials.farGrass, materials.pine, 0.5);
  const row = (share: number, distance: number, firs = 0): string => {
    const form = { label: `end${distance}`, base, height: share * rise, bottom: base + frame.unit * 0.03 };
    return drawHill(scene, { ...form, distance, colour, firs });
  };
  const firs = kind === 'forest' ? 1.5 : 0;
  const back =
    kind === 'mountains'
      ? drawRange(scene, base, rise * 0.8, 0.86, sunX) +
        drawMist(scene, base, rise * 0.4, 0.5) +
        drawRange(scene, base, rise * 1.06, 0.5, sunX)
      : row(0.66, 0.84, firs) + row(0.44, 0.63, firs);
  return back + drawMist(scene, base, rise * 0.27, 0.5) + row(0.18, 0.48, 1.5);
}

/** Draws towers behind towers. */
function drawSkyline(scene: Scene, base: number): string {
  const { frame, style } = scene;
  const tall = Math.min(frame.height * 0.62, frame.rise * 1.75);
  const row = (share: number, breadth: number, distance: number, windows: number): string =>
    drawTowers(scene, { base, height: share * tall, breadth, distance, windows: windows * style.detail });
  const mist = (share: number): string => drawMist(scene, base, share * tall, 0.4);
  return (
    row(1, 0.062, 0.8, 0) + mist(0.4) + row(0.78, 0.078, 0.5, 0.25) + mist(0.26) + row(0.5, 0.1, 0.14, 0.4)
  );
}

/** Draws a pavement and a road along the horizon. */
function drawStreet(scene: Scene, horizon: number): string {
  const { width, height, unit } = scene.frame;
  const depth = height - horizon;
  const band = (top: number, colour: string): string =>
    shape(box(0, horizon + depth * top, width, depth), litColour(scene, colour));
  const dash = 0.16 * unit;
  const dashes = repeat(Math.ceil(width / dash), (at) =>
    box(at * dash, horizon + depth * 0.62, dash / 2, depth * 0.035),
  );
  return band(0, '#b9bfc6') + band(0.2, '#5a6270') + shape(dashes, '#ffffff', { opacity: 0.7 });
}

/** Draws water from below: rays of light, bubbles, the floor. */
function drawUnderwater(scene: Scene): PlaceDrawing {
  const { frame, light, defs, materials } = scene;
  const random = scene.random.fork('underwater');
  const { width, height, unit } = frame;
  const deep = mix(materials.water, light.shade, 0.45);
  const back = defs.vertical(0, height, '#7fd6e0', mix(materials.water, '#2aa0b8', 0.6), deep);
  const rays = repeat(5, (at) => {
    const breadth = unit * random.between(0.05, 0.14);
    return path`M${width * (0.1 + 0.2 * at)} -5h${breadth}l${unit * 0.28} ${height}h${-unit * 0.3}z`;
  });
  const bubbles = repeat(scaledCount(scene, 26), () =>
    ellipse(random.next() * width, random.next() * height, unit * random.between(0.004, 0.016)),
  );
  const sand = mix(materials.sand, deep, 0.45);
  const floor = { label: 'floor', base: height, height: 0.24 * frame.rise, distance: 0.1, colour: sand };
  const shine = shape(rays, defs.vertical(0, height, ...fade('#ffffff', [0, 0.22], [1, 0])));
  const foam = shape(bubbles, '#ffffff', { opacity: 0.35 });
  return { marks: drawCover(frame, back) + shine + drawHill(scene, floor) + foam };
}

/** Draws a wall with a disc behind the subject. A table has a wooden top, and a plate for one subject. */
function drawRoom(scene: Scene, isTable: boolean): PlaceDrawing {
  const { frame, defs, style, light, constant, reading, hasFront } = scene;
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
  const random = scene.random.fork('room');
  // Behind words set in type the disc stands anywhere, so that each seed looks different.
  const anywhere = {
    x: frame.centre + random.between(-0.4, 0.4) * frame.span,
    y: height * random.between(0.3, 0.6),
  };
  const middle = hasFront ? { x, y: y - size * 0.5 } : anywhere;
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
      ? drawGlow(scene, { ...middle, radius: radius * 1.7 }, glowing, 0.85)
      : circle(middle.x, middle.y, radius, glowing) + circle(middle.x, middle.y, radius * 1.13, 'none', ring);
  const rim = (share: number, fill: string): string =>
    shape(ellipse(x, height * 0.873, size * share, size * share * 0.13), fill);
  const plate =
    rim(0.62, mix(light.shade, wood, 0.75)) + rim(0.6, tone(0.99, 0.006)) + rim(0.44, tone(0.94, 0.012));
  const wall = drawCover(frame, shaded(0, tone(0.95, 0.035), tone(0.87, 0.055)));
  const hasPlate = isTable && reading.drawings.length === 1;
  return {
    marks: wall + disc + shape(box(0, top, width, height - top + 5), front) + (hasPlate ? plate : ''),
    floor,
  };
}

/** Draws soft fields of colour that run into one another. */
function drawAbstract({ frame, constant, defs, random: source, style }: Scene): PlaceDrawing {
  const random = source.fork('abstract');
  const hue = constant.fork('hue').between(0, 360);
  const tone = (turned: number) => fromHue(style.dark ? 0.4 : 0.74, 0.13, hue + turned);
  const fields = repeat(5, (at) => {
    const [x, y] = [random.next() * frame.width, random.next() * frame.height];
    const radius = frame.unit * random.between(0.5, 0.9);
    return circle(x, y, radius, defs.radial(x, y, radius, fade(tone(40 * at), [0, 0.9], [1, 0])));
  });
  return { marks: drawCover(frame, defs.vertical(0, frame.height, tone(-40), tone(60))) + fields };
}

/** Draws the place of a scene. */
export function drawPlace(scene: Scene): PlaceDrawing {
  const { place } = scene.reading;
  if (place === 'abstract') return drawAbstract(scene);
  if (place === 'underwater') return drawUnderwater(scene);
  if (place === 'studio' || place === 'table') return drawRoom(scene, place === 'table');
  return drawLandscape(scene, landscapes[place]);
}
