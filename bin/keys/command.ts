/** What a command of the tool is: how it is called, and what it does with a register of keys. */

import type { ManageKeys } from '../../lambda/usecases/keys/manage-keys';
import type { ReportUsage } from '../../lambda/usecases/usage/report-usage';
import type { OptionDefinitions, Options } from '../operator/options';
import type { Output } from '../operator/output';

/** What a command works with. */
export interface Bench {
  readonly keys: ManageKeys;
  readonly reportUsage: ReportUsage;
  readonly nowMs: () => number;
  readonly output: Output;
  /** Asks before what cannot be undone. @throws `Failure` when it was not confirmed. */
  readonly confirm: (question: string) => Promise<void>;
}

export interface Command {
  readonly name: string;
  /** Names of the arguments in the help, each of which must be given: `KEY_ID`. */
  readonly positionals: readonly string[];
  readonly summary: string;
  readonly options: OptionDefinitions;
  readonly examples: readonly string[];
  /**
   * Checks the arguments, before anything is connected to, and returns the work.
   * @throws `Failure` with the usage code
   */
  prepare(positionals: readonly string[], options: Options): (bench: Bench) => Promise<void>;
}
