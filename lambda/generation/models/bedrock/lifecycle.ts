/** Asks Bedrock for the lifecycle status of a model. */

import { BedrockClient, GetFoundationModelCommand } from '@aws-sdk/client-bedrock';
import { modelLifecycleTimeoutMs } from '../../../contract/timeouts';

/** `unknown`: Bedrock could not be asked, which says nothing about the model. `absent`: it knows no such model. */
export type Lifecycle = 'active' | 'legacy' | 'end_of_life' | 'absent' | 'unknown';

/** Never throws. @param nowMs decides whether a model's end has come */
export type ReadLifecycle = (modelId: string, nowMs: number) => Promise<Lifecycle>;

/** @param client of the region where the model is; built with `maxAttempts: 1` */
export function createReadLifecycle(client: BedrockClient): ReadLifecycle {
  return async (modelId, nowMs) => {
    try {
      const { modelDetails } = await client.send(
        new GetFoundationModelCommand({ modelIdentifier: modelId }),
        {
          abortSignal: AbortSignal.timeout(modelLifecycleTimeoutMs),
        },
      );
      const lifecycle = modelDetails?.modelLifecycle;
      if (lifecycle?.endOfLifeTime && lifecycle.endOfLifeTime.getTime() <= nowMs) return 'end_of_life';
      return lifecycle?.status === 'LEGACY' ? 'legacy' : 'active';
    } catch (error) {
      const { name } = error as { readonly name?: string };
      return name === 'ResourceNotFoundException' || name === 'ValidationException' ? 'absent' : 'unknown';
    }
  };
}

/** A client for lifecycle questions alone. */
export function connectBedrock(region: string): BedrockClient {
  return new BedrockClient({ region, maxAttempts: 1 });
}
