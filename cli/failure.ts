/** How a command ends: exit codes that scripts can rely on, and the failures that lead to them. */

/** Exit codes of the tool, which scripts may rely on. */
export const exitCodes = {
  ok: 0,
  /** Something went wrong that has no code of its own. */
  failed: 1,
  /** The command line is not understood. */
  usage: 2,
  /** There is no such key, account or stack. */
  notFound: 3,
  /** It cannot be undone and was not confirmed. */
  notConfirmed: 4,
  /** The service or AWS cannot be reached: not running, no credentials, no permission, no network. */
  unreachable: 5,
} as const;

/** A number of `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An expected end; its message is one line for the operator. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Ends the command with 1. */
export const failed = (message: string, cause?: unknown) => new Failure(exitCodes.failed, message, { cause });
/** Ends the command with 2: its command line is not understood. */
export const wrongUsage = (message: string) => new Failure(exitCodes.usage, message);
/** Ends the command with 3: there is no such key, account or stack. */
export const notFound = (message: string) => new Failure(exitCodes.notFound, message);
/** Ends the command with 5: the service or AWS cannot be reached. */
export const unreachable = (message: string, cause?: unknown) =>
  new Failure(exitCodes.unreachable, message, { cause });
