/** Draws water: a lake that mirrors its shore, the open sea, the surf on a beach. */
import { mix } from './colour';
import { crestOf, type Profile } from './land';
import { litColour, type Scene, scaledCount } from './scene';
import { box, line, path, repeat, shape, tag } from './svg';

/** Water less rough than this mirrors its shore. */
export const mirrorBelow = 0.4;

/**
 * Draws water from its far edge, `top`, down to the lower border, and `shore`, which stands on that edge; the
 * path of light lies at `sunX`. `waves` says how rough it is: 0 a mirror, 1 the open sea.
 */
export function drawWater(scene: Scene, top: number, sunX: number, waves: number, shore: string): string {
  const { frame, light, defs, style, materials, mood, time } = scene;
  const random = scene.random.fork('water');
  const { unit, width } = frame;
  const deep = frame.height - top;
  // Water shows the sky upside down: the horizon's colour far off, the zenith's close by.
  const nearColour = mix(litColour(scene, materials.water), light.sky[0], style.flat ? 0.2 : 0.55);
  const far = mix(nearColour, light.sky[3], style.flat ? 0.35 : 0.7);
  const area = box(0, top, width, deep);
  /** Light on the water: lens-shaped slivers, the longer the nearer, around an x at 0 (far) to 1 (near). */
  const slivers = (count: number, colour: string, opacity: number, x: (near: number) => number): string => {
    const data = repeat(scaledCount(scene, count), () => {
      const near = random.next() ** 1.5;
      const [length, y] = [unit * (0.01 + 0.11 * near) * random.between(0.4, 1.2), top + deep * near];
      const thickness = unit * (0.0012 + 0.005 * near);
      const start = path`M${x(near) - length / 2} ${y}`;
      return path`${start}q${length / 2} ${-thickness} ${length} 0q${-length / 2} ${thickness} ${-length} 0z`;
    });
    return shape(data, colour, { opacity });
  };
  const anywhere = (): number => random.between(-0.05, 1.05) * width;
  const below = (near: number): number =>
    sunX + random.between(-1, 1) * unit * (0.015 + 0.06 * near * (0.6 + waves));
  const isVeiled = mood.weather === 'rain' || mood.weather === 'fog';
  const marks =
    slivers(50 + 60 * waves, mix(light.sky[3], '#ffffff', 0.35), 0.3, anywhere) +
    (isVeiled ? '' : slivers(60, mix(light.sun, light.glow, 0.4), time === 'day' ? 0.4 : 0.65, below));
  const base = shape(area, defs.vertical(top, frame.height, far, nearColour));
  if (shore === '' || waves >= mirrorBelow) return shore + base + marks;
  const image = tag('use', { href: '#far', transform: path`translate(0 ${2 * top}) scale(1 -1)` });
  const mirror = tag('g', { 'clip-path': defs.clip(area), opacity: style.flat ? 0.5 : 0.62 }, image);
  const depth = defs.vertical(top, frame.height, [0, far, 0.12], [1, nearColour, 0.9]);
  return tag('g', { id: 'far' }, shore) + base + mirror + shape(area, depth) + marks;
}

/** Draws the surf along a shore line; `depth` is the height of the sea in the scene. */
export function drawSurf(scene: Scene, shore: Profile, depth: number): string {
  const { frame, light } = scene;
  const colour = mix('#ffffff', light.tint, light.tintAmount * 0.6);
  const foam = (rise: number, size: number, opacity: number): string => {
    const crest = crestOf(scene, (x) => shore(x) - rise * depth);
    return line(crest, colour, size * frame.unit, { opacity });
  };
  return foam(0.08, 0.004, 0.5) + foam(0, 0.011, 0.9);
}
