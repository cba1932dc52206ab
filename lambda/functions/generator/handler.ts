/** The generator function: makes one image for which a request holds the lease. */

import type { GenerationJob } from '../../contract/messages/generation-job';
import { readGenerationJob } from '../../contract/messages/generation-job';
import type { Clock } from '../../ports/clock';
import type { Telemetry } from '../../ports/telemetry';
import type { RunGeneration } from '../../usecases/generation/run-generation';

/** The part of Lambda's context that is used. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

export interface GeneratorDeps {
  readonly run: RunGeneration;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type GeneratorHandler = (event: unknown, context: InvocationContext) => Promise<void>;

/** Throws what it could not finish, after logging it: Lambda counts the error, and the sweeper finishes the job. */
export function createHandler({ run, clock, telemetry }: GeneratorDeps): GeneratorHandler {
  return async (event, context) => {
    try {
      const job: GenerationJob = readGenerationJob(event);
      await run(job, clock.nowMs() + context.getRemainingTimeInMillis());
    } catch (error) {
      telemetry.error('A generation was left unfinished', error);
      throw error;
    }
  };
}
