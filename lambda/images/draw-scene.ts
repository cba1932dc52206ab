/** Draws what a query says, for sources that have no photo of it. */

import type { Style } from '../contract/request-bounds';

/** What is drawn; equal requests give equal drawings. */
export interface SceneRequest {
  readonly words: string;
  readonly seed: string;
  readonly style?: Style;
  readonly variation?: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** @returns an SVG document of exactly the requested size */
export type DrawScene = (request: SceneRequest) => string;
