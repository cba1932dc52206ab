/** Time and randomness, given from outside so that a test decides both. */

/** The present moment, pauses that a signal can end, and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after a delay in milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after a delay in milliseconds; returns what cancels that. */
  after(delayMs: number, act: () => void): () => void;
}

/** Sources of ids that nobody can guess. */
export interface Ids {
  /** A new ULID of the given moment: sortable by time, 80 random bits. */
  ulid(nowMs: number): string;
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
  /** Lower-case hex of `bytes` random bytes. */
  hex(bytes: number): string;
}
