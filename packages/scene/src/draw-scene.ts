/** Composes an illustration as SVG from words: the entry point of the package. */
import { drawMinimal } from './minimal';
import { createScene } from './scene';
import { drawFinish, drawWeather } from './sky';
import { subjectOf, subjects, subjectsIn } from './subjects';
import { element, path } from './svg';
import { wordsOf } from './words';

/** What to draw. Equal requests give equal bytes. */
export interface SceneRequest {
  /** What the scene shows, in any language; only the first 200 characters count. */
  readonly words: string;
  /** Another seed gives another scene of the same subject. */
  readonly seed: string;
  /** Whole pixels from 1 to 16,384. */
  readonly widthPx: number;
  /** Whole pixels from 1 to 16,384. */
  readonly heightPx: number;
  /** Without a style the scene is drawn in plain gradients. */
  readonly style?: 'photo' | 'minimal' | 'dark' | 'illustration';
  /** Another number gives another composition of the same subject in the same light. */
  readonly variation?: number;
}

/** The largest side, in pixels. */
export const sidePxMax = 16_384;

/** No scene is longer than this, in bytes; up to a ratio of 4:1 none is longer than half of it. */
export const svgBytesMax = 600_000;

const WORDS_LENGTH_MAX = 200;

/** A ratio of width to height beyond this, or its inverse, is composed as this one and stretched. */
const ASPECT_MAX = 40;

/**
 * Draws a scene.
 * @returns an SVG document of exactly the requested size, without text, scripts or outside references
 * @throws `RangeError` when a side is no whole number of pixels from 1 to `sidePxMax`
 */
export function drawScene(request: SceneRequest): string {
  const { seed, widthPx, heightPx, style = 'plain', variation = 0 } = request;
  for (const side of [widthPx, heightPx]) {
    if (!Number.isInteger(side) || side < 1 || side > sidePxMax)
      throw new RangeError(`A side must be a whole number of pixels from 1 to ${sidePxMax}.`);
  }
  const words = request.words.slice(0, WORDS_LENGTH_MAX);
  const aspect = Math.min(ASPECT_MAX, Math.max(1 / ASPECT_MAX, widthPx / heightPx));
  const known = wordsOf(words);
  const subject = subjectOf(known);
  const { draw, times } = subjects[subject];
  const scene = createScene({ words, seed, variation, style, aspect, subjects: subjectsIn(known), times });
  const full = (): string => draw(scene) + drawWeather(scene) + drawFinish(scene);
  const body = style === 'minimal' ? drawMinimal(scene, subject) : full();
  const size = { width: String(widthPx), height: String(heightPx), preserveAspectRatio: 'none' };
  const viewBox = path`0 0 ${scene.frame.width} ${scene.frame.height}`;
  const document = { xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox };
  return element('svg', document, scene.defs.markup() + body);
}
