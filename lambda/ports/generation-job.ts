/** What the request's side hands to the generator function. Plain JSON: it crosses from one function to another. */

import type { Lease } from '../domain/generation/generation';
import type { DrawingOrder } from '../domain/generation/generation-identity';
import type { Operation } from '../domain/quota/charge';

export interface GenerationJob {
  readonly lease: Lease;
  readonly order: DrawingOrder;
  /** The reserved charge; absent for a free execution. */
  readonly charge?: Operation & { readonly prunable: readonly string[] };
  /** Under which the finished image is listed for `alt`; absent for private ones. */
  readonly look?: string;
  /** Path of the base image's master, for a variation. */
  readonly basePath?: string;
}

/** Hands jobs to the generator function. */
export interface GeneratorQueue {
  /** Resolves once the job is accepted. @throws when it was not, or nobody knows. */
  handOver(job: GenerationJob): Promise<void>;
}
