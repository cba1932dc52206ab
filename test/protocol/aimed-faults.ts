/** One fault at one call of a scenario; every other call works. */

import type { Fault, Faults, Message } from '../simulation/network';

/** What the call suffers; `attempts` is how many of its attempts do. */
export interface Harm {
  readonly name: string;
  readonly fault: Fault;
  readonly attempts: number;
}

/** More attempts than an adapter makes. */
const everyAttempt = 3;

export const harms: readonly Harm[] = [
  { name: 'fails before it is applied, once', fault: { kind: 'unsent' }, attempts: 1 },
  { name: 'fails before it is applied, every time', fault: { kind: 'unsent' }, attempts: everyAttempt },
  { name: 'is applied and its answer lost, once', fault: { kind: 'unanswered' }, attempts: 1 },
  {
    name: 'is applied and its answer lost, every time',
    fault: { kind: 'unanswered' },
    attempts: everyAttempt,
  },
  { name: 'is applied twice', fault: { kind: 'twice' }, attempts: 1 },
  { name: 'arrives seconds late', fault: { kind: 'late', delayMs: 2_500 }, attempts: everyAttempt },
  { name: 'arrives when all is over', fault: { kind: 'late', delayMs: 7_200_000 }, attempts: everyAttempt },
  { name: 'arrives, and again when all is over', fault: { kind: 'copy', delayMs: 7_200_000 }, attempts: 1 },
  { name: 'is not sent, because the sender dies before', fault: { kind: 'crash-before' }, attempts: 1 },
  { name: 'is applied, and the sender dies after', fault: { kind: 'crash-after' }, attempts: 1 },
];

/** Whether a harm does to a read what another one does not do to it as well: a read that is applied has changed nothing. */
export function meansSomething({ fault }: Harm, isWrite: boolean): boolean {
  return isWrite || ['unsent', 'crash-before', 'crash-after'].includes(fault.kind);
}

export interface AimedFaults extends Faults {
  /** The messages so far, in order. */
  readonly sent: readonly Message[];
}

/** @param target which message suffers, counted from 0; the next messages of the same sender and kind are its further attempts */
export function aimedFaults(target: number | undefined, harm: Harm | undefined): AimedFaults {
  const sent: Message[] = [];
  let isHealed = false;
  let left = 0;
  let aim: { readonly actor: unknown; readonly label: string } | undefined;
  return {
    sent,
    heal: () => {
      isHealed = true;
    },
    isHealed: () => isHealed,
    latencyMs: () => 5,
    pauseMs: () => 40,
    of(message) {
      const { actor, label } = message;
      sent.push(message);
      if (!harm || isHealed) return { kind: 'none' };
      if (sent.length - 1 === target) {
        aim = { actor, label };
        left = harm.attempts;
      }
      if (left === 0 || aim?.actor !== actor || aim.label !== label) return { kind: 'none' };
      left -= 1;
      return harm.fault;
    },
  };
}
