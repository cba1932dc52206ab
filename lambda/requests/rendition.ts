/** The rendition that a request asks for: its size and its format. */

import { type Label, sidePx } from '../contract/request-bounds';

/** Media types of the images the service stores itself. */
export const renditionFormats = ['jpeg', 'webp', 'avif'] as const;
/** The format of a rendition, by the name in its media type. */
export type RenditionFormat = (typeof renditionFormats)[number];

/** File name extensions, each with its format; the first one of a format is the one that files are given. */
export const formatsByExtension: Readonly<Record<string, RenditionFormat | undefined>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  avif: 'avif',
};

/** Extensions of formats that are not made: a path may end in one, which leaves the format to the `Accept` header. */
export const ignoredExtensions = ['png', 'gif', 'svg', 'bmp', 'tif'] as const;
/** Every extension at the end of a path that is no word of the query. */
export const pathExtensions: readonly string[] = [...Object.keys(formatsByExtension), ...ignoredExtensions];

/** Width and height of an image, in pixels. */
export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A size of an AI image, and where it says that a model made it. */
export interface LabelledSize extends Size {
  /** Absent for no mark. */
  readonly label?: Label;
}

/** The nearest whole number of pixels that a side of an image may have. */
export function nearestSidePx(px: number): number {
  return Math.min(sidePx.max, Math.max(sidePx.min, Math.round(px)));
}
