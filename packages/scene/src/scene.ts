/** What every part of a scene is given: its frame and the positions in it, its light, its style, its source of choices. */
import { adjust, mix } from './colour';
import { materialsOf, paletteFor, type StyleName } from './palettes';
import { createRandom, type Random } from './random';
import { type Attributes, createDefinitions, element, group, type Point, path, shape } from './svg';
import { moodOf, type Time, wordsOf } from './words';

/**
 * By style: the share of small detail that is drawn, how strongly distance fades colours (1 is natural), and how bright
 * a veil of light a low sun lays over the land.
 */
const STYLES: Readonly<Record<StyleName, Readonly<Record<'detail' | 'air' | 'bloom', number>>>> = {
  plain: { detail: 0.7, air: 1, bloom: 0.2 },
  photo: { detail: 1, air: 1.15, bloom: 0.36 },
  minimal: { detail: 0, air: 1, bloom: 0 },
  dark: { detail: 0.75, air: 0.9, bloom: 0.16 },
  illustration: { detail: 0.6, air: 0.55, bloom: 0 },
};

/** The times that suit most subjects. */
const USUAL_TIMES = ['dawn', 'day', 'day', 'golden', 'golden', 'sunset', 'dusk'] as const;

/** What decides a scene; `aspect` is its width divided by its height, `subjects` what its words name, strongest first. */
type SceneChoices = Readonly<Record<'words' | 'seed', string>> &
  Readonly<Record<'variation' | 'aspect', number>> & {
    readonly style: StyleName;
    readonly subjects: readonly string[];
    /** The times that suit the subject when the words name none. */
    readonly times: readonly [Time, ...Time[]] | undefined;
  };

/** Everything a subject needs to draw itself. */
export type Scene = Readonly<ReturnType<typeof createScene>>;

/** The scene for a request. Time and palette do not depend on the variation; the composition does. */
export function createScene({ words, seed, variation, style, aspect, subjects, times }: SceneChoices) {
  const lightKey = `light/${words}/${seed}`;
  const random = createRandom(lightKey);
  const known = wordsOf(words);
  const mood = moodOf(known);
  const time = mood.time ?? random.fork('time').pick(times ?? USUAL_TIMES);
  return {
    frame: frameOf(aspect),
    light: paletteFor(style, time, mood, random),
    /** Names what the light was chosen by; the same for every variation. */
    lightKey,
    time,
    mood,
    materials: materialsOf(mood.season),
    /** Every subject that the words name, strongest first. */
    subjects,
    /** The query's words, for details that only one of them asks for. */
    words: known,
    style: { name: style, ...STYLES[style] },
    defs: createDefinitions(),
    random: createRandom(`scene/${words}/${seed}/${variation}`),
  };
}

/** The colour a thing shows in the scene's light, at its distance (0 near, 1 far). */
export function lit({ light, style, mood }: Scene, material: string, distance = 0): string {
  const tinted = mix(material, light.tint, light.tintAmount);
  const own = style.name === 'illustration' ? adjust(tinted, 1.02, 1.25) : tinted;
  const thickness = { fog: 1.35, snow: 1.15, rain: 1.15, cloudy: 1, clear: 1 }[mood.weather ?? 'clear'];
  const fade = Math.min(0.93, 0.86 * Math.max(0, distance) ** 1.15 * style.air * thickness);
  return mix(own, light.haze, fade);
}

/** Where the sun or the moon is, and where the sky ends; in scene units. */
export type Sun = Point & { readonly radius: number; readonly horizon: number };

/** Where a thing stands: the middle of its foot, and how tall it is; in scene units. */
export type Footing = Point & { readonly height: number };

/** One shape of a figure. Without attributes of its own it gets the style's outline. */
export type Part = readonly [data: string, fill: string, attributes?: Attributes];

/** Draws a figure: shapes in units of its height, with the origin in the middle of its foot. */
export function figure(scene: Scene, { x, y, height }: Footing, parts: readonly Part[], flip = false) {
  const edge = edgeOf(scene, 0.6 / height);
  const shapes = parts.map(([data, fill, attributes]) => shape(data, fill, attributes ?? edge));
  const transform = path`translate(${x} ${y}) scale(${flip ? -height : height} ${height})`;
  return group({ transform }, shapes.join(''));
}

/** The outline of a thing in the illustrated style; `weight` is 1 for a thing in the foreground. */
export const edgeOf = ({ style, light, frame }: Scene, weight = 1): Attributes => {
  if (style.name !== 'illustration') return {};
  const width = 0.0036 * frame.unit * weight;
  return { stroke: mix(light.shade, '#000000', 0.15), 'stroke-width': width, 'stroke-linejoin': 'round' };
};

/** Scene units: a frame has the same area at every size and ratio; a square one measures 1000 × 1000. */
export type Frame = Readonly<ReturnType<typeof frameOf>>;

/** The frame for a ratio of width to height. */
export function frameOf(aspect: number) {
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
    /** How high a large mountain may rise. */
    rise: Math.min(0.2 * unit + 0.13 * height, 0.62 * width),
    /** How many times the width of a common landscape format fits in; 1 for that and anything narrower. */
    breadth: Math.max(1, width / unit / 1.4),
  };
}

/** A rectangle over the whole frame. */
export const cover = ({ width, height }: Frame, fill: string): string =>
  element('rect', { width, height, fill });

const POSITIONS_MAX = 200;

/**
 * Positions at a mean distance of `spacing`, each with a random stream of its own. They are counted from the
 * centre: another ratio adds or removes some at the borders and leaves all others as they were. The outermost lie
 * beyond the borders by `margin`, so that what stands there is cut by the frame and does not end before it.
 */
export function along(frame: Frame, random: Random, spacing: number, jitter = 0, margin = spacing) {
  const step = Math.max(spacing, (frame.width + 2 * margin) / POSITIONS_MAX);
  const reach = Math.ceil((frame.width / 2 + margin) / step);
  return Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const index = at - reach;
    const own = random.fork(index);
    return { index, random: own, x: frame.centre + (index + own.between(-jitter, jitter)) * step };
  });
}

/** In panoramas small things stand further apart, so that the size of the SVG stays bounded. */
export const thinned = ({ breadth }: Frame, spacing: number): number =>
  spacing * Math.max(1, breadth / 1.7) ** 0.9;

/** Where something stands once in a common format, and again at intervals in a panorama. */
export const centresOf = (frame: Frame, random: Random) => along(frame, random, 2.4 * frame.unit, 0, 0);

/** The side of a frame: -1 left, 1 right. */
export type Side = -1 | 1;

/** The x that lies inwards from one side by a share of the frame's span. */
export const fromSide = ({ centre, width, span }: Frame, side: Side, share: number): number =>
  centre + side * (width / 2 - share * span);
