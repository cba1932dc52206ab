/** Draws images by code. This model costs nothing and needs no account. */

import { drawScene } from '@image-redirect/scene';
import type { Clock } from '../../base/clock';
import { runBounded } from '../../base/concurrency';
import type { SettingsOfGenerator } from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import { computeSizeOfRatio } from '../ai-image-identity';
import type { Model } from './model';

/**
 * Creates the model of the sandbox. The same words and seed give the same image. Words that contain one of `refuse` are refused.
 */
export function createSandboxModel(
  { kind, delayMs, refuse, longSidePx }: SettingsOfGenerator<'sandbox'>,
  codec: Pick<typeof sharpCodec, 'paintSvg'>,
  clock: Clock,
): Model {
  // A laptop draws all images in one process. More than one at a time would leave its requests no processor.
  const drawingBound = { free: 1, waiting: [] };
  return {
    name: 'sandbox',
    kind,
    startsFromImages: false,
    async ask({ words, style, seed, variation, ratio }, signal) {
      if (refuse.some((word) => words.toLowerCase().includes(word.toLowerCase())))
        return { refused: 'a word on the list' };
      if (delayMs > 0) await clock.sleep(delayMs, signal);
      const size = computeSizeOfRatio(ratio, longSidePx);
      // A variation has the seed of its base image, and so the same light.
      const scene = { words, style, seed: String(seed), ...(variation !== undefined && { variation }) };
      const recipe = {
        ...size,
        format: 'jpeg',
        isMaster: true,
        // Nobody gets the master. Its renditions are marked like those of every AI image.
        metadata: { creditLine: 'Drawn by the sandbox', aiGenerated: false },
      } as const;
      const { bytes } = await runBounded(drawingBound, () =>
        codec.paintSvg(drawScene({ ...scene, ...size }), recipe),
      );
      return { image: bytes };
    },
  };
}
