/** The size and the format of the rendition that a request asks for. */

import { nearestSidePx, type Size } from '../../packages/client/src/image-size';
import type { Label } from '../contract/request-bounds';

export { nearestSidePx, type Size } from '../../packages/client/src/image-size';

/** The formats of renditions, by the names in their media types. */
export const renditionFormats = ['jpeg', 'webp', 'avif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];

/** Extensions with their formats; files get the first one of a format. */
export const formatsByExtension: Readonly<Record<string, RenditionFormat | undefined>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'avif',
};

/** Extensions of formats that are not made: they leave the format to the `Accept` header. */
export const ignoredExtensions = ['png', 'gif', 'svg', 'bmp', 'tif'] as const;
/** Every extension at the end of a path that is no word of the query. */
export const pathExtensions: readonly string[] = [...Object.keys(formatsByExtension), ...ignoredExtensions];

/** A size of an AI image with the label that is drawn into it. */
export interface LabelledSize extends Size {
  readonly label?: Label;
}

/** Tells whether both sides of a size are within the bounds of an image. */
export function isWithinBounds({ widthPx, heightPx }: Size): boolean {
  return [widthPx, heightPx].every((px) => px === nearestSidePx(px));
}

/** Returns width divided by height, of a ratio or a size as text: `16:9`, `1024x768`. */
export function readRatio(text: string): number {
  const [width = 1, height = 1] = text.split(/[:x]/).map(Number);
  return width / height;
}

/** Finds the text, as `readRatio` reads it, whose ratio is nearest, so that a crop cuts off least. */
export function nearestRatio<Text extends string>(texts: readonly Text[], ratio: number): Text | undefined {
  const apart = (text: Text) => Math.abs(Math.log(readRatio(text) / ratio));
  return [...texts].sort((one, other) => apart(one) - apart(other))[0];
}
