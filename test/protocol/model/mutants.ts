/** The design with single guards removed, and the violation that each removal causes. */
import { type Configuration, configuration } from './configurations';
import type { Rule } from './rules';
import { small } from './small-configurations';

/** One mutant and what is expected of it. */
export interface Mutant {
  readonly name: string;
  readonly missing: readonly Rule[];
  /** The smallest configuration that shows it; for a redundant guard, one that would. */
  readonly on: Configuration;
  /** Beginning of the violation's text; absent where the guard is redundant. */
  readonly breaks?: string;
  /** Why nothing goes wrong. */
  readonly because?: string;
}

/** Too large to be explored to its end with every guard in place; the full configuration P contains it. */
const pruneFinished = configuration('prune finished', 'pruning among 3 operations', {
  operations: small.plain.operations.concat(small.single.operations),
  quotas: [{ limit: 3, cap: 9 }],
  prune: true,
});

type Caught = readonly [name: string, on: Configuration, breaks: string, ...missing: Rule[]];

const caught: readonly Caught[] = [
  // Ways in
  ['acquire takes a READY item', small.plain, 'alarm', 'acquireSparesReady'],
  ['acquire keeps the old fence', small.lost, 'I3', 'acquireRaisesFence'],
  ['reserve before acquire', small.plain, 'I3', 'acquireBeforeReserve'],
  ['M2 reserve is a plain ADD', small.lost, 'I2', 'reserveOnce'],
  ['reserve ignores the watermark', small.prune, 'I2', 'reserveAboveWatermark'],
  ['a unit is granted beyond the limit', small.plain, 'I1', 'grantLimit'],
  ['a unit is granted before its place is reserved', small.closeCrash, 'U2', 'grantAfterReserve'],
  ['a unit is granted to what is closed', small.closeLost, 'U2', 'grantAboveFloor'],
  ['a unit is given back twice', small.closeCopies, 'I1', 'giveBackOnce'],
  ['a close reads the reservations first', small.closeLost, 'U1', 'closeReadsCounterFirst'],
  ['a close overlooks a unit granted meanwhile', small.close, 'U2', 'closeAsRead'],
  ['a close leaves the counter open', small.closeLost, 'U2', 'closeRaisesFloor'],
  ['a stale close lowers the counter’s watermark', small.closeStale, 'U2', 'floorOnlyRises'],
  ['an item is unlisted that holds places', small.close, 'U2', 'unlistEmpty'],
  ['an item is unlisted that has changed', small.closeLost, 'U2', 'unlistAsRead'],
  ['an item is unlisted before it is balanced', small.closeCrash, 'U2', 'unlistBalanced'],
  ['reserve ignores the cap', small.cap, 'cap', 'reserveCap'],
  ['a refused reserve passes for done', pruneFinished, 'I3', 'reserveRefusedWhenSettled'],
  ['reserve goes to the current month', small.rollover, 'U1', 'reserveItemOfId'],
  ['a test key spends the live item', small.test, 'I3', 'testHasItsOwnItem'],
  // Finalize and settle
  ['M4 finalize checks only LEASED', small.plain, 'I3', 'finalizeEx', 'finalizeFence'],
  ['M5 finalize checks ex but no fence', small.lost, 'I3', 'finalizeFence'],
  ['finalize does not check LEASED', small.plain, 'I3', 'finalizeLeased'],
  ['finalize does not check LEASED, one operation', small.single, 'I6', 'finalizeLeased'],
  ['M6 commit before finalize', small.plain, 'I4', 'finalizeBeforeCommit'],
  ['commit does not check P', small.plain, 'I1', 'commitPending'],
  ['commit goes to the current month', small.rollover, 'alarm', 'commitItemOfId'],
  ['refund does not check P', small.plain, 'I1', 'refundPending'],
  ['refund goes to the current month', small.rollover, 'alarm', 'refundItemOfId'],
  ['M3 settle deletes the entry', small.lost, 'I2', 'settleKeepsTombstone'],
  ['pruning leaves the watermark', small.prune, 'alarm', 'pruneRaisesWatermark'],
  ['a stale settle lowers the watermark', small.pruneThree, 'alarm', 'watermarkOnlyRises'],
  ['pruning removes pending entries', small.prune, 'L1', 'pruneOnlySettled'],
  ['no settle without pruning', small.pruneThree, 'L1', 'settleWithoutPruning'],
  ['mark checks neither ex nor fence', small.evictTwice, 'alarm', 'markEx', 'markFence'],
  ['nothing clears settled', small.evictTwice, 'alarm', 'acquireClearsSettled', 'finalizeClearsSettled'],
  // Ways out
  ['M10 + M11', small.handOff, 'I3', 'claimExclusive', 'failSeesReadyMine'],
  ['claim not exclusive, fail checks no LEASED', small.handOff, 'alarm', 'claimExclusive', 'failLeased'],
  ['claim not exclusive, refund before fail', small.handOff, 'I3', 'claimExclusive', 'failBeforeRefund'],
  ['fail checks nothing', small.close, 'alarm', 'failLeased', 'failEx', 'failFence'],
  ['release checks nothing', small.plain, 'alarm', 'releaseLeased', 'releaseEx', 'releaseFence'],
  ['M8 evict before settled', small.evict, 'I5', 'evictSettled'],
  // Sweeper
  ['M1 sweeper refunds without fencing', small.plain, 'I3', 'sweeperFencesFirst'],
  ['sweeper refunds what is READY', small.plain, 'I3', 'sweeperCommitsReady'],
  ['sweeper does not ask whose READY it is', small.lost, 'I4', 'sweeperSeesWhose'],
  ['sweeper does not read again', small.plain, 'I3', 'sweeperReadsAgain'],
  ['abandon does not check LEASED', small.plain, 'alarm', 'abandonLeased'],
  // Free executions, first delivery, ordinary requests
  ['a free execution costs a unit', small.free, 'I5', 'freeCostsNothing'],
  ['a free execution leaves its place counted as free', small.free, 'I1', 'freeLeavesHeldFree'],
  ['a free place that was given up one way alarms the other', small.free, 'alarm', 'freeSettlesEitherWay'],
  ['a free execution ends unsettled', small.free, 'alarm', 'freeFinalizesSettled'],
  ['a free execution sets due', small.free, 'D1', 'dueOnlyWhenCharged'],
  ['due is removed unconditionally', small.due, 'D1', 'dueTakenOnce'],
  ['due of another execution is removed', small.due, 'D2', 'dueNamesExecution'],
  ['an unknown removal of due is asked again', small.due, 'D2', 'dueUnknownIsFree'],
  ['an ordinary request ignores the limit', small.pay, 'I1', 'payLimit'],
];

type Redundant = readonly [name: string, on: Configuration, because: string, ...missing: Rule[]];

const fenceNames = 'a fence belongs to one acquire, so the other half of the check says the same';
const leaseOnly =
  'it can only end a lease, whose holder is then fenced and refunds: a lost image, no lost charge';

const redundant: readonly Redundant[] = [
  [
    'M10 claim not exclusive',
    small.handOffBeside,
    'fail sees READY(me) and goes on to commit',
    'claimExclusive',
  ],
  [
    'M11 fail ignores READY(me)',
    small.handOffBeside,
    'claim lets one run make the image',
    'failSeesReadyMine',
  ],
  ['fail does not check LEASED', small.handOffBeside, 'claim lets one run make the image', 'failLeased'],
  ['refund before fail', small.handOffBeside, 'claim lets one run make the image', 'failBeforeRefund'],
  ['claim does not check the lease', small.handOffBeside, 'finalize checks it', 'claimLease'],
  [
    'acquire keeps the old claim',
    small.handOffBeside,
    'no run can claim: no image, no charge',
    'acquireClearsClaim',
  ],
  ['acquire takes its own lease again', small.lostAndCrash, leaseOnly, 'acquireExNotMe'],
  [
    'acquire does not await expiry',
    small.lostAndCrash,
    'expiry may come at any time anyway',
    'acquireAwaitsExpiry',
  ],
  ['acquire leaves settled', small.evictTwice, 'finalize clears it', 'acquireClearsSettled'],
  ['finalize leaves settled', small.evictTwice, 'acquire cleared it', 'finalizeClearsSettled'],
  ['finalize does not check ex', small.lostAndCrash, fenceNames, 'finalizeEx'],
  ['mark does not check ex', small.evictTwice, fenceNames, 'markEx'],
  ['mark does not check the fence', small.evictTwice, fenceNames, 'markFence'],
  ['mark does not check READY', small.evictTwice, 'acquire and finalize clear settled', 'markReady'],
  ['fail checks only LEASED', small.lostAndCrash, leaseOnly, 'failEx', 'failFence'],
  ['release checks only LEASED', small.plain, leaseOnly, 'releaseEx', 'releaseFence'],
  [
    'release does not check LEASED',
    small.plain,
    'no execution finalizes before it reserves',
    'releaseLeased',
  ],
  ['abandon checks only LEASED', small.copies, leaseOnly, 'abandonEx', 'abandonFence'],
];

/** Every mutant; those without `breaks` are guards that another one backs up. */
export const mutants: readonly Mutant[] = [
  ...caught.map(([name, on, breaks, ...missing]) => ({ name, on, breaks, missing })),
  ...redundant.map(([name, on, because, ...missing]) => ({ name, on, because, missing })),
];
