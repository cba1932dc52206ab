/** Images that requests were answered with before: in the memory of this instance, and in the cache that all share. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Cache } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import type { ImageDelivery } from '../contract/environment';
import { type StockSlot, stockSlots } from '../contract/providers';
import type { ServedImage } from '../images/image';
import { fingerprintOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';

/** Images that one instance remembers: about a kilobyte each. */
const imagesRememberedMax = 2_000;

/** What requests for stock images are answered with when they come again. */
export interface CachedImages {
  /**
   * The image that this very request was answered with, from memory or by one read; sends no provider a request. It
   * may run beside the charge. A removed image counts as absent, and so does every image of a cache that does not answer.
   */
  find(request: StockRequest, format: RenditionFormat): Promise<ServedImage | undefined>;
  /** Key of the item that holds what a request is answered with. */
  keyOf(request: StockRequest, format: RenditionFormat): string;
  /** Remembers an image in this instance until a moment (epoch, milliseconds). */
  remember(key: string, image: ServedImage, freshUntilMs: number): void;
  /** Remembers an image in all instances until a moment (epoch, milliseconds). Never throws. */
  store(key: string, image: ServedImage, freshUntilMs: number): Promise<void>;
}

interface CachedImage {
  readonly image: ServedImage;
  readonly freshUntilMs: number;
}

/** Where images are cached, and what their keys say beside the request. */
export interface CachedImagesDeps {
  readonly cache: Pick<Cache, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
  /** Which provider serves each slot. It is part of each key, so that binding another provider takes effect at once. */
  readonly bindings: Readonly<Record<StockSlot, string>>;
  /** Part of each key, too; `provider` by default. */
  readonly imageDelivery?: ImageDelivery;
}

/** Whether an image was removed since; the card that stands in for it may be shown, unless it is drawn of the image. */
function isRemoved({ pick = '', fallback, placeholder }: ServedImage, { removed }: StockRequest): boolean {
  return removed?.includes(pick) === true && !(fallback === 'gone' && !placeholder);
}

/** One for each function instance, whose memory it has. */
export function createCachedImages({
  cache,
  clock,
  telemetry,
  bindings,
  imageDelivery,
}: CachedImagesDeps): CachedImages {
  const remembered = createExpiringCache<CachedImage>(imagesRememberedMax);
  const boundProviders = stockSlots.map((slot) => bindings[slot]).join('+');
  const own = imageDelivery === 'own' ? '+own' : '';

  const keyOf: CachedImages['keyOf'] = (request, format) =>
    `R#${boundProviders}${own}#${fingerprintOf(request)}#${format}`;

  const remember: CachedImages['remember'] = (key, image, freshUntilMs) =>
    remembered.set(key, { image, freshUntilMs }, freshUntilMs);

  const imageOf = async (key: string): Promise<CachedImage | undefined> => {
    const inMemory = remembered.get(key, clock.nowMs());
    if (inMemory) return inMemory;
    const cached = await cache.read<ServedImage>(key);
    if (!cached || cached.freshUntilMs <= clock.nowMs()) return undefined;
    return { image: cached.value, freshUntilMs: cached.freshUntilMs };
  };

  return {
    keyOf,
    remember,

    async find(request, format) {
      const key = keyOf(request, format);
      let image: ServedImage | undefined;
      try {
        const cached = await imageOf(key);
        if (!cached || isRemoved(cached.image, request)) return undefined;
        image = cached.image;
        remember(key, image, cached.freshUntilMs); // Used just now, so it is the last to make room.
      } catch (error) {
        telemetry.error('The cache did not answer', error);
      }
      return image;
    },

    async store(key, image, freshUntilMs) {
      remember(key, image, freshUntilMs);
      await orLogged(telemetry, 'A found image was not stored', () =>
        cache.write(key, { value: image, freshUntilMs, staleUntilMs: freshUntilMs }),
      );
    },
  };
}
