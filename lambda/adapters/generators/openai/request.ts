/** Writes the body of a request to a server that speaks OpenAI's images API. */

import type { SettingsOfGenerator } from '../../../contract/generators';
import { variationSeedOf } from '../../../domain/generation/generation-identity';
import type { GeneratorAsk } from '../../../ports/generator';
import { sizeFieldOf } from './size';

type DialectSettings = Omit<SettingsOfGenerator<'openai-compatible'>, 'kind' | 'baseUrl' | 'timeoutMs'>;

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
