/** The error of a table, image store, function or provider that did not answer in time. */
export class Outage extends Error {
  override readonly name: string = 'Outage';
}

/** Says whether an error or one of its causes is an outage. */
export function isOutage(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return error instanceof Outage || (cause !== undefined && isOutage(cause));
}
