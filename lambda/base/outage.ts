/** Tells an outage of what the service depends on from a fault of the service. */

/** What the service depends on did not answer, or not in time; the cause says how. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly isOutage = true;
}

/** Marks the error of a dependency that did not answer, or not in time. @returns the same error */
export function asOutage(error: object): object {
  return Object.assign(error, { isOutage: true });
}

/** Whether an error, or what caused it, is an outage or a deadline that was reached. By a property, as errors of the SDK are marked too. */
export function isOutage(error: unknown): boolean {
  const { name, cause, isOutage: isMarked } = (error ?? {}) as { readonly [name: string]: unknown };
  return isMarked === true || name === 'DeadlineReached' || (cause !== undefined && isOutage(cause));
}
