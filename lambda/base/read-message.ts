/** Checks the event of a function against the schema of the message that it should be. */

import type * as z from 'zod/mini';

/** What a message's schema reads, with nothing in it to be changed. */
export type MessageOf<S extends z.ZodMiniType> = Unchangeable<z.infer<S>>;

type Unchangeable<T> = T extends string | number | boolean | undefined
  ? T
  : { readonly [K in keyof T]: Unchangeable<T[K]> };

/**
 * @param name of the message, for the fault
 * @throws `TypeError` that names each faulty field; values are left out, as they may hold a caller's words or a signature
 */
export function readMessage<S extends z.ZodMiniType>(name: string, schema: S, event: unknown): MessageOf<S> {
  const read = schema.safeParse(event);
  if (read.success) return read.data as MessageOf<S>;
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`);
  throw new TypeError(`Not a ${name}: ${faults.join('; ')}`);
}
