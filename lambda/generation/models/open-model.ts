/** Opens the configured model. Only its adapter is loaded, with the SDK that the adapter needs. */

import type { Clock } from '../../base/clock';
import { createSharedLoader } from '../../base/concurrency';
import { type GeneratorSettings, readGeneratorSettings } from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import { type ImageKey, parseImageKey } from '../ai-image-identity';
import type { Model } from './model';
import type { OpenAiCompatibleDeps } from './openai-compatible';

interface ModelDeps extends OpenAiCompatibleDeps {
  readonly codec: Pick<typeof sharpCodec, 'paintSvg'>;
  readonly clock: Clock;
}

/** Chooses the model for an image: the sandbox for test keys, else the configured model. */
export type ChooseModel = (key: ImageKey) => Promise<Model>;

/** Creates the function that chooses the model. A model is opened once, for the first image that it draws. */
export function createModelChooser(configured: GeneratorSettings, deps: ModelDeps): ChooseModel {
  const openConfigured = createSharedLoader(() => openModel(configured, deps));
  const openSandbox = createSharedLoader(() => openModel(readGeneratorSettings({ kind: 'sandbox' }), deps));
  return (key) => (parseImageKey(key).mode === 'test' ? openSandbox() : openConfigured());
}

/** Loads the adapter of a model. It sends no request. */
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
