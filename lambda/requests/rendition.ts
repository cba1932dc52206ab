/** The size and the format of the rendition that a request asks for. */

import { findNearestSidePx, type Size } from '../../packages/client/src/image-size';
import type { Label } from '../contract/request-bounds';

export { findNearestSidePx, type Size } from '../../packages/client/src/image-size';

/** The formats of renditions. Each is the name in its media type. */
export const renditionFormats = ['jpeg', 'webp', 'avif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];

/** The format of each extension. Files get the first extension of a format. */
export const formatsByExtension: Readonly<Record<string, RenditionFormat | undefined>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'avif',
};

/** Extensions of formats that the service does not make. The `Accept` header then decides the format. */
export const ignoredExtensions = ['png', 'gif', 'svg', 'bmp', 'tif'] as const;
/** Every extension that is dropped from the end of a path. */
export const pathExtensions: readonly string[] = [...Object.keys(formatsByExtension), ...ignoredExtensions];

/** The size of an AI image, and the label that is drawn into the image. */
export interface LabelledSize extends Size {
  readonly label?: Label;
}

/** Says whether both sides of a size are within the bounds of an image. */
export function isWithinBounds({ widthPx, heightPx }: Size): boolean {
  return [widthPx, heightPx].every((px) => px === findNearestSidePx(px));
}

/** Parses a ratio or a size into width divided by height: `16:9`, `1024x768`. */
export function parseRatio(text: string): number {
  const [width = 1, height = 1] = text.split(/[:x]/).map(Number);
  return width / height;
}

/** Finds the ratio or size that is nearest to `ratio`, so that a crop cuts off least. */
export function findNearestRatio<Text extends string>(
  texts: readonly Text[],
  ratio: number,
): Text | undefined {
  const computeDistance = (text: Text) => Math.abs(Math.log(parseRatio(text) / ratio));
  return [...texts].sort((a, b) => computeDistance(a) - computeDistance(b))[0];
}
