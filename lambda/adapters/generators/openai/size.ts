/** Writes an image's size for a server that speaks OpenAI's images API. */

import type { SettingsOfGenerator } from '../../../contract/generators';
import {
  type AspectBucket,
  distanceBetween,
  ratioOf,
  sizeOfBucket,
} from '../../../domain/generation/aspect-bucket';

type SizeSettings = Pick<SettingsOfGenerator<'openai-compatible'>, 'sizeMode' | 'longSidePx' | 'sizes'>;

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
