/** What a check of the doctor is and finds, and how all are run so that one that cannot read does not end the others. */

import { explain } from '../explain';

/** What a check has found, as it is printed with `--json`. */
export interface Finding {
  /** What was checked, in a few words. */
  readonly check: string;
  /** `warning`: it works with a restriction, or could not be checked. `failure`: something does not work. */
  readonly outcome: 'pass' | 'warning' | 'failure';
  /** What was found. Never holds a secret. */
  readonly found: string;
  /** The command or the step that fixes it; absent for a pass. */
  readonly fix?: string;
}

/** A finding before it has its check's name. */
export type Verdict = Omit<Finding, 'check'>;

/** One check, by the name under which it is reported. */
export type Check = readonly [name: string, run: () => Promise<Verdict>];

/** It works, as `found` says. */
export const pass = (found: string): Verdict => ({ outcome: 'pass', found });
/** It works with a restriction, or could not be checked. */
export const warning = (found: string, fix: string): Verdict => ({ outcome: 'warning', found, fix });
/** It does not work. */
export const failure = (found: string, fix: string): Verdict => ({ outcome: 'failure', found, fix });

/** Runs all checks at once, reported in their order. What cannot be read is a warning. */
export function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const unread = (error: Error) => {
    const why = error.name === 'ResourceNotFoundException' ? 'AWS does not know it' : explain(error).message;
    return warning(
      `could not be checked: ${why}`,
      'Allow your credentials to read it, and run doctor again.',
    );
  };
  return Promise.all(checks.map(async ([check, run]) => ({ check, ...(await run().catch(unread)) })));
}

/** The command that fills in the keys of providers. */
export function putKeys(secretId: string, names: readonly string[]): string {
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'KEY'])));
  return `aws secretsmanager put-secret-value --secret-id "${secretId}" --secret-string '${json}'`;
}
