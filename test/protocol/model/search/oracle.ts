/** Enumerates every sequence of answers to nondeterministic choices, one run at a time, depth first. */
import type { Pick } from '../steps';

/** Answers by a plan that covers all sequences. */
export interface Oracle {
  readonly pick: Pick;
  /** Begins with the first sequence. */
  readonly start: () => void;
  /** Goes on to the next sequence; answers false when there is none left. */
  readonly advance: () => boolean;
}

/** Makes an oracle; the questions of a run may depend on the answers before them, and on nothing else. */
export function oracle(): Oracle {
  const answers = new Uint8Array(32);
  const bounds = new Uint8Array(32);
  let asked = 0;
  let known = 0;
  return {
    pick: (bound) => {
      if (asked === known) {
        answers[known] = 0;
        bounds[known] = bound;
        known += 1;
      }
      return answers[asked++] as number;
    },
    start: () => {
      known = 0;
      asked = 0;
    },
    advance: () => {
      asked = 0;
      while (known > 0) {
        const last = known - 1;
        const answer = (answers[last] as number) + 1;
        if (answer < (bounds[last] as number)) {
          answers[last] = answer;
          return true;
        }
        known = last;
      }
      return false;
    },
  };
}
