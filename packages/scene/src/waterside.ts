/** Subjects by the water (lake, sea, beach, a city on a river), and the water itself. */
import { backdropOf, drawBackdrop, drawTowers } from './backdrop';
import { mix } from './colour';
import { drawForeground } from './conifers';
import { drawHeadland, hills, landBelow, type Profile } from './land';
import { drawLighthouse, drawPalm, drawSailboat } from './landmarks';
import { centresOf, fromSide, lit, type Scene } from './scene';
import { drawLandscape, drawMist, landscapeOf } from './sky';
import { box, element, group, line, path, repeat, shape, sliver } from './svg';
import { hasWord } from './words';

/** Still water that mirrors what stands at its far end, firs close to the viewer. */
export function drawLake(scene: Scene): string {
  const { random, horizon, sun, side } = landscapeOf(scene, 'lake', 0.56, 0.61);
  const otherwise = random.chance(0.6) ? 'mountains' : 'forest';
  const kind = backdropOf(scene, ['mountains', 'city', 'forest'], otherwise);
  return drawLandscape(scene, sun, [
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.12 }, drawBackdrop(scene, kind, horizon, sun)),
    drawForeground(scene, scene.frame.height * 0.07, side),
  ]);
}

/** Towers behind towers, a river in front of them, windows lit when the light is low. */
export function drawCity(scene: Scene): string {
  const { frame, style, light } = scene;
  const { horizon, sun: low } = landscapeOf(scene, 'city', 0.72, 0.79);
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
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, backdropOf(scene, ['mountains']), horizon, sun, 0.9),
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.35 }, rows),
  ]);
}

/** Sailing boats: one `beside` the light's path, and others further off in a panorama. */
function drawBoats(scene: Scene, beside: number, y: number, height: number): string {
  const { frame, random } = scene;
  const boats = centresOf(frame, random.fork('boats')).map(({ x, random: own }) => {
    if (Math.abs(x - beside) < frame.unit) return drawSailboat(scene, { x: beside, y, height });
    const place = x + own.between(-0.3, 0.3) * frame.span;
    return drawSailboat(scene, { x: place, y, height: height * own.between(0.7, 0.9) });
  });
  return boats.join('');
}

/** The open sea, with capes, sails, and a lighthouse where the words or the seed want one. */
export function drawSea(scene: Scene): string {
  const { frame } = scene;
  const { random, horizon, sun, side } = landscapeOf(scene, 'sea', 0.52, 0.6);
  const tower = hasWord(scene.words, 'lighthouse leuchtturm phare faro') || random.chance(0.3);
  const far = { label: 'far-cape', horizon, side, reach: 0.42, height: 0.3, distance: 0.78 };
  const near = { label: 'cape', side, reach: 0.26, height: 0.34, distance: 0.45 };
  const cape = drawHeadland(scene, { ...near, horizon: horizon + frame.height * 0.012 });
  const x = fromSide(frame, side, 0.085);
  const footing = { x, y: cape.profile(x) + frame.rise * 0.01, height: frame.rise * 0.36 };
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, backdropOf(scene, ['mountains', 'city']), horizon, sun, 0.55),
    drawHeadland(scene, far).marks,
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.8 }),
    tower ? drawLighthouse(scene, footing) : '',
    cape.marks,
    drawBoats(scene, sun.x + side * 0.16 * frame.span, horizon + frame.height * 0.06, frame.unit * 0.1),
    drawSwell(scene, horizon),
  ]);
}

/** A beach: sand in front, surf across, palms. */
export function drawBeach(scene: Scene): string {
  const { frame, light, materials, defs } = scene;
  const { random, horizon, depth, sun, side } = landscapeOf(scene, 'beach', 0.46, 0.53);
  const lean = side * random.between(0.1, 0.2) * depth;
  const swing = hills(random.fork('shore'), frame, { base: 0, height: depth * 0.16, wave: 0.5 });
  // The sand rises towards the side where the palm stands.
  const shore: Profile = (x) =>
    horizon + depth * 0.66 + swing(x) - (lean * 2 * (x - frame.centre)) / frame.width;
  const damp = landBelow(shore, frame);
  const dry = landBelow((x) => shore(x) + depth * 0.03, frame);
  const sand = lit(scene, materials.sand);
  const [back, front] = [mix(sand, light.haze, 0.25), mix(sand, light.shade, 0.22)];
  const tall = Math.min(frame.height * 0.66, frame.unit * 0.55);
  const first = fromSide(frame, side, 0.12);
  const palms = centresOf(frame, random.fork('palms')).map(({ index, x: centre, random: own }) => {
    const x = index === 0 ? first : centre + own.between(-0.3, 0.3) * frame.span;
    // The others leave the sun and the first one free, and are not cut by the border.
    const room = Math.min(Math.abs(x - sun.x), Math.abs(x - first), x, frame.width - x);
    const height = tall * (index === 0 ? 1 : own.between(0.7, 0.95));
    const footing = { x, y: shore(x) + depth * 0.2, height };
    return index === 0 || room > 0.4 * frame.unit ? drawPalm(scene, footing, x > sun.x ? -1 : 1) : '';
  });
  return drawLandscape(scene, sun, [
    drawBackdrop(scene, backdropOf(scene, ['mountains', 'city']), horizon, sun, 0.5),
    drawHeadland(scene, { label: 'cape', horizon, side, reach: 0.5, height: 0.24, distance: 0.7 }).marks,
    drawWater(scene, { top: horizon, sunX: sun.x, waves: 0.5 }),
    drawBoats(scene, sun.x + side * 0.2 * frame.span, horizon + depth * 0.07, frame.unit * 0.06),
    drawSurf(scene, shore, depth),
    shape(damp.path, mix(sand, light.shade, 0.3)),
    shape(dry.path, defs.vertical(damp.top, frame.height, back, [0.45, sand], front)),
    palms.join(''),
  ]);
}

/**
 * A sheet of water from its far edge, `top`, down to the lower border; the path of light lies at `sunX`, and `waves`
 * says how rough it is: 0 a mirror, 1 the open sea.
 */
type Water = Readonly<Record<'top' | 'sunX' | 'waves', number>>;

/** Draws the water; it mirrors `shore`, which stands on its far edge. */
export function drawWater(scene: Scene, water: Water, shore = ''): string {
  const { frame, light, defs, style, materials } = scene;
  const { top, waves } = water;
  const flat = style.name === 'illustration';
  // Water shows the sky upside down: the horizon's colour far off, the zenith's close by.
  const near = mix(lit(scene, materials.water), light.sky[0], flat ? 0.2 : 0.55);
  const far = mix(near, light.sky[3], (flat ? 0.4 : 0.74) - 0.1 * waves);
  const middle = mix(near, light.sky[2], flat ? 0.2 : 0.5);
  const area = box(0, top, frame.width, frame.height - top);
  const base = shape(area, defs.vertical(top, frame.height, far, [0.3, mix(far, middle, 0.7)], near));
  const marks = glitter(scene, water) + ripples(scene, water);
  if (shore === '') return base + marks;
  const depth = defs.vertical(top, frame.height, [0, far, 0.12], [0.5, middle, 0.35], [1, near, 0.9]);
  const image = element('use', { href: '#far', transform: path`translate(0 ${2 * top}) scale(1 -1)` });
  const reflection = group({ 'clip-path': defs.clip(area), opacity: flat ? 0.5 : 0.62 }, image);
  return group({ id: 'far' }, shore) + base + reflection + shape(area, depth) + marks;
}

function ripples({ frame, light, style, random: source }: Scene, { top, waves }: Water): string {
  const random = source.fork('ripples');
  const count = Math.round((34 + 46 * waves) * (0.35 + 0.65 * style.detail) * Math.min(3, frame.breadth));
  const band = (colour: string, opacity: number): string => {
    const data = repeat(count, () => {
      const t = random.next() ** 1.5;
      const length = frame.unit * (0.014 + 0.15 * t) * random.between(0.4, 1.2);
      const thickness = frame.unit * (0.0008 + 0.0042 * t) * (0.6 + 0.6 * waves);
      const x = random.between(-0.05, 1) * frame.width;
      return sliver(x, top + (frame.height - top) * (0.015 + 0.97 * t), length, thickness);
    });
    return shape(data, colour, { 'fill-opacity': opacity * (0.7 + 0.6 * waves) });
  };
  return band(mix(light.sky[3], '#ffffff', 0.35), 0.28) + band(mix(light.shade, light.tint, 0.4), 0.16);
}

/** The path of light below the sun or the moon. */
function glitter(scene: Scene, { top, sunX, waves }: Water): string {
  const { frame, light, style, mood, time, defs } = scene;
  if (mood.weather === 'rain' || mood.weather === 'fog') return '';
  const random = scene.random.fork('glitter');
  const rows = Math.round(26 + 14 * style.detail);
  const data = repeat(rows, (row) => {
    const t = (row / rows) ** 1.35;
    const y = top + (frame.height - top) * (0.01 + 0.94 * t);
    const spread = frame.unit * (0.03 + 0.11 * t * (0.6 + waves));
    return repeat(row % 3 === 0 ? 2 : 1, () => {
      const length = spread * random.between(0.35, 1.1) * (1 - 0.45 * t);
      const start = sunX + random.between(-0.55, 0.55) * spread - length / 2;
      return sliver(start, y, length, frame.unit * (0.0018 + 0.007 * t));
    });
  });
  const strength = time === 'day' ? 0.5 : 0.8;
  const warm = mix(light.sun, light.glow, 0.6);
  const [far, middle] = [[0, light.sun, strength] as const, [0.5, warm, 0.75 * strength] as const];
  return shape(data, defs.vertical(top, frame.height, far, middle, [1, light.glow, 0.12 * strength]));
}

/** Draws the sea's long waves in front: a few translucent folds with light on their backs. */
function drawSwell(scene: Scene, horizon: number): string {
  const { frame, light, defs, style, materials } = scene;
  const depth = frame.height - horizon;
  const foam = mix(light.sun, light.sky[3], 0.4);
  const folds = [0.34, 0.56, 0.82].map((level, index) => {
    const wave = { base: horizon + depth * level, height: depth * 0.09, wave: 0.14 + 0.09 * index };
    const fold = landBelow(hills(scene.random.fork(`swell${index}`), frame, wave), frame);
    const colour = mix(lit(scene, materials.water), light.sky[0], 0.5 + 0.08 * index);
    const [back, foot] = [mix(colour, light.sky[2], 0.3), mix(colour, light.shade, 0.25)];
    const fill = defs.vertical(fold.top, fold.top + depth * 0.5, [0, back, 0.4], [1, foot, 0.5]);
    const opacity = { 'stroke-opacity': style.name === 'illustration' ? 0.9 : 0.3 };
    return shape(fold.path, fill) + line(fold.crest, foam, frame.unit * (0.0022 + 0.0013 * index), opacity);
  });
  return folds.join('');
}

/** Draws the surf along a shore line; `depth` is the height of the sea in the scene. */
function drawSurf({ frame, light, random }: Scene, shore: Profile, depth: number): string {
  const colour = mix('#ffffff', light.tint, light.tintAmount * 0.6);
  const foam = (layer: number, rise: number, width: number, opacity: number): string => {
    const wobble = hills(random.fork(`surf${layer}`), frame, { base: 0, height: depth * 0.05, wave: 0.17 });
    const { crest } = landBelow((x) => shore(x) - rise * depth + wobble(x), frame);
    return line(crest, colour, width * frame.unit, { 'stroke-opacity': opacity });
  };
  return foam(0, 0.16, 0.003, 0.35) + foam(1, 0.075, 0.005, 0.55) + foam(2, 0, 0.011, 0.9);
}
