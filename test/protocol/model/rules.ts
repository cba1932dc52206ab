/** Every guard of the design by name, so that each can be removed alone. */

/** The design: every guard in place. A mutant is this with one or two of them false. */
export const design = {
  acquireBeforeReserve: true,
  acquireSparesReady: true,
  acquireExNotMe: true,
  acquireAwaitsExpiry: true,
  acquireRaisesFence: true,
  acquireClearsSettled: true,
  acquireClearsClaim: true,
  reserveOnce: true,
  reserveAboveWatermark: true,
  reserveCap: true,
  reserveItemOfId: true,
  reserveRefusedWhenSettled: true,
  testHasItsOwnItem: true,
  grantAfterReserve: true,
  grantLimit: true,
  grantAboveFloor: true,
  giveBackOnce: true,
  closeReadsCounterFirst: true,
  closeAsRead: true,
  closeRaisesFloor: true,
  floorOnlyRises: true,
  unlistEmpty: true,
  unlistAsRead: true,
  unlistBalanced: true,
  claimLease: true,
  claimExclusive: true,
  finalizeLeased: true,
  finalizeEx: true,
  finalizeFence: true,
  finalizeClearsSettled: true,
  finalizeBeforeCommit: true,
  commitPending: true,
  commitItemOfId: true,
  refundPending: true,
  refundItemOfId: true,
  settleKeepsTombstone: true,
  pruneRaisesWatermark: true,
  watermarkOnlyRises: true,
  pruneOnlySettled: true,
  settleWithoutPruning: true,
  markReady: true,
  markEx: true,
  markFence: true,
  failLeased: true,
  failEx: true,
  failFence: true,
  failSeesReadyMine: true,
  releaseLeased: true,
  releaseEx: true,
  releaseFence: true,
  failBeforeRefund: true,
  sweeperCommitsReady: true,
  sweeperSeesWhose: true,
  sweeperFencesFirst: true,
  sweeperReadsAgain: true,
  abandonLeased: true,
  abandonEx: true,
  abandonFence: true,
  evictSettled: true,
  freeCostsNothing: true,
  freeLeavesHeldFree: true,
  freeSettlesEitherWay: true,
  freeFinalizesSettled: true,
  dueOnlyWhenCharged: true,
  dueTakenOnce: true,
  dueNamesExecution: true,
  dueUnknownIsFree: true,
  payLimit: true,
};

/** Name of a guard. */
export type Rule = keyof typeof design;
/** Which guards are in place. */
export type Rules = { readonly [K in Rule]: boolean };

/** The design without the given guards. */
export function without(...missing: readonly Rule[]): Rules {
  const rules = { ...design };
  for (const rule of missing) rules[rule] = false;
  return rules;
}

/** A guard's condition: counts only while the guard is in place. */
export function guard(inPlace: boolean, holds: boolean): boolean {
  return !inPlace || holds;
}
