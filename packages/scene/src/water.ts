/** Water: the sky's colours in it, a mirrored shore, the light's path, ripples, swell. */
import { mix } from './colour';
import { hills, landBelow } from './land';
import { box, sliver } from './shapes';
import { lit, type Stage, type Sun } from './stage';
import { element, group, line, path, shape } from './svg';

/** A sheet of water from its far edge down to its near one. */
export interface Water {
  readonly top: number;
  readonly bottom: number;
  /** Where the light's path lies. */
  readonly x: number;
  /** How rough it is: 0 a mirror, 1 the open sea. */
  readonly waves: number;
  /** The id of the group that stands on the far edge and is mirrored. */
  readonly mirrored?: string;
}

/** The water of a scene from `top` to the lower border, under its sun or moon. */
export const waterUnder = ({ frame }: Stage, top: number, { x }: Pick<Sun, 'x'>, waves: number): Water => ({
  top,
  bottom: frame.height,
  x,
  waves,
});

/** Draws the water. */
export function drawWater(stage: Stage, water: Water): string {
  const { frame, light, defs, style, materials } = stage;
  const { top, bottom, mirrored, waves } = water;
  const flat = style.name === 'illustration';
  // Water shows the sky upside down: the horizon's colour far off, the zenith's close by.
  const near = mix(lit(stage, materials.water), light.sky[0], flat ? 0.2 : 0.55);
  const far = mix(near, light.sky[3], (flat ? 0.4 : 0.74) - 0.1 * waves);
  const middle = mix(near, light.sky[2], flat ? 0.2 : 0.5);
  const base = defs.vertical(top, bottom, [
    [0, far],
    [0.3, mix(far, middle, 0.7)],
    [1, near],
  ]);
  const area = box(0, top, frame.width, bottom - top);
  const reflection = mirrored
    ? group(
        { 'clip-path': defs.clip(area), opacity: flat ? 0.5 : 0.62 },
        element('use', { href: `#${mirrored}`, transform: path`translate(0 ${2 * top}) scale(1 -1)` }),
      )
    : '';
  const depth = defs.vertical(top, bottom, [
    [0, far, 0.12],
    [0.5, middle, mirrored ? 0.35 : 0],
    [1, near, mirrored ? 0.9 : 0],
  ]);
  return shape(area, base) + reflection + shape(area, depth) + glitter(stage, water) + ripples(stage, water);
}

function ripples({ frame, light, style, random: source }: Stage, { top, bottom, waves }: Water): string {
  const random = source.fork('ripples');
  const count = Math.round((34 + 46 * waves) * (0.35 + 0.65 * style.detail) * Math.min(3, frame.breadth));
  const bands = [
    { colour: mix(light.sky[3], '#ffffff', 0.35), opacity: 0.28 },
    { colour: mix(light.shade, light.tint, 0.4), opacity: 0.16 },
  ];
  return bands
    .map(({ colour, opacity }) => {
      let data = '';
      for (let index = 0; index < count; index += 1) {
        const t = random.next() ** 1.5;
        const length = frame.unit * (0.014 + 0.15 * t) * random.between(0.4, 1.2);
        const thickness = frame.unit * (0.0008 + 0.0042 * t) * (0.6 + 0.6 * waves);
        const x = random.between(-0.05, 1) * frame.width;
        data += sliver(x, top + (bottom - top) * (0.015 + 0.97 * t), length, thickness);
      }
      return shape(data, colour, { 'fill-opacity': opacity * (0.7 + 0.6 * waves) });
    })
    .join('');
}

/** The path of light below the sun or the moon. */
function glitter(stage: Stage, { top, bottom, x, waves }: Water): string {
  const { frame, light, style, mood, time, defs } = stage;
  if (mood.weather === 'rain' || mood.weather === 'fog') return '';
  const random = stage.random.fork('glitter');
  const rows = Math.round(26 + 14 * style.detail);
  let data = '';
  for (let row = 0; row < rows; row += 1) {
    const t = (row / rows) ** 1.35;
    const y = top + (bottom - top) * (0.01 + 0.94 * t);
    const spread = frame.unit * (0.03 + 0.11 * t * (0.6 + waves));
    for (let piece = 0; piece < (row % 3 === 0 ? 2 : 1); piece += 1) {
      const length = spread * random.between(0.35, 1.1) * (1 - 0.45 * t);
      const start = x + random.between(-0.55, 0.55) * spread - length / 2;
      data += sliver(start, y, length, frame.unit * (0.0018 + 0.007 * t));
    }
  }
  const strength = time === 'day' ? 0.5 : 0.8;
  const fill = defs.vertical(top, bottom, [
    [0, light.sun, strength],
    [0.5, mix(light.sun, light.glow, 0.6), strength * 0.75],
    [1, light.glow, strength * 0.12],
  ]);
  return shape(data, fill);
}

/** Draws the sea's long waves in front: a few translucent folds with light on their backs. */
export function drawSwell(stage: Stage, horizon: number): string {
  const { frame, light, defs, style, materials } = stage;
  const depth = frame.height - horizon;
  return [0.3, 0.52, 0.78]
    .map((level, index) => {
      const profile = hills(stage.random.fork(`swell${index}`), frame, {
        base: horizon + depth * (level + 0.04),
        height: depth * 0.09,
        wavelength: frame.unit * (0.14 + 0.09 * index),
      });
      const { path: outline, crest, top } = landBelow(profile, frame, frame.height + 5, { perUnit: 34 });
      const colour = mix(lit(stage, materials.water), light.sky[0], 0.5 + 0.08 * index);
      const fill = defs.vertical(top, top + depth * 0.5, [
        [0, mix(colour, light.sky[2], 0.3), 0.4],
        [1, mix(colour, light.shade, 0.25), 0.5],
      ]);
      const foam = line(crest, mix(light.sun, light.sky[3], 0.4), frame.unit * 0.0022 * (1 + index * 0.6), {
        'stroke-opacity': style.name === 'illustration' ? 0.9 : 0.3,
      });
      return shape(outline, fill) + foam;
    })
    .join('');
}

/** Draws the surf along a shore line, whose y is given for every x; `depth` is the height of the sea in the scene. */
export function drawSurf(
  { frame, light, random }: Stage,
  shore: (x: number) => number,
  depth: number,
): string {
  const foam = mix('#ffffff', light.tint, light.tintAmount * 0.6);
  const waves = [
    { rise: 0.16, width: 0.003, opacity: 0.35 },
    { rise: 0.075, width: 0.005, opacity: 0.55 },
    { rise: 0, width: 0.011, opacity: 0.9 },
  ];
  return waves
    .map(({ rise, width, opacity }, index) => {
      const shape = { base: 0, height: depth * 0.05, wavelength: frame.unit * 0.17 };
      const wobble = hills(random.fork(`surf${index}`), frame, shape);
      const { crest } = landBelow((x) => shore(x) - rise * depth + wobble(x), frame, frame.height, {
        perUnit: 26,
      });
      return line(crest, foam, width * frame.unit, { 'stroke-opacity': opacity });
    })
    .join('');
}
