/** How an image's size is said to a server that speaks OpenAI's images API. */

import {
  type AspectBucket,
  distanceBetween,
  ratioOf,
  sizeOfBucket,
} from '../../../domain/generation/aspect-bucket';

/**
 * `exact`: any size, to the pixel. `multiple-of-16`: both sides are multiples of 16, as GPT image models want.
 * `list`: one of a few sizes, `1024x1536`. `omit`: the server decides.
 */
type SizeMode = 'exact' | 'multiple-of-16' | 'list' | 'omit';

export interface SizeSettings {
  readonly sizeMode: SizeMode;
  /** Longer side, in pixels, where the size is not from a list. */
  readonly longSidePx: number;
  /** What a `list` server draws. */
  readonly sizes: readonly string[];
}

/** The `size` field, or `undefined` when none is sent. */
export function sizeFieldOf(
  bucket: AspectBucket,
  { sizeMode, longSidePx, sizes }: SizeSettings,
): string | undefined {
  const { widthPx, heightPx } = sizeOfBucket(bucket, longSidePx);
  switch (sizeMode) {
    case 'exact':
      return `${widthPx}x${heightPx}`;
    case 'multiple-of-16':
      return `${roundTo16(widthPx)}x${roundTo16(heightPx)}`;
    case 'list':
      return nearestOf(sizes, ratioOf(bucket));
    case 'omit':
      return undefined;
  }
}

function roundTo16(sidePx: number): number {
  return Math.max(16, Math.round(sidePx / 16) * 16);
}

function nearestOf(sizes: readonly string[], ratio: number): string | undefined {
  const apart = (size: string) => {
    const [width = 1, height = 1] = size.split('x').map(Number);
    return distanceBetween(width / height, ratio);
  };
  return [...sizes].sort((one, other) => apart(one) - apart(other))[0];
}
