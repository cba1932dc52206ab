/** Writes the body of a request to a server that speaks OpenAI's images API. */

import { variationSeedOf } from '../../../domain/generation/generation-seed';
import type { GeneratorAsk } from '../../../ports/generator';
import { type SizeSettings, sizeFieldOf } from './size';

/** Where servers differ in what they take: https://platform.openai.com/docs/api-reference/images/create */
export interface DialectSettings extends SizeSettings {
  readonly model: string;
  /** GPT image models refuse the field; others answer with a URL unless told otherwise. */
  readonly sendResponseFormat: 'none' | 'b64_json' | 'url';
  readonly sendSeed: boolean;
  readonly sendNegativePrompt: boolean;
  /** Sent as they are, over everything else: `quality`, `output_format`, `steps`. */
  readonly extraBody: Readonly<Record<string, unknown>>;
}

/** Largest seed that every server takes: a signed 32-bit number. */
export const openAiSeedMax = 2_147_483_647;

export function imagesRequest(ask: GeneratorAsk, settings: DialectSettings): Record<string, unknown> {
  const { negativePrompt } = ask;
  const isSaidInWords = negativePrompt !== undefined && !settings.sendNegativePrompt;
  const size = sizeFieldOf(ask.ratio, settings);
  return {
    model: settings.model,
    prompt: isSaidInWords ? `${ask.prompt} Leave out: ${negativePrompt}.` : ask.prompt,
    n: 1,
    ...(size === undefined ? {} : { size }),
    ...(negativePrompt !== undefined && settings.sendNegativePrompt
      ? { negative_prompt: negativePrompt }
      : {}),
    ...(settings.sendSeed ? { seed: variationSeedOf(ask.seed, ask.variation) % (openAiSeedMax + 1) } : {}),
    ...(settings.sendResponseFormat === 'none' ? {} : { response_format: settings.sendResponseFormat }),
    ...settings.extraBody,
  };
}
