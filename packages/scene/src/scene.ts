/** A scene as every part of it is drawn from it: frame, light, style, and its source of random choices. */
import { adjust, mix } from './colour';
import { floatingPlaces, type Time } from './landscapes';
import { materialsOf, paletteFor } from './palettes';
import { createRandom, type Random } from './random';
import { styleOf } from './styles';
import type { Reading } from './subjects';
import { type Attributes, createDefinitions, type Point, tag } from './svg';

/** The times of a place when the words name none; those listed twice are twice as frequent. */
const usualTimes = ['dawn', 'day', 'day', 'golden', 'golden', 'sunset', 'dusk'] as const;
/** The times at which what stands in front is seen best. */
const brightTimes = ['day', 'day', 'golden'] as const;

/** The choices that decide a scene; `aspect` is its width divided by its height. */
type SceneChoices = Readonly<Record<'words' | 'seed', string>> &
  Readonly<Record<'variation' | 'aspect', number>> & {
    readonly style: string | undefined;
    readonly reading: Reading;
  };

/** The scene, as a place needs it to draw itself. */
export type Scene = Readonly<ReturnType<typeof createScene>>;

/** The scene for a request. Time and palette do not depend on the variation; the composition does. */
export function createScene({ words, seed, variation, style: name, aspect, reading }: SceneChoices) {
  const random = createRandom(`light/${words}/${seed}`);
  const style = styleOf(name);
  const { mood, place } = reading;
  const hasFront = reading.drawings.length > 0 || reading.composition !== undefined;
  const usual = random.fork('time').pick(hasFront ? brightTimes : usualTimes);
  const time: Time = mood.time ?? (place === 'stars' ? 'night' : usual);
  const frame = frameOf(aspect);
  return {
    frame,
    /** The y of the ground on which subjects stand; `undefined` where they float. */
    floor: floatingPlaces.includes(place) ? undefined : 0.9 * frame.height,
    light: paletteFor(style, time, mood),
    /** A source of choices that are the same for every variation. */
    constant: random.fork('constant'),
    time,
    mood,
    reading,
    /** Whether a subject stands in front. */
    hasFront,
    materials: materialsOf(place === 'winter' ? 'winter' : mood.season),
    style,
    defs: createDefinitions(),
    random: createRandom(`scene/${words}/${seed}/${variation}`),
  };
}

/** The colour a thing shows in the scene's light, at its distance (0 near, 1 far). */
export function litColour({ light, style, mood }: Scene, material: string, distance = 0): string {
  const tinted = mix(material, light.tint, light.tintAmount);
  const colour = style.inked ? adjust(tinted, 1.02, 1.25) : tinted;
  // Outlines tell things apart where others fade.
  const air = (style.inked ? 0.5 : 0.86) * (mood.weather === 'fog' ? 1.35 : 1);
  return mix(colour, light.haze, Math.min(0.93, air * distance ** 1.15));
}

/** A fill from an upper colour to a lower one; in flat styles the upper alone. */
export const shaded = ({ defs, style }: Scene, top: number, bottom: number, upper: string, lower: string) =>
  style.flat ? upper : defs.vertical(top, bottom, upper, lower);

/** The outline of a thing, in styles that have any. */
export function edgeOf({ style, light, frame }: Scene): Attributes {
  if (!style.inked) return {};
  const stroke = mix(light.shade, '#000000', 0.15);
  return { stroke, 'stroke-width': 0.002 * frame.unit, 'stroke-linejoin': 'round' };
}

/** The place of the sun or the moon, in scene units. */
export type Sun = Point & { readonly radius: number };

/** Scene units: a frame has the same area at every size and ratio; a square one measures 1000 × 1000. */
export type Frame = Readonly<ReturnType<typeof frameOf>>;

/** The frame for a ratio of width to height. */
function frameOf(aspect: number) {
  const [width, height] = [1000 * Math.sqrt(aspect), 1000 / Math.sqrt(aspect)];
  const unit = Math.min(1000, 1.7 * Math.min(width, height));
  return {
    width,
    height,
    /** The middle from left to right. Scenery is laid out from here, so a wider frame shows more of it. */
    centre: width / 2,
    /** Typical length for things in the scene; smaller only in banners and columns. */
    unit,
    /** The width of the frame, or that of a common landscape format where it is wider. */
    span: Math.min(width, 1.5 * unit),
    /** Largest height of a mountain. */
    rise: Math.min(0.2 * unit + 0.13 * height, 0.62 * width),
  };
}

/** A rectangle over the whole frame. */
export const drawCover = ({ width, height }: Frame, fill: string): string =>
  tag('rect', { width, height, fill });

/** Returns how many small things a scene has, for `count` in full detail in a common landscape format. */
export const scaledCount = ({ frame, style }: Scene, count: number): number =>
  Math.round(count * Math.max(0.4, style.detail) * Math.min(3, Math.max(1, frame.width / frame.unit / 1.4)));

const positionsMax = 200;

/**
 * Positions at a mean distance of `spacing`, each with a random stream of its own. They are counted from the
 * centre: another ratio adds or removes some at the borders and leaves all others as they were. The outermost
 * lie beyond the borders by `margin`, so that the frame cuts what stands there.
 */
export function positionsAlong(frame: Frame, source: Random, spacing: number, jitter = 0, margin = spacing) {
  const step = Math.max(spacing, (frame.width + 2 * margin) / positionsMax);
  const reach = Math.ceil((frame.width / 2 + margin) / step);
  return Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const index = at - reach;
    const random = source.fork(index);
    return { index, random, x: frame.centre + (index + random.between(-jitter, jitter)) * step };
  });
}
