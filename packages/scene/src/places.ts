/** Draws the places of scenes: landscapes from far to near, and the deep, a room, and fields of colour. */
import { fromHue, mix } from './colour';
import { frontOf } from './figure';
import { drawHill, drawRange, drawTowers, type Hill, skylineOf } from './land';
import { type Landscape, landscapes } from './landscapes';
import { drawCover, litColour, type Scene, shaded } from './scene';
import { drawMist, drawUnderSky, placeSun } from './sky';
import { box, circle, fade, path, repeat, shape } from './svg';
import { drawSurf, drawWater, mirrorBelow } from './water';

/** Draws a landscape from far to near: its far end, water or the edge of the land, the ground before it. */
function drawLandscape(scene: Scene, landscape: Landscape): string {
  const { frame, random } = scene;
  const { water, isCity } = landscape;
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
    isCity && water === undefined ? drawStreet(scene, horizon) : drawGround(scene, landscape, horizon);
  // Light that is high enough is seen between towers.
  return drawUnderSky(scene, { ...sun, y: isCity ? 0.86 * y : y }, horizon, edge + front);
}

/** Draws the rows of ground from far to near, and surf before the farthest one at the sea. */
function drawGround(scene: Scene, landscape: Landscape, horizon: number): string {
  const { frame, materials, hasFront } = scene;
  if (!landscape.ground) return '';
  const depth = frame.height - horizon;
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
    const hasSurf = at === 0 && landscape.water !== undefined && landscape.water >= mirrorBelow;
    const surf = hasSurf ? drawSurf(scene, skylineOf(scene, hill), depth) : '';
    const mist = drawMist(scene, base + frame.rise * 0.05, frame.rise * 0.2, 0.34 * distance);
    return drawHill(scene, hill) + surf + mist;
  });
}

/** Draws mountains, woods or hills on `base`: those that the words name, else those of the landscape. */
function drawFarEnd(scene: Scene, { end }: Landscape, base: number, sunX: number): string {
  const { frame, materials, reading } = scene;
  const named = reading.backdrops.find((place) => place === 'mountains' || place === 'forest');
  const kind = named ?? end?.[0];
  if (!kind) return '';
  const rise = frame.rise * (end?.[1] ?? 0.8);
  const colour = mix(materials.farGrass, materials.pine, 0.5);
  const hills = (share: number, distance: number, firs: number): string => {
    const label = `end${distance}`;
    return drawHill(scene, { label, base, height: share * rise, distance, colour, firs });
  };
  const firs = kind === 'forest' ? 1.5 : 0;
  const back =
    kind === 'mountains'
      ? drawRange(scene, base, rise * 0.8, 0.86, sunX) + drawRange(scene, base, rise * 1.06, 0.5, sunX)
      : hills(0.66, 0.84, firs) + hills(0.44, 0.63, firs);
  return back + drawMist(scene, base, rise * 0.27, 0.5) + hills(0.18, 0.48, 1.5);
}

/** Draws three rows of towers, with mist between them. */
function drawSkyline(scene: Scene, base: number): string {
  const tall = Math.min(scene.frame.height * 0.62, scene.frame.rise * 1.75);
  const mist = drawMist(scene, base, 0.33 * tall, 0.4);
  const far = drawTowers(scene, base, tall, 0.062, 0.8);
  const middle = drawTowers(scene, base, 0.78 * tall, 0.078, 0.5);
  return far + mist + middle + mist + drawTowers(scene, base, 0.5 * tall, 0.1, 0.14);
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

/** Draws water from below: rays of light, and the sand of the floor. */
function drawUnderwater(scene: Scene): string {
  const { frame, light, defs, materials } = scene;
  const random = scene.random.fork('underwater');
  const { width, height, unit } = frame;
  const deep = mix(materials.water, light.shade, 0.45);
  const back = defs.vertical(0, height, '#7fd6e0', mix(materials.water, '#2aa0b8', 0.6), deep);
  const rays = repeat(5, (at) => {
    const breadth = unit * random.between(0.05, 0.14);
    return path`M${width * (0.1 + 0.2 * at)} -5h${breadth}l${unit * 0.28} ${height}h${-unit * 0.3}z`;
  });
  const shine = shape(rays, defs.vertical(0, height, ...fade('#ffffff', [0, 0.22], [1, 0])));
  const sand = mix(materials.sand, deep, 0.45);
  const floor = { label: 'floor', base: height, height: 0.24 * frame.rise, distance: 0.1, colour: sand };
  return drawCover(frame, back) + shine + drawHill(scene, floor);
}

/** Draws a wall with a disc behind the subject, and before it the floor, or the wooden top of a table. */
function drawRoom(scene: Scene, isTable: boolean): string {
  const { frame, style, mood, hasFront } = scene;
  const { width, height } = frame;
  const isDark = style.dark || mood.time === 'night';
  const hue = scene.constant.fork('hue').between(0, 360);
  const tone = (lightness: number, chroma: number): string =>
    fromHue(isDark ? 0.9 * lightness - 0.57 : lightness, chroma, hue);
  const wall = shaded(scene, 0, height, tone(0.92, 0.04), tone(0.87, 0.055));
  const wood = isDark ? '#3a2a22' : '#e0b083';
  const top = height * (isTable ? 0.68 : 0.8);
  const front = shape(box(0, top, width, height - top), isTable ? wood : tone(0.84, 0.06));
  const { x, y, size } = frontOf(scene);
  // Behind words set in type the disc stands anywhere, so that each variation looks different.
  const aside = hasFront ? 0 : scene.random.fork('room').between(-0.4, 0.4) * frame.span;
  return drawCover(frame, wall) + circle(x + aside, y - size / 2, 0.62 * size, tone(0.97, 0.03)) + front;
}

/** Draws soft fields of colour that run into one another. */
function drawAbstract({ frame, constant, defs, random: source, style }: Scene): string {
  const random = source.fork('abstract');
  const hue = constant.fork('hue').between(0, 360);
  const tone = (turned: number) => fromHue(style.dark ? 0.4 : 0.74, 0.13, hue + turned);
  const fields = repeat(5, (at) => {
    const [x, y] = [random.next() * frame.width, random.next() * frame.height];
    const radius = frame.unit * random.between(0.5, 0.9);
    return circle(x, y, radius, defs.radial(x, y, radius, fade(tone(40 * at), [0, 0.9], [1, 0])));
  });
  return drawCover(frame, defs.vertical(0, frame.height, tone(-40), tone(60))) + fields;
}

/** Draws the place of a scene. */
export function drawPlace(scene: Scene): string {
  const { place } = scene.reading;
  if (place === 'abstract') return drawAbstract(scene);
  if (place === 'underwater') return drawUnderwater(scene);
  if (place === 'studio' || place === 'table') return drawRoom(scene, place === 'table');
  return drawLandscape(scene, landscapes[place]);
}
