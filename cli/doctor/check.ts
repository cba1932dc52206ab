/** What a check of the doctor is and finds, how checks are run so that one that fails to read does not end the others, and fixes that several name. */

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

/** One row of a table of checks. A check that does not apply to what is examined has no verdict. */
export interface Check<Subject> {
  readonly name: string;
  readonly examine: (subject: Subject) => Promise<Verdict | readonly Verdict[]>;
}

/** A finding before it has its check's name. */
export type Verdict = Omit<Finding, 'check'>;

/** It works, as `found` says. */
export const pass = (found: string): Verdict => ({ outcome: 'pass', found });
/** It works with a restriction, or could not be checked. @param fix the command or step that mends it */
export const warning = (found: string, fix: string): Verdict => ({ outcome: 'warning', found, fix });
/** It does not work. @param fix the command or step that mends it */
export const failure = (found: string, fix: string): Verdict => ({ outcome: 'failure', found, fix });

/** Runs all checks at once; the findings keep the order of the checks. What cannot be read is a warning. */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async ({ name, examine }) => {
      const verdicts = await examine(subject).catch((error: unknown) => unreadable(error));
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

/** The command that deploys a stack again. Its name ends with its stage, after that of an installation where it has one. */
export function deployAgain({ name }: { readonly name: string }): string {
  const [, installation, stage] = /^ImageRedirect-(?:(.+)-)?(\w+)$/.exec(name) ?? [];
  return `npx cdk deploy ${name} -c stage=${stage}${installation ? ` -c installation=${installation}` : ''}`;
}

/** The command that fills in provider keys. @param names of the keys */
export function putKeys(secretId: string, names: readonly string[]): string {
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'KEY'])));
  return `aws secretsmanager put-secret-value --secret-id "${secretId}" --secret-string '${json}'`;
}

/**
 * Those of the names that have no key.
 * @param value text of the secret: a JSON object from name to key; any other text holds no key
 */
export function missingKeys(value: string | undefined, names: readonly string[]): readonly string[] {
  let keys: Readonly<Record<string, unknown>> = {};
  try {
    keys = (JSON.parse(value ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    // All of them are missing.
  }
  return names.filter((name) => typeof keys[name] !== 'string' || keys[name] === '');
}
