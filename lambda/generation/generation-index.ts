/** The index of generations: who makes which image, and which images are there. */

import type { FailureReason, Generation, Lease, Master } from './generation';
import type { ImageKey } from './generation-identity';

/** What an acquisition writes beside the lease. */
export interface Acquisition {
  readonly key: ImageKey;
  readonly execution: string;
  readonly imageId: string;
  /** Key of the quota item to be charged; absent for a free execution. */
  readonly quotaKey?: string;
  readonly nowMs: number;
  readonly leaseEndsMs: number;
}

export type Acquired =
  /** Held by this execution, by this call or an earlier copy of it. */
  | { readonly outcome: 'leased'; readonly lease: Lease }
  /** Held, finished or failed by another execution. */
  | { readonly outcome: 'taken'; readonly generation: Generation };

/** What `finalize` writes. */
export interface Finished {
  readonly master: Master;
  /** Whether the execution was charged: then the charge is still to be committed and the first delivery is due. */
  readonly charged: boolean;
  /** Makes a public image known for `alt`; absent for private ones. */
  readonly listing?: { readonly similarityKey: string; readonly listedAt: string };
  readonly nowMs: number;
}

/** What `fail` writes. */
export interface Failed {
  readonly why: FailureReason;
  /** Failures in a row, this one included. */
  readonly tries: number;
  readonly notBeforeMs: number;
  readonly nowMs: number;
}

/**
 * Every write is one conditional update, fenced by execution and fence, and repeats itself after a lost answer. All
 * throw when the outcome is still unknown after the last attempt.
 */
export interface GenerationIndex {
  /** Strongly consistent. */
  read(key: ImageKey): Promise<Generation | undefined>;
  acquire(acquisition: Acquisition): Promise<Acquired>;
  /** The generation as claimed; `undefined` when the lease is lost or another run of the same execution has claimed it. */
  claim(lease: Lease, run: string): Promise<Generation | undefined>;
  /** `fenced`: the lease was lost, the image must not be used. */
  finalize(lease: Lease, finished: Finished): Promise<'ready' | 'fenced'>;
  /** Notes that the charge is committed; false when the image has moved on. */
  markSettled(lease: Lease): Promise<boolean>;
  /** `ready`: this very execution had finished, so it must be committed, not refunded. */
  fail(lease: Lease, failure: Failed): Promise<'failed' | 'ready' | 'fenced'>;
  /** Gives the lease back unused (the reservation was denied). */
  release(lease: Lease): Promise<void>;
  /** Takes the lease away from an execution that will be refunded; false when it holds it no more. */
  abandon(lease: Lease): Promise<boolean>;
  /** Gives up a finished image whose master is gone, once its charge is settled; false when it has moved on. */
  markLost(lease: Lease): Promise<boolean>;
  /** Claims the delivery that the generation has paid for; true for exactly one request, however often it asks. */
  takeDelivery(of: Pick<Lease, 'key' | 'execution'>, requestId: string): Promise<boolean>;
  /** Finished public images of a similarity key, oldest first; eventually consistent. */
  publicOf(similarityKey: string, limit: number): Promise<readonly Generation[]>;
  /** Eventually consistent; the generation itself is read strongly. */
  byImageId(imageId: string): Promise<Generation | undefined>;
}
