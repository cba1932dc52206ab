/** Limits that an operator replaces: some of a list of names, each a whole number from 1 to the maximum of its name. */

type Limits<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** Reads limits from JSON. @throws `Error` that says what is wanted */
export function readLimits<Name extends string>(
  value: unknown,
  maxima: Readonly<Record<Name, number>>,
): Limits<Name> {
  for (const [name, limit] of Object.entries((value ?? {}) as Readonly<Record<string, number>>)) {
    const max = (maxima as Readonly<Record<string, number>>)[name] ?? 0;
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > max)
      throw new Error(`must give ${name} a whole number from 1 to ${max}`);
  }
  return (value ?? {}) as Limits<Name>;
}
