/** Loads images in next/image, as `images.loaderFile` or as the prop `loader`. */

import { buildSourceUrl, isOurs } from './image-source';

declare const process: { readonly env: { readonly NEXT_PUBLIC_IMAGE_REDIRECT_URL?: string } };

/** Creates a loader for sources like `lake?ratio=3:2&seed=2` and for URLs signed with `upto`. Others stay. */
export function createLoader({ base }: { readonly base?: string } = {}) {
  // Next.js replaces exactly this expression by its value when it builds for browsers.
  const root = base ?? process.env.NEXT_PUBLIC_IMAGE_REDIRECT_URL;
  return ({ src, width }: { readonly src: string; readonly width: number }) =>
    isOurs(src) ? buildSourceUrl(root, src, { width }) : src;
}

export default createLoader();
