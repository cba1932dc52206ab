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

/** The remote calls of the protocol, in the order of its table; `withdraw` is the refund of a place that got no unit. */
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
  grant: 14,
  withdraw: 15,
  giveBack: 16,
  unlist: 17,
} as const;

/** Where a runner stands: at one of the calls above, or at one of these. */
export const At = { done: 0, generate: 30, waiting: 31 } as const;

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

/** The two items of a quota: the counter, and the reservations that units are granted to. */
export interface Quota {
  /** Counter: units that are charged or granted. */
  taken: number;
  /** Counter: units ever granted, and ever given back. */
  granted: number;
  returned: number;
  /** Counter: its watermark, at and below which no operation is granted a unit. */
  floor: number;
  /** Reservations: places that pending operations hold. */
  held: number;
  /** Places among `held` that cost nothing. */
  heldFree: number;
  /** Reservations: units of committed operations. */
  spent: number;
  wm: number;
  /** Reservations: whether the sweeper's index lists the item, 0 or 1. */
  listed: number;
  /** Reservations: how many were ever made. */
  begun: number;
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
  /** While it closes the item: what it has read of the counter, then what it will give back and write. */
  granted: number;
  returned: number;
  surplus: number;
  floor: number;
  begun: number;
}

/** What the sweeper does between its reads of the counter and of the reservations. */
export const closing = 29;

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
  /** Ghost, by operation: whether its executor knows that a unit was granted. */
  readonly funded: number[];
  /** Calendar month (or test hour) by the clock: the number of a quota item. */
  clock: number;
  retries: number;
  crashes: number;
  sweeperCopies: number;
  closings: number;
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

/** Units that operations of an item hold or have spent. */
export function ownedOf(q: Quota): number {
  return q.held - q.heldFree + q.spent;
}

/** A sweeper that looks for work. */
export function restingSweeper(): Sweeper {
  return {
    todo: 0,
    op: 0,
    f: 0,
    q: 0,
    prune: 0,
    granted: 0,
    returned: 0,
    surplus: 0,
    floor: 0,
    begun: 0,
  };
}
