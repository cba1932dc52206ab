/** A generation: one distinct AI image of one account, and its state. */

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

/** Why an execution failed: the answer to requests that waited for it, and to those that come before `notBeforeMs`. */
export type FailureReason = 'content_refused' | 'upstream_unavailable';

export interface Generation {
  readonly key: ImageKey;
  /** 32 hex digits; safe to show, and no secret. */
  readonly imageId: string;
  readonly state: 'IDLE' | 'LEASED' | 'READY' | 'FAILED' | 'ABANDONED';
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
