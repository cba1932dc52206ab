/** The models that may look at candidates (judge) or shorten a prompt (rewriter): their settings, and what follows from these. */

import * as z from 'zod/mini';
import type { GeneratorFacts } from './generators';
import { readChoice, serverFields } from './model-server';
import { judgeTimeoutMs, rewriterTimeoutMs } from './timeouts';

const choiceOf = (timeoutMsMax: number, name: string) => {
  const timeoutMs = z
    ._default(z.int().check(z.minimum(1), z.maximum(timeoutMsMax)), timeoutMsMax)
    .check(z.describe('Longest wait for its answer, in milliseconds'));
  const options = [
    z.strictObject({ kind: z.literal('off') }),
    z.strictObject({
      kind: z.literal('bedrock'),
      modelId: z
        .string()
        .check(z.regex(/^[\w.:/-]+$/, 'must be a model id'))
        .check(z.describe("Bedrock's id of the model, or of an inference profile")),
      region: z
        .string()
        .check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region'))
        .check(z.describe('Where the model is; what it is shown is sent there')),
      timeoutMs,
    }),
    z.strictObject({
      kind: z.literal('openai-compatible'),
      ...serverFields,
      extraBody: z
        ._default(z.record(z.string(), z.unknown()), {})
        .check(z.describe('Fields that are sent as they are, over all others')),
      timeoutMs,
    }),
  ] as const;
  const schema = z.discriminatedUnion('kind', options);
  return {
    options,
    /** @throws `Error` that names every faulty field */
    read: (value: unknown) => readChoice(schema, name, value),
  };
};

/** The settings of the model that looks at candidates. */
export const judgeSettings = choiceOf(judgeTimeoutMs, 'judge');
/** The settings of the model that shortens prompts. */
export const rewriterSettings = choiceOf(rewriterTimeoutMs, 'rewriter');

/** A model that is asked something, or none, with all defaults. */
export type ModelSettings = ReturnType<typeof judgeSettings.read>;
/** The settings of one kind of model, with all defaults. */
export type SettingsOfModel<K extends ModelSettings['kind']> = Extract<ModelSettings, { kind: K }>;

/** What the stack, the functions and the operator's tools do about such a model, whatever its kind. */
export function modelFacts(settings: ModelSettings): Omit<GeneratorFacts, 'isFree'> {
  switch (settings.kind) {
    case 'bedrock': {
      const { modelId, region } = settings;
      return { bedrockModel: { modelId, region } };
    }
    case 'openai-compatible': {
      const { baseUrl, model, apiKeyName } = settings;
      return { server: { baseUrl, model }, ...(apiKeyName === undefined ? {} : { keyName: apiKeyName }) };
    }
    default:
      return {};
  }
}
