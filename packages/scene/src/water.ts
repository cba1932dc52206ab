/** Water: the sky's colours in it, a mirrored shore, the light's path, ripples, swell, surf. */
import { mix } from './colour';
import { hills, landBelow, type Profile } from './land';
import { lit, type Stage, type Sun } from './stage';
import { box, element, group, line, path, repeat, shape, sliver } from './svg';

/** A sheet of water from its far edge down to the lower border. */
export interface Water {
  readonly top: number;
  /** The light's path lies below it. */
  readonly sun: Pick<Sun, 'x'>;
  /** How rough it is: 0 a mirror, 1 the open sea. */
  readonly waves: number;
  /** The id of the group that stands on the far edge and is mirrored. */
  readonly mirrored?: string;
}

/** Draws the water. */
export function drawWater(stage: Stage, water: Water): string {
  const { frame, light, defs, style, materials } = stage;
  const { top, mirrored, waves } = water;
  const flat = style.name === 'illustration';
  // Water shows the sky upside down: the horizon's colour far off, the zenith's close by.
  const near = mix(lit(stage, materials.water), light.sky[0], flat ? 0.2 : 0.55);
  const far = mix(near, light.sky[3], (flat ? 0.4 : 0.74) - 0.1 * waves);
  const middle = mix(near, light.sky[2], flat ? 0.2 : 0.5);
  const base = defs.vertical(top, frame.height, far, [0.3, mix(far, middle, 0.7)], near);
  const area = box(0, top, frame.width, frame.height - top);
  const marks = glitter(stage, water) + ripples(stage, water);
  if (!mirrored) return shape(area, base) + marks;
  const image = element('use', {
    href: `#${mirrored}`,
    transform: path`translate(0 ${2 * top}) scale(1 -1)`,
  });
  const depth = defs.vertical(top, frame.height, [0, far, 0.12], [0.5, middle, 0.35], [1, near, 0.9]);
  const reflection = group({ 'clip-path': defs.clip(area), opacity: flat ? 0.5 : 0.62 }, image);
  return shape(area, base) + reflection + shape(area, depth) + marks;
}

function ripples({ frame, light, style, random: source }: Stage, { top, waves }: Water): string {
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
function glitter(stage: Stage, { top, sun, waves }: Water): string {
  const { frame, light, style, mood, time, defs } = stage;
  if (mood.weather === 'rain' || mood.weather === 'fog') return '';
  const random = stage.random.fork('glitter');
  const rows = Math.round(26 + 14 * style.detail);
  const data = repeat(rows, (row) => {
    const t = (row / rows) ** 1.35;
    const y = top + (frame.height - top) * (0.01 + 0.94 * t);
    const spread = frame.unit * (0.03 + 0.11 * t * (0.6 + waves));
    return repeat(row % 3 === 0 ? 2 : 1, () => {
      const length = spread * random.between(0.35, 1.1) * (1 - 0.45 * t);
      const start = sun.x + random.between(-0.55, 0.55) * spread - length / 2;
      return sliver(start, y, length, frame.unit * (0.0018 + 0.007 * t));
    });
  });
  const [far, middle, near] = time === 'day' ? [0.5, 0.375, 0.06] : [0.8, 0.6, 0.096];
  const warm = mix(light.sun, light.glow, 0.6);
  return shape(
    data,
    defs.vertical(top, frame.height, [0, light.sun, far], [0.5, warm, middle], [1, light.glow, near]),
  );
}

/** Draws the sea's long waves in front: a few translucent folds with light on their backs. */
export function drawSwell(stage: Stage, horizon: number): string {
  const { frame, light, defs, style, materials } = stage;
  const depth = frame.height - horizon;
  const folds = [0.3, 0.52, 0.78].map((level, index) => {
    const base = horizon + depth * (level + 0.04);
    const wave = { base, height: depth * 0.09, wavelength: frame.unit * (0.14 + 0.09 * index) };
    const fold = landBelow(hills(stage.random.fork(`swell${index}`), frame, wave), frame);
    const colour = mix(lit(stage, materials.water), light.sky[0], 0.5 + 0.08 * index);
    const [back, foot] = [mix(colour, light.sky[2], 0.3), mix(colour, light.shade, 0.25)];
    const fill = defs.vertical(fold.top, fold.top + depth * 0.5, [0, back, 0.4], [1, foot, 0.5]);
    const foam = line(
      fold.crest,
      mix(light.sun, light.sky[3], 0.4),
      frame.unit * 0.0022 * (1 + index * 0.6),
      {
        'stroke-opacity': style.name === 'illustration' ? 0.9 : 0.3,
      },
    );
    return shape(fold.path, fill) + foam;
  });
  return folds.join('');
}

/** Draws the surf along a shore line; `depth` is the height of the sea in the scene. */
export function drawSurf({ frame, light, random }: Stage, shore: Profile, depth: number): string {
  const colour = mix('#ffffff', light.tint, light.tintAmount * 0.6);
  const wave = { base: 0, height: depth * 0.05, wavelength: frame.unit * 0.17 };
  const foam = (layer: number, rise: number, width: number, opacity: number): string => {
    const wobble = hills(random.fork(`surf${layer}`), frame, wave);
    const { crest } = landBelow((x) => shore(x) - rise * depth + wobble(x), frame);
    return line(crest, colour, width * frame.unit, { 'stroke-opacity': opacity });
  };
  return foam(0, 0.16, 0.003, 0.35) + foam(1, 0.075, 0.005, 0.55) + foam(2, 0, 0.011, 0.9);
}
