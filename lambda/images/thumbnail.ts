/** Where an owner sees an image again that the account was delivered before, which nothing is made or charged for. */

import type { ImageDelivery } from '../contract/environment';
import type { Delivery } from './delivery';
import { isLibraryPath, isPrivatePath } from './library-path';
import type { ShownImage } from './shown-images';

/**
 * A URL of the file that was delivered, smaller where its provider crops by the URL; `null` where there is none.
 * @throws when it cannot be signed
 */
export type ThumbnailOf = (image: ShownImage, nowMs: number) => Promise<string | null>;

/** Longer side of what a provider is asked for, in pixels: the page shows 200 CSS pixels at most. */
const longSidePx = 400;

/** @param baseUrl of the image library, without a trailing slash. Where delivery is `own`, no URL leads to a provider. */
export function createThumbnailOf(
  delivery: Delivery,
  baseUrl: string,
  imageDelivery: ImageDelivery,
): ThumbnailOf {
  return async ({ location }, nowMs) => {
    if (location === undefined) return null;
    if (!location.startsWith(`${baseUrl}/`)) return imageDelivery === 'own' ? null : scaledDown(location);
    const path = location.slice(baseUrl.length + 1);
    if (!isLibraryPath(path)) return null;
    return isPrivatePath(path) ? (await delivery.signedUrl(path, nowMs)).url : delivery.publicUrl(path);
  };
}

/** The providers that are hotlinked crop to `w` and `h`. */
function scaledDown(location: string): string {
  const url = new URL(location);
  const sides = ['w', 'h'].map((name) => [name, Number(url.searchParams.get(name))] as const);
  const scale = longSidePx / Math.max(...sides.map(([, px]) => px));
  if (scale < 1) for (const [name, px] of sides) url.searchParams.set(name, String(Math.round(px * scale)));
  return url.href;
}
