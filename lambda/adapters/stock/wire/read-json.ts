/** Reads values from a provider's JSON: what is missing or of another type is `undefined`, never an error. */

/** A member of an object, or an empty object when it is none. */
export function record(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let current = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === 'object' && current !== null ? (current as Record<string, unknown>) : {};
}

/** The members of an array, or of an object in the order of its names. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** Text that is not empty, trimmed, without control characters and those that reverse the direction of writing. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return clean === '' ? undefined : clean;
}

/** Longest name or title that is passed on, in characters: it stands in a header, beside others. */
const nameCharactersMax = 200;

/** Text that names a person or a work, cut where it is too long for a credit line. */
export function nameText(value: unknown): string | undefined {
  const whole = text(value);
  if (whole === undefined) return undefined;
  const characters = [...whole];
  return characters.length <= nameCharactersMax
    ? whole
    : `${characters.slice(0, nameCharactersMax - 1).join('')}…`;
}

/** A whole number above zero, such as a width. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Drops the properties that are `undefined`, so that they are absent in the cache too. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
