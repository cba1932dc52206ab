/** Where an owner sees an image again that the account was delivered before: the same file, which nothing is made or charged for. */

import type { ImageDelivery } from '../contract/environment';
import type { Delivery } from './delivery';
import { isLibraryPath, isPrivatePath } from './library-path';
import type { ShownImage } from './shown-images';

/** A URL of the image in the size in which it was delivered; `null` where there is none. @throws when it cannot be signed */
export type ThumbnailOf = (image: ShownImage, nowMs: number) => Promise<string | null>;

/** @param baseUrl of the image library, without a trailing slash. Where delivery is `own`, no URL leads to a provider. */
export function createThumbnailOf(
  delivery: Delivery,
  baseUrl: string,
  imageDelivery: ImageDelivery,
): ThumbnailOf {
  return async ({ location }, nowMs) => {
    if (location === undefined) return null;
    if (!location.startsWith(`${baseUrl}/`)) return imageDelivery === 'own' ? null : location;
    const path = location.slice(baseUrl.length + 1);
    if (!isLibraryPath(path)) return null;
    return isPrivatePath(path) ? (await delivery.signedUrl(path, nowMs)).url : delivery.publicUrl(path);
  };
}
