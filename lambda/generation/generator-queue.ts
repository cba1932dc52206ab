/** Hands jobs to the generator function. */

import type { GenerationJob } from './generation-job';

/** The job was refused before anything of it began, because the generator has too much to do. */
export class GeneratorBusy extends Error {
  override readonly name = 'GeneratorBusy';
}

export interface GeneratorQueue {
  /** Resolves once the job is accepted. @throws `GeneratorBusy` when it was refused, another error when it is not known whether it was accepted. */
  handOver(job: GenerationJob): Promise<void>;
}
