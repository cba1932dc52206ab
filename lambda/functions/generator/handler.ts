/** The generator function: makes one image for which a request holds the lease. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import type { GenerationJob } from '../../generation/generation-job';
import { readGenerationJob } from '../../generation/generation-job';
import type { RunGeneration } from '../../generation/run-generation';

/** The part of Lambda's context that is used. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

interface GeneratorDeps {
  readonly run: RunGeneration;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type GeneratorHandler = (event: unknown, context: InvocationContext) => Promise<void>;

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
