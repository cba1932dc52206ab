/** The model that the operator chose; each, and its SDK, is loaded only where it draws. */

import type { Clock } from '../../base/clock';
import { type GeneratorSettings, readGeneratorSettings } from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import { type ImageKey, ownershipOf } from '../generation-identity';
import type { Model } from './model';
import type { OpenAiCompatibleDeps } from './openai-compatible';

interface ModelDeps extends OpenAiCompatibleDeps {
  readonly codec: Pick<typeof sharpCodec, 'paint'>;
  readonly clock: Clock;
}

/** Which model draws an image: the sandbox for test keys. */
export type ModelFor = (key: ImageKey) => Promise<Model>;

/** Makes each model once, with the first image that it draws. */
export function createModelFor(configured: GeneratorSettings, deps: ModelDeps): ModelFor {
  const made = new Map<GeneratorSettings, Promise<Model>>();
  const forTests = readGeneratorSettings({ kind: 'sandbox' });
  return (key) => {
    const chosen = ownershipOf(key).mode === 'test' ? forTests : configured;
    const model = made.get(chosen) ?? modelOf(chosen, deps);
    made.set(chosen, model);
    return model;
  };
}

/** Makes no request yet. */
export async function modelOf(settings: GeneratorSettings, deps: ModelDeps): Promise<Model> {
  switch (settings.kind) {
    case 'sandbox':
      return (await import('./sandbox')).sandbox(settings, deps.codec, deps.clock);
    case 'bedrock-stability':
      return (await import('./bedrock-stability')).bedrockStability(settings);
    case 'openai-compatible':
      return (await import('./openai-compatible')).openAiCompatible(settings, deps);
  }
}
