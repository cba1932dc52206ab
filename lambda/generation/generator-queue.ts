/** The message from a request to the generator function: one image to be made. */

import type { LibraryPath } from '../images/library-path';
import type { Limit } from '../quota/limit';
import type { Unit } from '../quota/take';
import type { DrawingOrder, ImageKey } from './generation-identity';

/** One image to be made, by an execution that holds it already. Plain JSON. */
export interface GenerationJob {
  readonly key: ImageKey;
  readonly execution: string;
  readonly order: DrawingOrder;
  /** What has counted it: given back there where the model says that it made nothing. */
  readonly counted: readonly Unit[];
  /** What a prompt that the model refuses is counted in. */
  readonly workLimits: readonly Limit[];
  /** Failures in a row before this execution. */
  readonly tries: number;
  /** Of a public image: under which `alt` finds it. */
  readonly look?: string;
  /** Master of the base image, for a variation. */
  readonly basePath?: LibraryPath;
}

/** Starts the generator function. */
export interface GeneratorQueue {
  /** Resolves once Lambda has accepted the job. @throws when it was refused, and when it is not known whether it was accepted */
  handOver(job: GenerationJob): Promise<void>;
}
