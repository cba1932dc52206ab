/** What every part of a scene is given: its frame, its light, its style and its source of choices. */
import { adjust, mix } from './colour';
import { frameOf } from './frame';
import { materialsOf, paletteFor, type StyleName } from './palettes';
import { createRandom } from './random';
import { type Attributes, createDefinitions, group, type Point, path, shape } from './svg';
import { type Motif, moodOf, motifOf, motifsIn, type Time, wordsOf } from './words';

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

/** The times that suit a motif when the words name none; those that stand twice are twice as frequent. */
const USUAL_TIMES = ['dawn', 'day', 'day', 'golden', 'golden', 'sunset', 'dusk'] as const;
const TIMES: Partial<Readonly<Record<Motif, readonly [Time, ...Time[]]>>> = {
  abstract: ['day'],
  space: ['night'],
  'night-sky': ['night', 'night', 'dusk'],
  city: ['dawn', 'golden', 'sunset', 'dusk', 'night'],
  cafe: ['day', 'golden', 'golden', 'dusk'],
  desert: ['day', 'golden', 'golden', 'sunset', 'dusk'],
  meadow: ['dawn', 'day', 'day', 'golden', 'golden'],
  beach: ['day', 'day', 'golden', 'sunset'],
};

/** What decides a scene; `aspect` is its width divided by its height. */
type StageRequest = Record<'words' | 'seed', string> &
  Record<'variation' | 'aspect', number> & { style: StyleName };

/** Everything a motif needs to draw itself. */
export type Stage = Readonly<ReturnType<typeof createStage>>;

/** The stage for a request. Time and palette do not depend on the variation; the composition does. */
export function createStage({ words, seed, variation, style, aspect }: StageRequest) {
  const lightKey = `light/${words}/${seed}`;
  const random = createRandom(lightKey);
  const known = wordsOf(words);
  const mood = moodOf(known);
  const time = mood.time ?? random.fork('time').pick(TIMES[motifOf(known)] ?? USUAL_TIMES);
  return {
    frame: frameOf(aspect),
    light: paletteFor(style, time, mood, random),
    /** Names what the light was chosen by; the same for every variation. */
    lightKey,
    time,
    mood,
    materials: materialsOf(mood.season),
    /** Every motif that the words name, strongest first. */
    motifs: motifsIn(known),
    /** The query's words, for details that only one of them asks for. */
    words: known,
    style: { name: style, ...STYLES[style] },
    defs: createDefinitions(),
    random: createRandom(`scene/${words}/${seed}/${variation}`),
  };
}

/** The colour a thing shows in the scene's light, at its distance (0 near, 1 far). */
export function lit({ light, style, mood }: Stage, material: string, distance = 0): string {
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
export function figure(stage: Stage, { x, y, height }: Footing, parts: readonly Part[], flip = false) {
  const edge = edgeOf(stage, 0.6 / height);
  const shapes = parts.map(([data, fill, attributes]) => shape(data, fill, attributes ?? edge));
  const transform = path`translate(${x} ${y}) scale(${flip ? -height : height} ${height})`;
  return group({ transform }, shapes.join(''));
}

/** The outline of a thing in the illustrated style; `weight` is 1 for a thing in the foreground. */
export const edgeOf = ({ style, light, frame }: Stage, weight = 1): Attributes => {
  if (style.name !== 'illustration') return {};
  const width = 0.0036 * frame.unit * weight;
  return { stroke: mix(light.shade, '#000000', 0.15), 'stroke-width': width, 'stroke-linejoin': 'round' };
};
