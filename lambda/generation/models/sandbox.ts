/** The built-in generator: draws with code, costs nothing and needs no account. */

import { drawScene } from '@image-redirect/scene';
import type { Clock } from '../../base/clock';
import type { SettingsOfGenerator } from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import { aspectBuckets, generationSeedMax, sizeOfBucket } from '../generation-identity';
import type { Generator } from '../generator';
import { noAnswer } from './attempts';

/** Draws in code, free of charge and the same for the same words, and refuses the words of `refuse`. */
export function createSandbox(
  { delayMs, refuse, longSidePx }: SettingsOfGenerator<'sandbox'>,
  codec: Pick<typeof sharpCodec, 'paint'>,
  clock: Clock,
): Generator {
  return {
    capability: { imageToImage: false, seedMax: generationSeedMax, aspectRatios: aspectBuckets },
    async generate({ words, style, seed, variation, ratio }, signal) {
      const spoken = words.toLowerCase();
      if (refuse.some((word) => spoken.includes(word.toLowerCase())))
        return { outcome: 'refused', reason: 'a word on the list' };
      if (delayMs > 0)
        await clock.sleep(delayMs, signal).catch((error: unknown) => {
          throw noAnswer('The sandbox', signal, error);
        });
      const size = sizeOfBucket(ratio, longSidePx);
      // The seed is the base image's, so a variation keeps its light.
      const choice = variation === undefined ? {} : { variation };
      const { bytes, mediaType } = await codec.paint(
        drawScene({ words, style, seed: String(seed), ...choice, ...size }),
        {
          ...size,
          format: 'jpeg',
          purpose: 'master',
          // Code drew it, so it is not marked as the work of a trained model.
          metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
        },
      );
      return { outcome: 'image', bytes, mediaType, model: 'sandbox' };
    },
  };
}
