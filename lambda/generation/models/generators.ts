/** Makes the generator that the operator chose; each adapter and its SDK are loaded only when they are chosen. */

import type { Clock } from '../../base/clock';
import {
  type GeneratorSettings,
  readGeneratorSettings,
  type SettingsOfGenerator,
} from '../../contract/generators';
import type * as sharpCodec from '../../images/sharp/sharp-codec';
import type { DrawServices } from '../draw';
import { ownershipOf } from '../generation-identity';
import type { Generator } from '../generator';
import type { FetchImage } from './openai-compatible';

interface GeneratorDeps {
  readonly codec: Pick<typeof sharpCodec, 'paint'>;
  readonly clock: Clock;
  readonly fetchOriginal: FetchImage;
  /** The key of a name among the provider keys, or `undefined` when there is none. */
  readonly readKey: (name: string) => Promise<string | undefined>;
}

/** Chooses what draws an image, the sandbox for test keys, which is made with the first image that it draws. */
export function createModelFor(configured: GeneratorSettings, deps: GeneratorDeps): DrawServices['modelFor'] {
  const made = new Map<GeneratorSettings, Promise<Generator>>();
  const sandbox = readGeneratorSettings({ kind: 'sandbox' });
  return async (key) => {
    const chosen = ownershipOf(key).mode === 'test' ? sandbox : configured;
    const generator = made.get(chosen) ?? createGenerator(chosen, deps);
    made.set(chosen, generator);
    return { name: chosen.kind, generator: await generator };
  };
}

/** Makes no request yet. */
export async function createGenerator(settings: GeneratorSettings, deps: GeneratorDeps): Promise<Generator> {
  switch (settings.kind) {
    case 'sandbox': {
      const { createSandbox } = await import('./sandbox');
      return createSandbox(settings, deps.codec, deps.clock);
    }
    case 'bedrock-stability':
      return onBedrock(settings, deps.clock);
    case 'openai-compatible': {
      const { createOpenAiCompatible } = await import('./openai-compatible');
      return createOpenAiCompatible(settings, deps);
    }
  }
}

async function onBedrock(
  settings: SettingsOfGenerator<'bedrock-stability'>,
  clock: Clock,
): Promise<Generator> {
  const { connectBedrockRuntime } = await import('./bedrock/runtime');
  const { createBedrockStability } = await import('./bedrock-stability');
  const { region } = settings;
  const client = connectBedrockRuntime(region);
  // A model's life is asked about after a refusal only, and rarely then.
  const readLifecycle = async (modelId: string, nowMs: number) => {
    const { connectBedrock, createReadLifecycle } = await import('./bedrock/lifecycle');
    return createReadLifecycle(connectBedrock(region))(modelId, nowMs);
  };
  return createBedrockStability(settings, { client, readLifecycle, clock });
}
