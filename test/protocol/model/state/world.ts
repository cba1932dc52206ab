/** One global state of the model: the stored items, the participants, and the ghost variables. */

/** `st` of a generation item. An item that does not exist yet is IDLE. */
export const St = { idle: 0, leased: 1, ready: 2, failed: 3, abandoned: 4 } as const;

/**
 * An `op#<id>` attribute. The protocol sees the last three as absent: they say what the entry was when it was removed,
 * which only the invariants may ask.
 */
export const Entry = {
  none: 0,
  pending: 1,
  committed: 2,
  refunded: 3,
  prunedPending: 4,
  prunedCommitted: 5,
  prunedRefunded: 6,
} as const;

/** The remote calls of the protocol, in the order of its table. */
export const Step = {
  acquire: 1,
  reserve: 2,
  claim: 3,
  finalize: 4,
  commit: 5,
  mark: 6,
  fail: 7,
  refund: 8,
  release: 9,
  abandon: 10,
  takeDue: 11,
  pay: 12,
  evict: 13,
} as const;

/** Where a runner stands: at one of the calls above, or at one of these. */
export const At = { done: 0, generate: 14, waiting: 15 } as const;

/** Item G. Operations are numbered from 1 in the order of their ids; 0 stands for "attribute absent". */
export interface Generation {
  st: number;
  ex: number;
  f: number;
  claim: number;
  settled: number;
  due: number;
  /** Number of the charged quota item plus one; 0 when absent. */
  q: number;
  /** Ghost: bit set of the operations that finalized under the present fence. */
  finalizedBy: number;
}

/** Item Q. */
export interface Quota {
  taken: number;
  held: number;
  /** Places among `held` that cost nothing. */
  heldFree: number;
  spent: number;
  wm: number;
  /** `op#` attributes, by operation number minus one. */
  readonly entries: number[];
  /** Ghost: ordinary requests that were charged here. */
  paid: number;
}

/** The executor of an operation: the request itself, or one run of the worker that received it. */
export interface Runner {
  at: number;
  /** Fence learned when the lease was acquired. */
  f: number;
  /** Entries that the settling write will remove, as seen when it was built: a bit set. */
  prune: number;
}

/** The sweeper, which also settles an image that is about to be evicted. `todo` is 0 when it is idle. */
export interface Sweeper {
  todo: number;
  op: number;
  f: number;
  q: number;
  prune: number;
}

/** Where a request stands that found the image READY. */
export const Delivery = { none: 0, takeDue: 1, pay: 2, over: 3 } as const;

/** A request for the finished image. */
export interface DeliveryState {
  at: number;
  /** The execution whose image the request read. */
  op: number;
}

/** Everything that decides what can happen next, the ghosts, and what is said for the trace. */
export interface World {
  readonly generations: Generation[];
  readonly quotas: Quota[];
  readonly runners: Runner[];
  readonly sweeper: Sweeper;
  readonly deliveries: DeliveryState[];
  /** Messages sent and not yet applied, as codes in descending order, padded with zeros. */
  readonly flight: number[];
  /** Ghost, by operation: how often its reserve was applied, how often it finalized, whether its first delivery was free. */
  readonly reserved: number[];
  readonly made: number[];
  readonly freed: number[];
  /** Calendar month (or test hour) by the clock: the number of a quota item. */
  clock: number;
  retries: number;
  crashes: number;
  sweeperCopies: number;
  evictions: number;
  /** Set by a write that breaks an invariant which no single state can show; never part of the encoding. */
  breach: string;
  /** What just happened, for the trace; never part of the encoding. */
  actor: string;
  action: string;
  outcome: string;
}

/** Reads an element that exists by construction. */
export function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
