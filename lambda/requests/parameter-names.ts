/** The short names of parameters, and names that were escaped twice. Both mean the full names. */

/** The short names, which people know from other services, by full name. */
export const shortNames: Readonly<Record<string, string | undefined>> = {
  query: 'q',
  width: 'w',
  height: 'h',
};

const fullNames = new Map(Object.entries(shortNames).map(([name, short]) => [short, name]));

/** Renames short names to full names. A parameter that is given under both names has two values. */
export function expandShortNames(
  query: Readonly<Record<string, readonly string[] | undefined>>,
): typeof query {
  // The object has no prototype, as a parameter may be called `__proto__`.
  const valuesByName: Record<string, readonly string[]> = Object.create(null);
  for (const [name, texts = []] of Object.entries(query)) {
    // `amp;` stands before the name in links that were escaped twice.
    const plainName = name.replace(/^(amp;)+/, '');
    const fullName = fullNames.get(plainName) ?? plainName;
    valuesByName[fullName] = [...(valuesByName[fullName] ?? []), ...texts];
  }
  return valuesByName;
}
