/** The configurations whose state space is explored: the participants, and the number of faults. */

/** One execution and what it is for. */
export interface OperationSetting {
  /** Quota item that the operation's id names: the month (or test hour) of its time. */
  readonly quota: number;
  readonly generation: number;
  /** A variation whose base exists: charged nothing. */
  readonly free?: boolean;
  /** Carried out by a worker, whose event arrives twice. */
  readonly handedOff?: boolean;
  /** The generator refuses: every attempt ends in an error. */
  readonly refused?: boolean;
}

/** One quota item. */
export interface QuotaSetting {
  readonly limit: number;
  /** How many operations may be pending at once. */
  readonly cap: number;
}

/** One setting. Counts are budgets for a whole run of the system. */
export interface Configuration {
  readonly name: string;
  readonly about: string;
  readonly operations: readonly OperationSetting[];
  readonly quotas: readonly QuotaSetting[];
  readonly generations: number;
  /** Calls whose answer is lost and that are sent again while the first copy may still be on its way. */
  readonly retries: number;
  /** Runners that die, their last message still on its way. */
  readonly crashes: number;
  /** Sweeper writes that are sent and applied at some later time, beside those of later sweeps. */
  readonly sweeperCopies: number;
  /** Times that the sweeper begins to close an item. */
  readonly closings: number;
  readonly evictions: number;
  readonly prune: boolean;
  /** The calendar moves from quota item 0 to item 1 at any moment. */
  readonly rollover: boolean;
  /** Requests that come for the finished image of generation 0. */
  readonly deliveries: number;
  /** Item that those requests pay from. */
  readonly deliveryQuota: number;
}

const op: OperationSetting = { quota: 0, generation: 0 };
const one: QuotaSetting = { limit: 1, cap: 9 };
const two: QuotaSetting = { limit: 2, cap: 9 };
const quiet = {
  operations: [op, op],
  quotas: [one],
  generations: 1,
  retries: 0,
  crashes: 0,
  sweeperCopies: 0,
  closings: 0,
  evictions: 0,
  prune: false,
  rollover: false,
  deliveries: 0,
  deliveryQuota: 0,
};

/** Builds a configuration from what differs from two operations of one account, limit 1, where nothing goes wrong. */
export function configuration(
  name: string,
  about: string,
  setting: Partial<Omit<Configuration, 'name' | 'about'>>,
): Configuration {
  return { name, about, ...quiet, ...setting };
}

const later: OperationSetting = { quota: 1, generation: 0 };
const free: OperationSetting = { quota: 0, generation: 0, free: true };

/** The configurations of the full run, one line each in its table. */
export const fullConfigurations: readonly Configuration[] = [
  configuration('A', '2 operations, one account, limit 1', {
    retries: 2,
    crashes: 2,
    evictions: 1,
    prune: true,
  }),
  configuration('B', '2 operations, two quota items, limit 1 each', {
    operations: [op, later],
    quotas: [one, one],
    retries: 2,
    crashes: 2,
    evictions: 1,
    prune: true,
  }),
  configuration('C', '2 operations, one account, limit 2, duplicated sweeper write', {
    quotas: [two],
    retries: 1,
    crashes: 2,
    sweeperCopies: 1,
  }),
  configuration('G', '2 operations, limit 2: closes, a lost answer, a crash, duplicated sweeper write', {
    quotas: [two],
    retries: 1,
    crashes: 1,
    sweeperCopies: 1,
    closings: 2,
  }),
  configuration('H', 'an event delivered twice, and a competing operation', {
    operations: [{ ...op, handedOff: true }, op],
    retries: 1,
    crashes: 2,
    sweeperCopies: 1,
  }),
  configuration('F', '3 operations, one account, limit 2', {
    operations: [op, op, op],
    quotas: [two],
    crashes: 1,
  }),
  configuration('K', '3 operations, two quota items', {
    operations: [op, op, later],
    quotas: [one, one],
    crashes: 1,
    evictions: 1,
  }),
  configuration('P', '3 operations, pruning while late copies arrive', {
    operations: [op, op, op],
    quotas: [{ limit: 3, cap: 9 }],
    retries: 1,
    prune: true,
  }),
  configuration('Q', '3 operations on three images, at most 2 pending at once', {
    operations: [op, { quota: 0, generation: 1 }, { quota: 0, generation: 2 }],
    quotas: [{ limit: 3, cap: 2 }],
    generations: 3,
    crashes: 1,
  }),
  configuration('D', 'first delivery: 2 executions, 3 requests for the image', {
    quotas: [{ limit: 4, cap: 9 }],
    retries: 1,
    crashes: 1,
    evictions: 1,
    deliveries: 3,
  }),
  configuration('V', 'a free execution beside a charged one, 2 requests for the image', {
    operations: [free, op],
    quotas: [{ limit: 3, cap: 9 }],
    retries: 2,
    crashes: 1,
    sweeperCopies: 1,
    evictions: 1,
    deliveries: 2,
  }),
  configuration('R', 'the month ends between any two steps', {
    operations: [op, later],
    quotas: [one, one],
    retries: 1,
    crashes: 2,
    sweeperCopies: 1,
    evictions: 1,
    rollover: true,
  }),
  configuration('T', 'a test key across two hours, beside a live key', {
    operations: [
      { quota: 0, generation: 0 },
      { quota: 1, generation: 1 },
      { quota: 2, generation: 1 },
    ],
    quotas: [one, one, one],
    generations: 2,
    crashes: 1,
    evictions: 1,
  }),
  configuration('L', '2 operations, limit 2, everything that can go wrong', {
    quotas: [two],
    retries: 1,
    crashes: 2,
    sweeperCopies: 1,
    evictions: 2,
    prune: true,
  }),
  configuration('E', '3 operations, a lost answer, a crash, pruning', {
    operations: [op, op, op],
    quotas: [two],
    retries: 1,
    crashes: 1,
    prune: true,
  }),
];
