/** Simulated dependencies of the use cases: image library, renderer, delivery and generator, each with faults and delays. */

import type { Cache } from '../../lambda/base/item-store';
import { asOutage } from '../../lambda/base/outage';
import { type Generator, GeneratorFailure } from '../../lambda/generation/generator';
import type { Delivery } from '../../lambda/images/delivery';
import type { ImageLibrary, StoredImage } from '../../lambda/images/image-library';
import { libraryPathOf } from '../../lambda/images/library-path';
import type { Renderer } from '../../lambda/images/renderer';
import { ProviderFailure, type StockProvider } from '../../lambda/stock/stock-provider';
import { deliveryUrl } from '../fakes/branded';
import { aPlaceholder } from '../fakes/stock';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';
import type { Actor, Random } from './kernel';
import type { Network } from './network';
import type { Setting } from './setting';

/** Everything that is stored, by path, and the paths of masters that the store has lost. */
export interface Shelf {
  readonly images: Map<string, StoredImage>;
  readonly lost: Set<string>;
}

export function libraryOf(network: Network, { images }: Shelf, actor: Actor): ImageLibrary {
  const ask = <T>(label: string, writes: boolean, apply: () => T) =>
    network.call(actor, `library.${label}`, writes, apply).catch((error: object) => {
      throw asOutage(error);
    });
  return {
    put: (path, image) =>
      ask('put', true, () => {
        if (images.has(path)) return false;
        images.set(path, image);
        return true;
      }),
    get: (path) => ask('get', false, () => images.get(path)),
    remove: (path) => ask('remove', true, () => void images.delete(path)),
    async *list(prefix) {
      yield* await ask('list', false, () =>
        [...images.keys()].filter((path) => path.startsWith(prefix)).map(libraryPathOf),
      );
    },
  };
}

export function rendererOf(network: Network, { images }: Shelf, actor: Actor): Renderer {
  return {
    render: ({ path, source }) =>
      network.call(actor, 'renderer.render', true, () => {
        if (source.kind === 'stored' && !images.has(source.path)) return { outcome: 'gone' };
        images.set(path, { bytes: new Uint8Array(), mediaType: 'image/webp' });
        return { outcome: 'stored', placeholder: aPlaceholder };
      }),
  };
}

/** A provider that has the same few images for all words but one, and fails by chance where things go wrong. */
export function providerOf(
  { network, random, setting }: { network: Network; random: Random; setting: Setting },
  actor: Actor,
  name: string,
): StockProvider {
  const { providerPerDay: perDay, isCalm, isStockSure } = setting;
  const provider = createFakeStockProvider(name, {
    capability: { quota: { perDay } },
    sourceFor: ({ sourceUrl }) => ({ kind: 'fetch', url: sourceUrl }),
  });
  provider.script(async ({ subject }) => {
    const answering = network.call(actor, 'provider', false, () => {
      if (!isCalm && !isStockSure && random.chance(0.2)) throw new Error('The provider failed');
      return isStockSure || subject.query !== 'nothing'
        ? ['1', '2', '3'].map((id) => candidate(`${name}-${id}`))
        : [];
    });
    return answering.catch((error: Error) => {
      throw new ProviderFailure('unavailable', error.message);
    });
  });
  return provider;
}

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

/** Refuses some words always, and fails or takes long by chance. */
export function generatorOf(
  random: Random,
  actor: Actor,
  { drawFailureRate, drawMaxMs, requestsPerMinute }: Setting,
  refusedWords: ReadonlySet<string>,
): Generator {
  return {
    capability: {
      imageToImage: true,
      aspectRatios: [],
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    },
    async generate({ words }) {
      await actor.clock.sleep(random.between(20, drawMaxMs));
      if (refusedWords.has(words)) return { outcome: 'refused', reason: 'unsafe' };
      if (random.chance(drawFailureRate)) throw new GeneratorFailure('unavailable', 'It is down');
      return { outcome: 'image', bytes: new Uint8Array(1), mediaType: 'image/png', model: 'fake' };
    },
  };
}
