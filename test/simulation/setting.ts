/** The setting of a seed: kinds and rates of faults, limits, and the time of the month. */

import type { Random } from './kernel';
import type { Fault, Faults, Message } from './network';

export interface Setting {
  readonly startMs: number;
  /** The port methods whose messages alone suffer something; all where absent. */
  readonly labels?: readonly string[];
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
  /** How many of the requests for AI images are for a variation, which is free, 0 to 1. */
  readonly variationRate: number;
  /** Longest time between two requests, in milliseconds. */
  readonly gapMaxMs: number;
  /** How many of the requests come with a signer, whose images are charged once a day, 0 to 1. */
  readonly signedRate: number;
  /** How many masters the store loses in the course of the history. */
  readonly losses: number;
  /** Whether every search for a stock image finds one. */
  readonly isStockSure: boolean;
  /** How many of the requests are of another kind than one image for an account's key, 0 to 1. */
  readonly varietyRate: number;
  /** Most units of any window beside the quota, so that few requests use it up. */
  readonly windowMax: number;
  /** The operator's ceiling on the generations of a day. */
  readonly generationsPerDay: number | undefined;
  /** Requests of a day that each stock provider allows. */
  readonly providerPerDay: number;
  /** Whether the better plan has no limit, so that its counter is spread. */
  readonly isUnlimited: boolean;
  /** Most items on a page of an index. */
  readonly pageMax: number;
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

/**
 * Drawn from a generator of its own, so that a seed without signers and losses is the same history as before there were
 * any.
 */
export function laterSetting(random: Random, { isCalm }: Setting): Partial<Setting> {
  const signedRate = random.pick([0, 0.5, 1]);
  const losses = random.pick([0, 0, 1, 3]);
  return {
    signedRate,
    losses: isCalm ? 0 : losses,
    varietyRate: random.pick([0, 0.3, 0.7]),
    windowMax: random.pick([1, 2, 3, 1_000]),
    generationsPerDay: random.pick([undefined, undefined, 1, 2, 4]),
    providerPerDay: random.pick([3, 1_000, 1_000]),
    isUnlimited: random.chance(0.2),
    pageMax: random.pick([1, 2, 1_000]),
  };
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
    skewMaxMs: isStormy && random.chance(0.4) ? random.pick([50, 3_000, 100_000, 300_000]) : 0,
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
    variationRate: 0.2,
    signedRate: 0,
    losses: 0,
    isStockSure: false,
    varietyRate: 0,
    windowMax: 1_000,
    generationsPerDay: undefined,
    providerPerDay: 1_000,
    isUnlimited: false,
    pageMax: 1_000,
    isCalm,
  };
}

export interface SwarmFaults extends Faults {
  /** Messages seen. */
  calls(): number;
}

const ofReads = new Set<Fault['kind']>(['unsent', 'throttled', 'pause', 'crash-before', 'crash-after']);
/** What counts every time it is applied goes over the wire once. */
const additions = new Set(['charge', 'giveBack', 'takeWindows', 'announce']);
const repeating = new Set<Fault['kind']>(['twice', 'copy']);
/** A store of images has no conditions that could turn a message from the past away. */
const belated = new Set<Fault['kind']>(['late', 'copy']);

/** Random faults of the kinds and rates of a setting, until they are healed. */
export function swarmFaults(random: Random, setting: Setting): SwarmFaults {
  let healed = false;
  let calls = 0;

  const isPossible = (kind: Fault['kind'], { label, isWrite }: Message): boolean => {
    if (!isWrite) return ofReads.has(kind);
    if (additions.has(label)) return !repeating.has(kind);
    return !label.startsWith('library.') || !belated.has(kind);
  };

  return {
    heal: () => {
      healed = true;
    },
    isHealed: () => healed,
    calls: () => calls,
    of(message) {
      calls += 1;
      if (setting.labels?.includes(message.label) === false) return { kind: 'none' };
      if (healed || setting.faultRate === 0 || !random.chance(setting.faultRate)) return { kind: 'none' };
      const possible = setting.kinds.filter((kind) => isPossible(kind, message));
      if (possible.length === 0) return { kind: 'none' };
      const kind = random.pick(possible);
      if (kind === 'late' || kind === 'copy') return { kind, delayMs: random.between(1, setting.lateMaxMs) };
      if (kind === 'pause') return { kind, delayMs: random.between(1, setting.pauseMaxMs) };
      return { kind };
    },
    latencyMs: () => (random.chance(0.03) ? random.between(10, 300) : random.between(1, 8)),
    pauseMs: () => random.between(20, 160),
  };
}

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
/** Counters and reservations are read long before what follows from it is written, and what was written comes again. */
export const copiesAndPauses = {
  isCalm: false,
  faultRate: 0.4,
  kinds: ['copy', 'pause'],
  labels: ['grant', 'giveBackSurplus', 'unlist', 'pendingOf'],
  lateMaxMs: 200_000,
  pauseMaxMs: 60_000,
  sweepsAheadMs: anHour,
  sweepEveryMs: 4_000,
  gapMaxMs: 40_000,
  words: 8,
  limit: 12,
} as const;
/** Images are lost and made again, and what was said about the first comes again. */
export const lostImages = {
  isCalm: false,
  faultRate: 0.3,
  kinds: ['copy', 'pause', 'crash-after'],
  labels: ['takeDelivery', 'markSettled', 'finalize'],
  lateMaxMs: 60_000,
  pauseMaxMs: 20_000,
  sweepsAheadMs: anHour,
  sweepEveryMs: 700,
  losses: 12,
  skewMaxMs: 0,
  clocksJump: false,
  words: 1,
  limit: 20,
  requests: 12,
  gapMaxMs: 4_000,
  signedRate: 0,
  drawMaxMs: 300,
  drawFailureRate: 0,
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
  losses: 0,
} as const;
