/** Settings under which a missing guard soon causes a violation, which random settings may take thousands of seeds to find. */

const anHour = 3_600_000;
/** Reservations come again minutes later, when their entries are pruned. */
export const belatedCopies = {
  isCalm: false,
  faultRate: 0.15,
  kinds: ['copy'],
  lateMaxMs: 200_000,
  gapMaxMs: 40_000,
  words: 8,
  limit: 12,
} as const;
/** Leases are taken away while runs are at work, and acquisitions come again. */
export const earlySweeps = {
  isCalm: false,
  faultRate: 0.3,
  kinds: ['copy'],
  lateMaxMs: 3_000,
  sweepsAheadMs: anHour,
  sweepEveryMs: 700,
  drawMaxMs: 9_000,
  drawFailureRate: 0,
  gapMaxMs: 400,
} as const;
/** Clocks are so far apart that each instance would prune something else. */
export const clocksApart = {
  faultRate: 0,
  isCalm: false,
  skewMaxMs: 100_000,
  requests: 12,
  gapMaxMs: 40_000,
  words: 8,
  limit: 12,
  cap: 6,
  drawMaxMs: 50_000,
  drawFailureRate: 0,
} as const;
/** Nothing goes wrong, and many want the same. */
export const rush = {
  isCalm: true,
  faultRate: 0,
  skewMaxMs: 0,
  clocksJump: false,
  indexLags: false,
  eventLossRate: 0,
  sweepsAheadMs: 0,
  gapMaxMs: 5,
  words: 1,
} as const;
