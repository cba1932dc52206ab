/** Water: a lake that mirrors its shore, the open sea, the surf on a beach. */
import { mix } from './colour';
import { hills, landBelow, type Profile } from './land';
import { lit, type Scene } from './scene';
import { box, element, group, line, path, repeat, shape, sliver } from './svg';

/**
 * A sheet of water from its far edge, `top`, down to the lower border; the path of light lies at `sunX`, and `waves`
 * says how rough it is: 0 a mirror, 1 the open sea.
 */
type Water = Readonly<Record<'top' | 'sunX' | 'waves', number>>;

/** Draws the water; it mirrors `shore`, which stands on its far edge. */
export function drawWater(scene: Scene, water: Water, shore = ''): string {
  const { frame, light, defs, style, materials } = scene;
  const { top, waves } = water;
  const { flat } = style;
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
  const count = Math.round((34 + 46 * waves) * style.detail * Math.min(3, frame.breadth));
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
  if (mood.weather === 'rain' || mood.weather === 'fog' || style.detail === 0) return '';
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

/** Draws the surf along a shore line; `depth` is the height of the sea in the scene. */
export function drawSurf({ frame, light, random }: Scene, shore: Profile, depth: number): string {
  const colour = mix('#ffffff', light.tint, light.tintAmount * 0.6);
  const foam = (layer: number, rise: number, width: number, opacity: number): string => {
    const wobble = hills(random.fork(`surf${layer}`), frame, { base: 0, height: depth * 0.05, wave: 0.17 });
    const { crest } = landBelow((x) => shore(x) - rise * depth + wobble(x), frame);
    return line(crest, colour, width * frame.unit, { 'stroke-opacity': opacity });
  };
  return foam(0, 0.16, 0.003, 0.35) + foam(1, 0.075, 0.005, 0.55) + foam(2, 0, 0.011, 0.9);
}
