/** Composes an illustration as SVG from words: the entry point of the package. */
import { drawFigures, drawWords } from './figure';
import { drawPlace } from './places';
import { createScene } from './scene';
import { drawVignette, drawWeather } from './sky';
import { readWords } from './subjects';
import { path, tag } from './svg';

/** The request for a scene. Equal requests give equal bytes. */
export interface SceneRequest {
  /** Words for the scene, in any language; only the first 200 characters count. */
  readonly words: string;
  /** Another seed gives another scene of the same subject. */
  readonly seed: string;
  /** Whole pixels from 1 to 16,384. */
  readonly widthPx: number;
  /** Whole pixels from 1 to 16,384. */
  readonly heightPx: number;
  /** `photo`, `minimal`, `dark` or `illustration`; any other name is drawn in colours of its own. */
  readonly style?: string;
  /** Another number gives another composition of the same subject in the same light. */
  readonly variation?: number;
}

/** The largest side, in pixels. */
export const sidePxMax = 16_384;

/** No scene is longer than this, in bytes; up to a ratio of 4:1 none is longer than half of it. */
export const svgBytesMax = 600_000;

const wordsLengthMax = 200;

/** A ratio of width to height beyond this, or its inverse, is composed as this one and stretched. */
const aspectMax = 40;

/**
 * Draws a scene: its place, and in front the subjects that the words name, or else the words themselves.
 * @returns an SVG document of exactly the requested size, without text, scripts or outside references
 * @throws `RangeError` when a side is no whole number of pixels from 1 to `sidePxMax`
 */
export function drawScene(request: SceneRequest): string {
  const { seed, widthPx, heightPx, style, variation = 0 } = request;
  for (const side of [widthPx, heightPx]) {
    if (!Number.isInteger(side) || side < 1 || side > sidePxMax)
      throw new RangeError(`A side must be a whole number of pixels from 1 to ${sidePxMax}.`);
  }
  const words = request.words.slice(0, wordsLengthMax);
  const reading = readWords(words);
  const aspect = Math.min(aspectMax, Math.max(1 / aspectMax, widthPx / heightPx));
  const scene = createScene({ words, seed, variation, style, aspect, reading });
  const { shade, accent } = scene.light;
  const front =
    reading.shown.length === 0
      ? drawWords(scene, words, scene.style.dark || scene.mood.time === 'night' ? accent : shade)
      : drawFigures(scene);
  const body = drawPlace(scene) + front + drawWeather(scene) + drawVignette(scene);
  const size = { width: String(widthPx), height: String(heightPx), preserveAspectRatio: 'none' };
  const viewBox = path`0 0 ${scene.frame.width} ${scene.frame.height}`;
  const document = { xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox };
  const { finish = (colour: string) => colour } = scene.style;
  const markup = (scene.defs.markup() + body).replace(/#[\da-f]{6}\b/g, (colour) => finish(colour));
  return tag('svg', document, markup);
}
