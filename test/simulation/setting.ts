/** The setting of a seed: kinds and rates of faults, limits, and the time of the month. */

import type { Fault } from './kernel/network';
import type { Random } from './kernel/random';

export interface Setting {
  readonly startMs: number;
  /** How often a message suffers something, 0 to 1. */
  readonly faultRate: number;
  readonly kinds: readonly Fault['kind'][];
  /** Longest delay of a late message, in milliseconds. */
  readonly lateMaxMs: number;
  /** Longest standstill of an actor, in milliseconds. */
  readonly pauseMaxMs: number;
  /** How far clocks are apart, in milliseconds. */
  readonly skewMaxMs: number;
  /** Whether clocks jump by as much again while they run. */
  readonly clocksJump: boolean;
  /** How far the sweeper looks beyond its time, in milliseconds. */
  readonly sweepsAheadMs: number;
  readonly sweepEveryMs: number;
  /** Whether index reads show the past. */
  readonly indexLags: boolean;
  /** How often the generator refuses or fails, 0 to 1. */
  readonly drawFailureRate: number;
  readonly drawMaxMs: number;
  /** How often an event to the generator is lost, 0 to 1. */
  readonly eventLossRate: number;
  readonly requestsPerMinute: number | undefined;
  readonly limit: number;
  readonly cap: number;
  readonly isDowngraded: boolean;
  readonly requests: number;
  /** The number of different queries. */
  readonly words: number;
  /** Longest time between two requests, in milliseconds. */
  readonly gapMaxMs: number;
  /** How many of the requests come with a signer, whose images are charged once a day, 0 to 1. */
  readonly signedRate: number;
  /** Whether every search for a stock image finds one. */
  readonly isStockSure: boolean;
  /** Nothing goes wrong and clocks agree: then everything is exact. */
  readonly isCalm: boolean;
}

const harms: readonly Fault['kind'][] = [
  'unsent',
  'throttled',
  'unanswered',
  'twice',
  'late',
  'copy',
  'pause',
  'crash-before',
  'crash-after',
];

const starts = [
  Date.UTC(2026, 10, 21, 12, 30),
  Date.UTC(2026, 10, 30, 23, 59, 50),
  Date.UTC(2026, 10, 30, 23, 59, 57),
  Date.UTC(2026, 11, 4, 9, 59, 55),
];

/** Drawn from a generator of its own, so that a seed without signers is the same history as it was before there were any. */
export function signedRateOf(random: Random): number {
  return random.pick([0, 0.5, 1]);
}

/** Each seed leaves some faults out altogether, so that the rest come in combinations that a mixture would drown. */
export function createSetting(random: Random): Setting {
  const isCalm = random.chance(0.08);
  const isStormy = !isCalm;
  return {
    startMs: random.pick(starts),
    faultRate: isCalm ? 0 : random.pick([0.01, 0.04, 0.1, 0.2]),
    kinds: harms.filter(() => random.chance(0.5)),
    lateMaxMs: random.pick([500, 5_000, 200_000, 7_200_000]),
    pauseMaxMs: random.pick([2_000, 20_000, 200_000]),
    skewMaxMs: isStormy && random.chance(0.4) ? random.pick([50, 3_000, 100_000]) : 0,
    clocksJump: isStormy && random.chance(0.2),
    sweepsAheadMs: isStormy && random.chance(0.4) ? random.pick([100_000, 3_600_000]) : 0,
    sweepEveryMs: isStormy && random.chance(0.4) ? random.pick([700, 4_000]) : 60_000,
    indexLags: isStormy && random.chance(0.3),
    drawFailureRate: random.pick([0, 0.1, 0.4]),
    drawMaxMs: random.pick([300, 3_000, 3_000, 9_000, 50_000]),
    eventLossRate: isStormy && random.chance(0.3) ? 0.3 : 0,
    requestsPerMinute: random.chance(0.1) ? 1 : undefined,
    limit: random.pick([1, 2, 3, 4, 6, 12]),
    cap: random.pick([1, 2, 3, 6]),
    isDowngraded: random.chance(0.2),
    requests: random.between(3, 9),
    words: random.pick([1, 2, 2, 8]),
    gapMaxMs: random.pick([5, 400, 4_000, 40_000, 90_000]),
    signedRate: 0,
    isStockSure: false,
    isCalm,
  };
}
