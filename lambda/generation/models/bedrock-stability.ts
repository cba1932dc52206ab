/** The generator by Stability AI's models on Amazon Bedrock. */

import { type BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import type { Clock } from '../../base/clock';
import type { SettingsOfGenerator } from '../../contract/generators';
import { aspectBuckets } from '../generation-identity';
import { type Drawn, type Generator, GeneratorFailure, type GeneratorRequest } from '../generator';
import { noAnswer, withAttempts } from './attempts';
import { bedrockFaultOf, failureOf } from './bedrock/failure';
import type { Lifecycle, ReadLifecycle } from './bedrock/lifecycle';
import { readStabilityAnswer, stabilityModelOf, stabilityRequest } from './bedrock/stability-model';

interface BedrockStabilityDeps {
  /** Of the settings' region; built with `maxAttempts: 1`. */
  readonly client: BedrockRuntimeClient;
  /** Asked when Bedrock does not know the model, to tell why. */
  readonly readLifecycle: ReadLifecycle;
  readonly clock: Clock;
}

/** Asks at most three times within `timeoutMs`, and without a negative prompt where the model takes none. */
export function createBedrockStability(
  { modelId, timeoutMs }: SettingsOfGenerator<'bedrock-stability'>,
  { client, readLifecycle, clock }: BedrockStabilityDeps,
): Generator {
  const model = stabilityModelOf(modelId);
  let takesNegativePrompt = true;

  const invoke = async (wanted: GeneratorRequest, signal: AbortSignal): Promise<Drawn> => {
    const sendsNegativePrompt = takesNegativePrompt && wanted.negativePrompt !== undefined;
    const command = new InvokeModelCommand({
      modelId,
      contentType: 'application/json',
      accept: 'application/json',
      body: JSON.stringify(stabilityRequest(wanted, model, sendsNegativePrompt)),
    });
    let body: string;
    try {
      body = (await client.send(command, { abortSignal: signal })).body.transformToString();
    } catch (error) {
      const fault = bedrockFaultOf(error);
      if (!fault) throw noAnswer('Bedrock', signal, error);
      if (fault.kind === 'refused') return { outcome: 'refused', reason: 'content filter' };
      if (fault.kind === 'invalid' && sendsNegativePrompt) {
        const { negativePrompt: _, ...rest } = wanted;
        const drawn = await invoke(rest, signal);
        // Only now is it known that the field was what the model does not take.
        takesNegativePrompt = false;
        return drawn;
      }
      if (fault.kind !== 'unknown_model') throw failureOf(fault, error);
      throw absence(modelId, await readLifecycle(modelId, clock.nowMs()), error);
    }
    return readStabilityAnswer(body, modelId);
  };

  return {
    capability: {
      imageToImage: model.strength !== undefined,
      seedMax: model.seedMax,
      aspectRatios: aspectBuckets,
    },
    generate: (wanted, signal) => {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return withAttempts(clock, inTime, () => invoke(wanted, inTime));
    },
  };
}

/** What it means that Bedrock would not run a model, by what it says about the model's life. */
function absence(modelId: string, lifecycle: Lifecycle, cause: unknown): GeneratorFailure {
  switch (lifecycle) {
    case 'active':
    case 'unknown':
      return new GeneratorFailure('not_activated', `This account cannot use ${modelId} (yet)`, { cause });
    case 'legacy':
      return new GeneratorFailure('legacy', `${modelId} is being retired and closed to this account`, {
        cause,
      });
    default:
      return new GeneratorFailure('end_of_life', `${modelId} does not exist, or not any more`, { cause });
  }
}
