/** Writes the body of a request to a server that speaks OpenAI's images API, the image's size among it. */

import type { SettingsOfGenerator } from '../../../contract/generators';
import {
  type AspectBucket,
  distanceBetween,
  ratioOf,
  sizeOfBucket,
  variationSeedOf,
} from '../../generation-identity';
import type { GeneratorRequest } from '../../generator';

type DialectSettings = Omit<SettingsOfGenerator<'openai-compatible'>, 'kind' | 'baseUrl' | 'timeoutMs'>;

/** Largest seed that every server takes: a signed 32-bit number. */
export const openAiSeedMax = 2_147_483_647;

/** The body for `POST /images/generations`; `extraBody` has the last word. */
export function imagesRequest(wanted: GeneratorRequest, settings: DialectSettings): Record<string, unknown> {
  const { negativePrompt } = wanted;
  const isSaidInWords = negativePrompt !== undefined && !settings.sendNegativePrompt;
  const size = sizeFieldOf(wanted.ratio, settings);
  return {
    model: settings.model,
    prompt: isSaidInWords ? `${wanted.prompt} Leave out: ${negativePrompt}.` : wanted.prompt,
    n: 1,
    ...(size === undefined ? {} : { size }),
    ...(negativePrompt !== undefined && settings.sendNegativePrompt
      ? { negative_prompt: negativePrompt }
      : {}),
    ...(settings.sendSeed
      ? { seed: variationSeedOf(wanted.seed, wanted.variation) % (openAiSeedMax + 1) }
      : {}),
    ...(settings.sendResponseFormat === 'none' ? {} : { response_format: settings.sendResponseFormat }),
    ...settings.extraBody,
  };
}

type SizeSettings = Pick<SettingsOfGenerator<'openai-compatible'>, 'sizeMode' | 'longSidePx' | 'sizes'>;

/** The `size` field, or `undefined` when none is sent. */
function sizeFieldOf(
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
