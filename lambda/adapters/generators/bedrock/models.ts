/** The Stability models on Amazon Bedrock: what each can do and how often it may be asked. */

/** Facts of one model, from the model cards and the quota table. */
export interface StabilityModel {
  /** How far it may leave the image it starts from, 0 to 1; absent when it cannot start from one. */
  readonly strength?: number;
  /** Whether it wants to be told when it starts from an image. */
  readonly namesMode: boolean;
  readonly seedMax: number;
  /** Default of a new account in us-west-2, not adjustable: https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
  readonly requestsPerMinute: number;
}

/**
 * The region where all three are: https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards-stability-ai.html
 * Prompts leave the stack's own region for it.
 */
export const bedrockRegion = 'us-west-2';

/** Cheapest and quickest of the three. */
export const defaultModelId = 'stability.stable-image-core-v1:1';

/** Leaves the subject and changes the view; below a half a variation hardly differs. */
const strength = 0.7;

const families: readonly (readonly [RegExp, StabilityModel])[] = [
  [/stable-image-core/, { namesMode: false, seedMax: 4_294_967_295, requestsPerMinute: 90 }],
  [/sd3-5-large/, { strength, namesMode: true, seedMax: 4_294_967_294, requestsPerMinute: 15 }],
  [/stable-image-ultra/, { strength, namesMode: false, seedMax: 4_294_967_295, requestsPerMinute: 10 }],
];

/** A model that is not in the table: asked by words alone and rarely. */
const unknownModel: StabilityModel = { namesMode: false, seedMax: 4_294_967_294, requestsPerMinute: 10 };

export function stabilityModelOf(modelId: string): StabilityModel {
  return families.find(([pattern]) => pattern.test(modelId))?.[1] ?? unknownModel;
}
