/** Images that requests were answered with before: in the memory of this instance, and in the cache that all share. */

import { type StockSlot, stockSlots } from '../../contract/providers';
import { createExpiringCache } from '../../domain/expiring-cache';
import type { RenditionFormat, ServedImage } from '../../domain/image/image';
import { fingerprintOf, type StockRequest } from '../../domain/request/image-request';
import type { Clock } from '../../ports/clock';
import type { LookupCache } from '../../ports/lookup-cache';
import type { Telemetry } from '../../ports/telemetry';

/** Images that one instance remembers: about a kilobyte each. */
const imagesRememberedMax = 2_000;

export interface KnownImages {
  /**
   * The image that is known for this very request, from memory or by one read; never asks a provider. It may run
   * beside the metering write. Never throws: a cache that does not answer knows nothing.
   */
  find(request: StockRequest, format: RenditionFormat): Promise<ServedImage | undefined>;
  /** Key of the item that holds what a request is answered with. */
  keyOf(request: StockRequest, format: RenditionFormat): string;
  /** Remembers an image in this instance until a moment (epoch, milliseconds). */
  remember(key: string, image: ServedImage, freshUntilMs: number): void;
  /** Remembers an image in all instances until a moment (epoch, milliseconds). Never throws. */
  store(key: string, image: ServedImage, freshUntilMs: number): Promise<void>;
}

export interface KnownImagesDeps {
  readonly lookups: Pick<LookupCache, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
  /** Which provider serves each slot. It is part of each key, so that binding another provider takes effect at once. */
  readonly bindings: Readonly<Record<StockSlot, string>>;
}

export function createKnownImages({ lookups, clock, telemetry, bindings }: KnownImagesDeps): KnownImages {
  const remembered = createExpiringCache<{ readonly image: ServedImage; readonly freshUntilMs: number }>(
    imagesRememberedMax,
  );
  const boundProviders = stockSlots.map((slot) => bindings[slot]).join('+');

  const keyOf: KnownImages['keyOf'] = (request, format) =>
    `R#${boundProviders}#${fingerprintOf(request)}#${format}`;

  const remember: KnownImages['remember'] = (key, image, freshUntilMs) =>
    remembered.set(key, { image, freshUntilMs }, freshUntilMs);

  return {
    keyOf,
    remember,

    async find(request, format) {
      const key = keyOf(request, format);
      const known = remembered.get(key, clock.nowMs());
      if (known) {
        remember(key, known.image, known.freshUntilMs); // Used just now, so it is the last to make room.
        return known.image;
      }
      try {
        const cached = await lookups.read<ServedImage>(key);
        if (!cached || cached.freshUntilMs <= clock.nowMs()) return undefined;
        remember(key, cached.value, cached.freshUntilMs);
        return cached.value;
      } catch (error) {
        telemetry.error('The lookup cache did not answer', error);
        return undefined;
      }
    },

    async store(key, image, freshUntilMs) {
      remember(key, image, freshUntilMs);
      try {
        await lookups.write(key, { value: image, freshUntilMs, staleUntilMs: freshUntilMs });
      } catch (error) {
        telemetry.error('What a request was answered with was not stored', error);
      }
    },
  };
}
