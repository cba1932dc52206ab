/** Loads images for next/image, as `images.loaderFile` or as the prop `loader`. */

import { isOurs, sourceUrl } from './image-source';

declare const process: { readonly env: { readonly NEXT_PUBLIC_IMAGE_REDIRECT_URL?: string } };

/**
 * Makes a loader for sources like `lake?ratio=3:2&seed=2` and for URLs signed with `upto`. Others stay.
 * next/image tells a loader no height, so the source says the ratio, by default 16:9.
 */
export function createLoader({ base }: { readonly base?: string } = {}) {
  // Next.js replaces this very expression by its value when it builds for browsers.
  const root = base ?? process.env.NEXT_PUBLIC_IMAGE_REDIRECT_URL;
  return ({ src, width }: { readonly src: string; readonly width: number }) =>
    isOurs(src) ? sourceUrl(root, src, { width }) : src;
}

export default createLoader();
