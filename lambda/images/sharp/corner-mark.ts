/** The mark in the lower right corner of an image that says that a model made it: “AI”. */

import type { Size } from '../../requests/rendition';

/** Its height is this share of the shorter side, and never less than what can be read, in pixels. */
const heightShare = 0.04;
const heightPxMin = 18;

/** A white text on black with a white rim stands out from light and dark images. Paths, as the functions have no fonts. */
const drawing =
  '<rect x=".5" y=".5" width="29" height="19" rx="5" fill="#000" fill-opacity=".7" stroke="#fff" stroke-opacity=".8"/>' +
  '<path fill="#fff" fill-rule="evenodd" d="M10.7 4.5h3.4l4.3 11h-2.9l-.9-2.5h-4.4l-.9 2.5H6.4zm1.7 2.7L11 10.9h2.8zM20.7 4.5h2.8v11h-2.8z"/>';

/** An SVG document of the mark with its distance to the edges, for an image of a size. */
export function cornerMark({ widthPx, heightPx }: Size): Buffer {
  const height = Math.max(heightPxMin, Math.round(heightShare * Math.min(widthPx, heightPx)));
  const scale = height / 20;
  const [width, tall] = [Math.round(36 * scale), Math.round(26 * scale)];
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tall}" viewBox="0 0 36 26">${drawing}</svg>`,
  );
}
