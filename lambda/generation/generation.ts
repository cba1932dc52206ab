/** A generation, one distinct AI image of one account, and the index of all of them: who makes which, and which are there. */

import type { LibraryPath } from '../images/library-path';
import type { Size } from '../requests/rendition';
import type { ImageKey } from './generation-identity';

/** Where a finished master lies, what made it, and its own size, which masters from before it was recorded lack. */
export interface Master extends Partial<Size> {
  /** Path in the image library; contains the execution, so it is never written twice. */
  readonly path: LibraryPath;
  /** The model that drew it. */
  readonly model: string;
}

/**
 * Why an execution failed: the answer to requests that waited for it, and to those that come before `notBeforeMs`.
 * `not_started`: the generator function may not have been given the job, and no model was asked.
 */
export type FailureReason = 'content_refused' | 'upstream_unavailable' | 'not_started';

/** A generation as it is stored. */
export interface Generation {
  readonly key: ImageKey;
  /** 32 hex digits; safe to show, and no secret. */
  readonly imageId: string;
  /** `REMOVED`: taken down by the operator, for good. */
  readonly state: 'IDLE' | 'LEASED' | 'READY' | 'FAILED' | 'ABANDONED' | 'REMOVED';
  /** ULID of the execution that holds it or has produced it. */
  readonly execution: string;
  /** Grows by one with each acquisition. */
  readonly fence: number;
  /** Whether the charge is known to be committed. */
  readonly settled: boolean;
  /** Key of the item of reservations that holds the charge; absent for a free execution. */
  readonly quotaKey?: string;
  /** Whether the first delivery, which the generation has paid for, is still to be had. */
  readonly due: boolean;
  readonly failure?: FailureReason;
  /** Failures in a row. */
  readonly tries: number;
  /** Moment (epoch, milliseconds) before which a failed generation is not tried again. */
  readonly notBeforeMs?: number;
  /** Moment (epoch, milliseconds) after which a lease may be taken over. */
  readonly leaseEndsMs?: number;
  /** Whether a run of the execution has begun. A hint for those that wait: no write depends on it. */
  readonly isStarted?: true;
  /** Present when READY. */
  readonly master?: Master;
}

/** Names one execution under one acquisition; every later write of it is fenced by both. */
export interface Lease {
  readonly key: ImageKey;
  readonly execution: string;
  readonly fence: number;
}

/** How long an item without an image is kept after its last touch: late messages must still find its fence. */
export const generationKeptMs = 7 * 86_400_000;

/** First pause after a failure, in milliseconds, doubled with each further one. */
const retryPauseMs = 5_000;
const retryPauseMaxMs = 300_000;
/** A refusal by the safety filter is the same tomorrow; an hour spares its cost, in milliseconds. */
const refusalPauseMs = 3_600_000;

/** How long to leave a failed generation alone, in milliseconds. */
export function pauseAfter(failure: FailureReason, tries: number): number {
  if (failure === 'content_refused') return refusalPauseMs;
  return Math.min(retryPauseMaxMs, retryPauseMs * 2 ** Math.min(tries, 10));
}

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

type Acquired =
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
  /**
   * `failed` to the one that has ended the lease, however often it asks; `ready`: this very execution had finished, so it
   * must be committed, not refunded.
   */
  fail(lease: Lease, failure: Failed): Promise<'failed' | 'ready' | 'fenced'>;
  /** Gives the lease back unused (the reservation was denied). */
  release(lease: Lease): Promise<void>;
  /** Takes the lease away from an execution that will be refunded; false when it holds it no more. */
  abandon(lease: Lease): Promise<boolean>;
  /** Gives up a finished image whose master is gone, once its charge is settled; false when it has moved on. */
  markLost(lease: Lease): Promise<boolean>;
  /** Takes an image down for good, in whatever state it is; false while an execution makes it. */
  remove(key: ImageKey): Promise<boolean>;
  /** Claims the delivery that the generation has paid for; true for exactly one request, however often it asks. */
  takeDelivery(of: Pick<Lease, 'key' | 'execution'>, requestId: string): Promise<boolean>;
  /** Finished public images of a similarity key, oldest first; eventually consistent. */
  publicOf(similarityKey: string, limit: number): Promise<readonly Generation[]>;
  /** Eventually consistent; the generation itself is read strongly. */
  byImageId(imageId: string): Promise<Generation | undefined>;
}
