/** Opens the configured model; each adapter, and its SDK, is loaded only where it is used. */

import type { Clock } from '../../base/clock';
import { type GeneratorSettings, readGeneratorSettings } from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import { type ImageKey, parseImageKey } from '../ai-image-identity';
import type { Model } from './model';
import type { OpenAiCompatibleDeps } from './openai-compatible';

interface ModelDeps extends OpenAiCompatibleDeps {
  readonly codec: Pick<typeof sharpCodec, 'paintSvg'>;
  readonly clock: Clock;
}

/** The model that draws an image: the sandbox for test keys. */
export type ChooseModel = (key: ImageKey) => Promise<Model>;

/** Makes the choice of the model, which opens each once, with the first image that it draws. */
export function createModelChoice(configured: GeneratorSettings, deps: ModelDeps): ChooseModel {
  const opened = new Map<GeneratorSettings, Promise<Model>>();
  const sandbox = readGeneratorSettings({ kind: 'sandbox' });
  return (key) => {
    const chosen = parseImageKey(key).mode === 'test' ? sandbox : configured;
    const model = opened.get(chosen) ?? openModel(chosen, deps);
    opened.set(chosen, model);
    return model;
  };
}

/** Loads the adapter of a model; sends no request yet. */
export async function openModel(settings: GeneratorSettings, deps: ModelDeps): Promise<Model> {
  switch (settings.kind) {
    case 'sandbox':
      return (await import('./sandbox')).createSandboxModel(settings, deps.codec, deps.clock);
    case 'bedrock-stability':
      return (await import('./bedrock-stability')).openBedrockStability(settings);
    case 'openai-compatible':
      return (await import('./openai-compatible')).openOpenAiCompatible(settings, deps);
  }
}
