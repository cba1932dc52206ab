/** The generator function: makes one image that a request has acquired. */

import type { Ids } from '../../base/clock';
import { deadlineAt } from '../../base/deadline';
import { type GenerateServices, generate } from '../../generation/generate';
import type { GenerationJob } from '../../generation/generator-queue';

/** The part of Lambda's context that is used. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

type GeneratorServices = Omit<GenerateServices, 'deadline'> & { readonly ids: Pick<Ids, 'hex'> };

/** Throws what it could not finish, after logging it: Lambda counts the error, and the lease of the image ends by itself. */
export function createHandler(services: GeneratorServices) {
  const { clock, ids, telemetry } = services;
  return async (event: unknown, context: InvocationContext): Promise<void> => {
    // Requests of this service alone may invoke it.
    const job = event as GenerationJob;
    const endsMs = clock.nowMs() + context.getRemainingTimeInMillis();
    try {
      await generate({ ...services, deadline: deadlineAt(endsMs) }, job, ids.hex(8), endsMs);
    } catch (error) {
      telemetry.error('A generation was left unfinished', error);
      throw error;
    }
  };
}
