/** Random faults of the kinds and rates of the seed's setting, until the healing phase. */

import type { Setting } from '../setting';
import type { HealingFaults } from '../stage';
import type { Fault, Message } from './network';
import type { Random } from './random';

export interface SwarmFaults extends HealingFaults {
  /** Messages seen. */
  calls(): number;
}

const ofReads = new Set<Fault['kind']>(['unsent', 'throttled', 'pause', 'crash-before', 'crash-after']);
/** A plain addition counts every time it is applied, and goes over the wire once. */
const additions = new Set(['consume', 'giveBack']);
const repeating = new Set<Fault['kind']>(['twice', 'copy']);
/** A store of images has no conditions that could turn a message from the past away. */
const belated = new Set<Fault['kind']>(['late', 'copy']);

export function swarmFaults(random: Random, setting: Setting): SwarmFaults {
  let healed = setting.faultRate === 0;
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
      if (healed || !random.chance(setting.faultRate)) return { kind: 'none' };
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
