/** What a check of the doctor found, and how checks are run so that one that fails to read does not end the others. */

import { explain } from '../explain';

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

export interface Check {
  readonly name: string;
  readonly examine: () => Promise<Verdict | readonly Verdict[]>;
}

/** A finding before it has its check's name. */
export type Verdict = Omit<Finding, 'check'>;

export const pass = (found: string): Verdict => ({ outcome: 'pass', found });
export const warning = (found: string, fix: string): Verdict => ({ outcome: 'warning', found, fix });
export const failure = (found: string, fix: string): Verdict => ({ outcome: 'failure', found, fix });

/** Runs all checks at once; the findings keep the order of the checks. What cannot be read is a warning. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async ({ name, examine }) => {
      const verdicts = await examine().catch((error: unknown) => unreadable(error));
      return [verdicts].flat().map((verdict) => ({ check: name, ...verdict }));
    }),
  );
  return findings.flat();
}

function unreadable(error: unknown): Verdict {
  // Its usual explanation is about the tables of a stack.
  const isUnknown = error instanceof Error && error.name === 'ResourceNotFoundException';
  return warning(
    `could not be checked: ${isUnknown ? 'AWS does not know it' : explain(error).message}`,
    'Allow your credentials to read it, and run doctor again.',
  );
}
