/** Draws an illustration from words, as SVG. It is the entry point of the package. */
import { drawFigures } from './figures';
import { drawWords } from './letters';
import { createScene, type SceneRequest } from './scene';
import { drawSetting } from './setting';
import { drawWeather } from './sky';
import { writePath, writeTag } from './svg';

export type { SceneRequest };

export const sidePxMax = 16_384;

/**
 * Draws a scene: its setting, and in front the subjects that the words name. Words that name none are shown as text.
 * @returns an SVG document of exactly the requested size, without text, scripts or outside references
 * @throws `RangeError` when a side is no whole number of pixels from 1 to `sidePxMax`
 */
export function drawScene(request: SceneRequest): string {
  const { widthPx, heightPx } = request;
  for (const side of [widthPx, heightPx])
    if (!Number.isInteger(side) || side < 1 || side > sidePxMax)
      throw new RangeError(`A side must be a whole number of pixels from 1 to ${sidePxMax}.`);
  const scene = createScene(request);
  const { frame, style, parsedWords, gradients } = scene;
  const front = parsedWords.shownNames.length === 0 ? drawWords(scene) : drawFigures(scene);
  const body = drawSetting(scene) + front + drawWeather(scene);
  const { finish = (colour) => colour } = style;
  const markup = (gradients.writeMarkup() + body).replace(/#[\da-f]{6}\b/g, finish);
  const size = { width: String(widthPx), height: String(heightPx), preserveAspectRatio: 'none' };
  const viewBox = writePath`0 0 ${frame.width} ${frame.height}`;
  return writeTag('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, viewBox }, markup);
}
