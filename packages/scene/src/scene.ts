/** Creates what all parts of a scene share: frame, light, style, and streams for random choices. */
import { mixColours } from './colour';
import type { Setting } from './landscapes';
import { chooseLight, chooseStyle, type Time } from './light';
import { createRandom, type Random } from './random';
import { parseWords } from './subjects';
import { type Attributes, createGradients, writeTag } from './svg';

/** The times of a scene when the words name none. A time that is listed twice is twice as frequent. */
const usualTimes = ['dawn', 'day', 'day', 'golden', 'golden', 'sunset', 'dusk'] as const;
/** Times with much light, for scenes with a subject in front. */
const brightTimes = ['day', 'day', 'golden'] as const;

/** Settings that have the same time in every scene, unless the words name another. */
const timeBySetting: Readonly<Partial<Record<Setting, Time>>> = { stars: 'night', winter: 'day' };

/** The request for a scene. Equal requests give equal bytes. */
export interface SceneRequest {
  /** Words for the scene, in any language; only the first 200 characters count. */
  readonly words: string;
  /** Another seed gives another scene of the same subject. */
  readonly seed: string;
  /** Sides are whole pixels from 1 to 16,384. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** `photo`, `minimal`, `dark` or `illustration`. */
  readonly style?: string;
  /** Another number gives another composition of the same subject in the same light. */
  readonly variation?: number;
}

export type Scene = Readonly<ReturnType<typeof createScene>>;

const wordsLengthMax = 200;

/** The largest ratio of the sides. A longer scene is composed with this ratio and stretched. */
const aspectMax = 9;

/** Creates the scene of a request. The variation changes the composition, not the light. */
export function createScene(request: SceneRequest) {
  const { seed, widthPx, heightPx, variation = 0 } = request;
  const words = request.words.slice(0, wordsLengthMax);
  const parsedWords = parseWords(words);
  const constant = createRandom(`light/${words}/${seed}`);
  const style = chooseStyle(request.style);
  const usualTime = constant.pick<Time>(parsedWords.figures.length > 0 ? brightTimes : usualTimes);
  const time = parsedWords.time ?? timeBySetting[parsedWords.setting] ?? usualTime;
  return {
    words,
    parsedWords,
    style,
    time,
    light: chooseLight(style, time, parsedWords.weather),
    frame: makeFrame(Math.min(aspectMax, Math.max(1 / aspectMax, widthPx / heightPx))),
    gradients: createGradients(),
    /** The stream for choices that are the same in every variation. */
    constant,
    random: createRandom(`scene/${words}/${seed}/${variation}`),
  };
}

/** Returns the colour of a thing in the light. @param distance 0 near, 1 at the horizon */
export function lightenColour({ light, style, parsedWords }: Scene, colour: string, distance = 0): string {
  const air = (style.hasOutlines ? 0.5 : 0.86) * (parsedWords.weather === 'fog' ? 1.35 : 1);
  return mixColours(mixColours(colour, light.tint, light.tinted), light.haze, Math.min(0.93, air * distance));
}

/** Adds a fill from an upper colour to a lower one, and returns it. Flat styles have only the upper colour. */
export const addFill = ({ gradients, style }: Scene, upper: string, lower: string): string =>
  style.isFlat ? upper : gradients.addVertical([0, upper], [1, lower]);

/** Makes the outline of a thing, in styles with outlines. @param scale how many times it is enlarged */
export const makeOutline = ({ style, light, frame }: Scene, scale = 1): Attributes =>
  style.hasOutlines ? { stroke: light.shade, 'stroke-width': (0.002 * frame.unit) / scale } : {};

/** The frame in scene units. Its area is always the same; a square frame measures 1000 × 1000. */
export type Frame = Readonly<ReturnType<typeof makeFrame>>;

function makeFrame(aspect: number) {
  const [width, height] = [1000 * Math.sqrt(aspect), 1000 / Math.sqrt(aspect)];
  const unit = Math.min(1000, 1.7 * Math.min(width, height));
  return {
    width,
    height,
    centre: width / 2,
    /** The typical length of things. It is smaller in banners and columns. */
    unit,
    rise: Math.min(0.18 * unit + 0.12 * height, 0.62 * width),
    /** The width that subjects may use. In a banner it is that of a common landscape format. */
    span: Math.min(width, 1.5 * unit),
    /** How many common landscape formats fit into the width, 1 to 3. */
    breadth: Math.min(3, Math.max(1, width / unit / 1.4)),
  };
}

/** Writes a rectangle over the whole frame. */
export const drawCover = ({ width, height }: Frame, fill: string): string =>
  writeTag('rect', { width, height, fill });

/**
 * Lists positions at a mean distance of `spacing`, each with a random stream. They are counted from the centre:
 * another ratio adds or removes positions at the borders, and changes no other.
 */
export function listPositions({ width, centre }: Frame, source: Random, spacing: number) {
  const reach = Math.ceil(width / 2 / spacing) + 1;
  return Array.from({ length: 2 * reach + 1 }, (_, position) => {
    const index = position - reach;
    const random = source.fork(index);
    return { index, random, x: centre + (index + random.between(-0.3, 0.3)) * spacing };
  });
}
