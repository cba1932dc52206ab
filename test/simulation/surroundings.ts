/** Surroundings of a use case: URLs of images, and notes of renditions. */

import type { Cache } from '../../lambda/base/item-store';
import type { Delivery } from '../../lambda/images/delivery';
import { deliveryUrl } from '../fakes/branded';

/** A URL contains its path, so that a test can identify the image. */
export const delivery: Delivery = {
  publicUrl: (path) => deliveryUrl(`open:${path}`),
  signedUrl: async (path, nowMs) => ({ url: deliveryUrl(`signed:${path}`), endsMs: nowMs + 3_600_000 }),
};

/** Notes of renditions, without faults of their own: forgetting one only costs another rendering. */
export function cacheOf(): Pick<Cache, 'read' | 'write'> {
  const notes = new Map<string, unknown>();
  return {
    read: async (key) => notes.get(key) as never,
    write: async (key, stored) => void notes.set(key, stored),
  };
}
