/** Runs two operations alternately in one process and returns the time of each round. */

import { messageOf, startProcess } from '../processes/run-process';

interface Side {
  /** Absolute path of a built program. */
  readonly file: string;
  /** Its export: a function of an event that returns a promise. */
  readonly name: string;
  /** What it is called with. */
  readonly event?: unknown;
}

export interface Turns {
  readonly measured: Side;
  readonly least: Side;
  readonly environment?: Readonly<Record<string, string>>;
  /** Operations of each side before the first round. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Operations in a round. */
  readonly perRound: number;
  /** No round begins later, in milliseconds; there is always one. */
  readonly budgetMs: number;
}

export interface TurnsTaken {
  /** What each side returned the first time. */
  readonly results: readonly [unknown, unknown];
  /** CPU in microseconds per operation, round by round. */
  readonly samples: { readonly measured: readonly number[]; readonly least: readonly number[] };
}

export async function alternate({ measured, least, environment = {}, ...plan }: Turns): Promise<TurnsTaken> {
  const child = startProcess({ file: 'alternate.mjs', environment });
  child.send({ sides: [measured, least], ...plan });
  const { results, samples } = await messageOf<{
    readonly results: [unknown, unknown];
    readonly samples: [number[], number[]];
  }>(child);
  return { results, samples: { measured: samples[0], least: samples[1] } };
}
