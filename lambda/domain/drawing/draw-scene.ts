/** Composes a picture as SVG from the words of a query. */
import { drawMinimal } from './minimal/draw-minimal';
import { PAINTERS } from './painters';
import { ASPECT_MAX, continueSideways } from './panorama';
import { setStage } from './set-stage';
import { drawWeather } from './sky/weather';
import { element, num } from './svg/element';
import { motifOf } from './words/motif-of';

/** What to draw. Equal requests give equal bytes. */
export interface SceneRequest {
  /** The normalised query text, in any language. */
  readonly words: string;
  /** Another seed gives another picture of the same subject. */
  readonly seed: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The look; absent means the plain one. */
  readonly style?: 'photo' | 'minimal' | 'dark' | 'illustration';
  /** Another number gives another composition of the same subject in the same light. */
  readonly variation?: number;
}

/** An SVG document of exactly the requested size: no text, no outside references, nothing random. */
export function drawScene(request: SceneRequest): string {
  const { words, seed, widthPx, heightPx, style, variation = 0 } = request;
  const stage = setStage({
    words,
    seed,
    widthPx: Math.min(widthPx, ASPECT_MAX * heightPx),
    heightPx,
    look: style ?? 'stock',
    variation,
  });
  const motif = motifOf(words);
  const { frame, canvas, look } = stage;
  const whole = { ...frame, width: (frame.height * widthPx) / heightPx };
  const picture =
    style === 'minimal' ? drawMinimal(stage, motif) : PAINTERS[motif](stage) + drawWeather(stage);
  const body = continueSideways(picture, frame.width, whole.width) + look.finish({ ...stage, frame: whole });
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: String(widthPx),
      height: String(heightPx),
      viewBox: `0 0 ${num(whole.width)} ${num(whole.height)}`,
      preserveAspectRatio: 'none',
    },
    canvas.definitions() + body,
  );
}
