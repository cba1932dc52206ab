/** Tells an outage of what the service depends on from a fault of the service. */

/** A table, a function or a provider did not answer, or not in time; the cause says how. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly isOutage = true;
}

/** Marks an error as an outage. @returns the same error */
export function asOutage(error: object): object {
  return Object.assign(error, { isOutage: true });
}

/** Whether an error or its cause is an outage, or a reached deadline. */
export function isOutage(error: unknown): boolean {
  const { name, cause, isOutage: isMarked } = (error ?? {}) as { readonly [name: string]: unknown };
  return isMarked === true || name === 'DeadlineReached' || (cause !== undefined && isOutage(cause));
}
