/** Finds the facts of a Stability model on Amazon Bedrock by its id. */

import { bedrockModels, type StabilityModel } from '../../../contract/generators';

/** A model that the contract does not list: asked by words alone and rarely. */
const unknownModel: StabilityModel = { namesMode: false, seedMax: 4_294_967_294, requestsPerMinute: 10 };

/** The family of a model: all its versions can do the same. */
const familyOf = (modelId: string) => modelId.replace(/^stability\.|-v\d+:\d+$/g, '');

/** An ARN or an inference profile contains the id, and counts as the model. */
export function stabilityModelOf(modelId: string): StabilityModel {
  const models: readonly (readonly [string, StabilityModel])[] = Object.entries(bedrockModels);
  return models.find(([known]) => modelId.includes(familyOf(known)))?.[1] ?? unknownModel;
}
