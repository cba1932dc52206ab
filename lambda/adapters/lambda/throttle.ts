/** How often a refused invocation is sent again. Lambda refuses before it starts anything, so that is safe. */

export const throttleAttempts = 3;
/** Pause after the first refusal, in milliseconds; twice as long after the second. */
export const throttlePauseMs = 150;

/** Whether Lambda refused an invocation for want of free instances. */
export function isThrottled(error: unknown): boolean {
  return (error as { readonly name?: unknown } | undefined)?.name === 'TooManyRequestsException';
}
