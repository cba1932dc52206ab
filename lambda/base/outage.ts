/** A table, the image store, a function or a provider did not answer in time: no fault of the service. */
export class Outage extends Error {
  override readonly name: string = 'Outage';
}

/** Whether an error is an outage, or its cause is one. */
export function isOutage(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return error instanceof Outage || (cause !== undefined && isOutage(cause));
}
