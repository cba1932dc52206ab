/** Hands jobs to the generator function. */

import type { GenerationJob } from '../contract/messages/generation-job';

export interface GeneratorQueue {
  /** Resolves once the job is accepted. @throws when it was not, or when that is not known. */
  handOver(job: GenerationJob): Promise<void>;
}
