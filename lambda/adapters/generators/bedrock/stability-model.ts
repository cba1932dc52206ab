/** Writes the body of a request to a Stability model. */

import type { StabilityModel } from '../../../contract/generators';
import { variationSeedOf } from '../../../domain/generation/generation-identity';
import type { GeneratorAsk } from '../../../ports/generator';

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html
 * @param withNegativePrompt AWS documents it for all three models, but not every version takes it
 */
export function stabilityRequest(
  { prompt, negativePrompt, ratio, seed, variation, base }: GeneratorAsk,
  model: StabilityModel,
  withNegativePrompt: boolean,
): Record<string, unknown> {
  const startsFromBase = base !== undefined && model.strength !== undefined;
  return {
    prompt,
    ...(withNegativePrompt && negativePrompt !== undefined ? { negative_prompt: negativePrompt } : {}),
    // An image to start from brings its own ratio.
    ...(startsFromBase
      ? { image: Buffer.from(base).toString('base64'), strength: model.strength }
      : { aspect_ratio: ratio }),
    ...(startsFromBase && model.namesMode ? { mode: 'image-to-image' } : {}),
    seed: variationSeedOf(seed, variation) % (model.seedMax + 1),
    output_format: 'jpeg',
  };
}
