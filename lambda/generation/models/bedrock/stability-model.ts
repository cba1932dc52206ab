/** What a Stability model on Amazon Bedrock can do, how it is asked, and what it answers. */

import { parseJson } from '../../../base/parse-json';
import { bedrockModels, type StabilityModel } from '../../../contract/generators';
import { imageTypeOf } from '../../../images/image-type';
import { variationSeedOf } from '../../generation-identity';
import { type Drawn, GeneratorFailure, type GeneratorRequest } from '../../generator';

/** A model that the contract does not list: asked by words alone. */
const unknownModel: StabilityModel = { namesMode: false, seedMax: 4_294_967_294 };

/** The family of a model: all its versions can do the same. */
const familyOf = (modelId: string) => modelId.replace(/^stability\.|-v\d+:\d+$/g, '');

/** An ARN or an inference profile contains the id, and counts as the model. */
export function stabilityModelOf(modelId: string): StabilityModel {
  const models: readonly (readonly [string, StabilityModel])[] = Object.entries(bedrockModels);
  return models.find(([id]) => modelId.includes(familyOf(id)))?.[1] ?? unknownModel;
}

/**
 * The body of a request.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-stability-diffusion.html
 * @param withNegativePrompt AWS documents it for all three models, but not every version takes it
 */
export function stabilityRequest(
  { prompt, negativePrompt, ratio, seed, variation, base }: GeneratorRequest,
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

interface StabilityAnswer {
  readonly finish_reasons?: readonly (string | null)[];
  readonly images?: readonly string[];
  readonly 'amazon-bedrock-guardrailAction'?: string;
}

/**
 * What an answer holds. A refused request answers with status 200 and no image.
 * @throws `GeneratorFailure` when the model failed, or answered something else.
 */
export function readStabilityAnswer(body: string, modelId: string): Drawn {
  const { finish_reasons, images, 'amazon-bedrock-guardrailAction': guardrail } = parse(body);
  const [reason] = finish_reasons ?? [];
  if (guardrail === 'INTERVENED') return { outcome: 'refused', reason: 'guardrail' };
  if (reason?.startsWith('Filter reason')) return { outcome: 'refused', reason };
  if (reason) {
    const message = `${modelId} ended with: ${reason.slice(0, 100)}`;
    throw new GeneratorFailure('unavailable', message, { isUnbilled: true });
  }
  const bytes = Buffer.from(images?.[0] ?? '', 'base64');
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) throw new GeneratorFailure('malformed', `${modelId} sent no image`);
  return { outcome: 'image', bytes, mediaType, model: modelId };
}

function parse(body: string): StabilityAnswer {
  const answer = parseJson(body);
  if (typeof answer === 'object' && answer !== null) return answer;
  throw new GeneratorFailure('malformed', 'Bedrock sent no JSON object');
}
