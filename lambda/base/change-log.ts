/** The log of changes: who has created, changed or removed what. Its entries are written where the change happens. */

/** What was done, as `subject.done`. */
export type ChangeAction =
  | `${'key' | 'signer' | 'site_key'}.${'created' | 'rotated' | 'revoked'}`
  | `library.${'added' | 'removed'}`
  | 'plan.changed'
  | 'account.named'
  | 'image.removed';

/** A change, without its moment and its principal. No field ever holds a secret. */
export interface Change {
  readonly action: ChangeAction;
  /** Whose it is; absent for what belongs to no account. */
  readonly account?: string;
  /** Of what was changed. */
  readonly id?: string;
  readonly [detail: string]: string | number | readonly string[] | undefined;
}

/** A change as it is stored: with its moment and who made it. */
export interface LogEntry extends Change {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** Who did it: the ARN of an AWS principal, a user of this machine, or the id of an API key. */
  readonly principal: string;
}

/** Writes an entry. @throws when it is not known to be stored: the change itself stands then */
export type RecordChange = (change: Change) => Promise<LogEntry>;
