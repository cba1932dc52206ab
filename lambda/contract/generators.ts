/** The generators of AI images: their settings and the abilities of their models. */

import * as z from 'zod/mini';

/** The abilities of an image model, from its model card. */
export interface StabilityModel {
  /** How far an image may differ from its base, 0 to 1. Only models that can start from an image have it. */
  readonly strength?: number;
  /** The mode that a request must name to start from an image, if the model has modes. */
  readonly mode?: string;
}

/** The strength of a variation. It keeps the subject and changes the view. Below 0.5, images hardly differ. */
const strength = 0.7;

/**
 * Active image models of Amazon Bedrock by id, all in `bedrockRegion`:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards-stability-ai.html
 */
export const bedrockModels = {
  'stability.stable-image-core-v1:1': {},
  'stability.sd3-5-large-v1:0': { strength, mode: 'image-to-image' },
  'stability.stable-image-ultra-v1:1': { strength },
} as const satisfies Readonly<Record<string, StabilityModel>>;

export type BedrockModelId = keyof typeof bedrockModels;

/** The region that has all models. Prompts are sent there. */
const bedrockRegion = 'us-west-2';

/** The cheapest and quickest model. */
const defaultModelId: BedrockModelId = 'stability.stable-image-core-v1:1';

const host = z.string().check(z.regex(/^[A-Za-z0-9.-]+(:\d+)?$/, 'must be a host'));

const sandbox = z.strictObject({
  kind: z.literal('sandbox').check(z.describe('What draws AI images')),
  delayMs: z
    ._default(z.int().check(z.minimum(0), z.maximum(60_000)), 0)
    .check(z.describe('How long it waits before it draws, in milliseconds')),
  refuse: z
    ._default(z.array(z.string().check(z.minLength(1))), [])
    .check(z.describe('Words that it refuses, to test refusals')),
  longSidePx: z
    ._default(z.int().check(z.minimum(256), z.maximum(3_840)), 1_536)
    .check(z.describe('Longer side of an image in pixels')),
});

const bedrockStability = z.strictObject({
  kind: z.literal('bedrock-stability').check(z.describe('What draws AI images')),
  modelId: z
    ._default(z.string().check(z.regex(/^[\w.:/-]+$/, 'must be a model id')), defaultModelId)
    .check(z.describe("Bedrock's id of the model")),
  region: z
    ._default(z.string().check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region')), bedrockRegion)
    .check(z.describe('Where the model is; prompts are sent there')),
});

/** Servers accept different fields: https://platform.openai.com/docs/api-reference/images/create */
const openAiCompatible = z.strictObject({
  kind: z.literal('openai-compatible').check(z.describe('What draws AI images')),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .check(z.overwrite((url) => url.replace(/(?<!\/)\/+$/, '')))
    .check(z.describe('URL of the API with its version: `https://api.openai.com/v1`')),
  model: z.string().check(z.minLength(1)).check(z.describe('Name of the model')),
  apiKeyName: z
    .exactOptional(z.string().check(z.minLength(1)))
    .check(z.describe('Name of the key in the secret of the provider keys, if the server needs one')),
  sizes: z
    ._default(z.array(z.string().check(z.regex(/^[1-9]\d*x[1-9]\d*$/, 'must be WxH'))), [])
    .check(z.describe('Sizes that the server takes, such as `1024x1536`. Without any: multiples of 16')),
  extraBody: z
    ._default(z.record(z.string(), z.unknown()), {})
    .check(
      z.describe(
        'Fields that are sent as they are, over all others: `quality`, `response_format`, `seed`, `steps`',
      ),
    ),
  imageHosts: z
    .exactOptional(z.array(host))
    .check(
      z.describe(
        "Hosts from which an image may be fetched when the answer is its URL. Without it, the server's own",
      ),
    ),
});

export const generatorSchemas = [sandbox, bedrockStability, openAiCompatible] as const;
const schema = z.discriminatedUnion('kind', generatorSchemas);

/** The settings of the operator's generator, with all defaults. */
export type GeneratorSettings = z.infer<typeof schema>;
/** The settings of one kind of generator. */
export type SettingsOfGenerator<K extends GeneratorSettings['kind']> = Extract<
  GeneratorSettings,
  { kind: K }
>;

/** Reads the model id in the id of an inference profile, which has a prefix such as `eu.`. */
export function readFoundationModel(modelId: string): string {
  return modelId.replace(/^(?:us|us-gov|eu|apac|jp|au|ca|global)\./, '');
}

/** Reads the `generator` setting. Throws an error that names every faulty or unknown field. */
export function readGeneratorSettings(value: unknown): GeneratorSettings {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const message =
      issue.code === 'unrecognized_keys' ? `no such setting: ${issue.keys.join(', ')}` : issue.message;
    return `${issue.path.join('.') || 'generator'}: ${message}`;
  });
  throw new Error(`must describe a generator (${faults.join('; ')})`);
}
