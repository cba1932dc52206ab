/** The names under which parameters are given: other names that mean one, and names that mean none. */

/** Other names of parameters, which people know from other services. */
export const shortNames: Readonly<Record<string, string | undefined>> = {
  query: 'q',
  width: 'w',
  height: 'h',
};

/**
 * The name that a given one stands for. `amp;` stands before the name in links that were escaped twice.
 */
function fullNameOf(name: string): string {
  const plain = name.replace(/^(amp;)+/, '');
  switch (plain) {
    case 'q':
      return 'query';
    case 'w':
      return 'width';
    case 'h':
      return 'height';
    default:
      return plain;
  }
}

type Values = Readonly<Record<string, readonly string[] | undefined>>;

/** Every value under its parameter's full name, so that a parameter given under two names is given twice. */
export function byFullName(given: Values): Values {
  const names = Object.keys(given);
  if (names.every((name) => fullNameOf(name) === name)) return given;
  // Without a prototype, as a parameter may be called `__proto__`.
  const values: Record<string, readonly string[]> = Object.create(null);
  for (const name of names) {
    const fullName = fullNameOf(name);
    values[fullName] = [...(values[fullName] ?? []), ...(given[name] ?? [])];
  }
  return values;
}
