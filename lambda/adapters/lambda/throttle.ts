/** How Lambda refuses an invocation for want of free instances: before it starts anything, so it can be sent again. */

/** Whether Lambda refused an invocation for want of free instances. */
export function isThrottled(error: unknown): boolean {
  return (error as { readonly name?: unknown } | undefined)?.name === 'TooManyRequestsException';
}
